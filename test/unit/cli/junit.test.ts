import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { XMLParser } from 'fast-xml-parser';
import { describe, it } from 'mocha';
import { validateXML } from 'xmllint-wasm';
import { junitReport } from '../../../src/cli/junit.ts';
import type { ReportEntry } from '../../../src/evals/report/markdown.ts';
import type { VerdictStatus } from '../../../src/shared/protocol/verdicts.ts';
import { repoRoot } from '../../vscode/paths.ts';

const schema = {
  fileName: 'junit-10.xsd',
  contents: readFileSync(join(repoRoot, 'test', 'fixtures', 'junit-10.xsd'), 'utf8'),
};
const ODD = 'a\u0000\u001b[31m<b> & "c" \' ]]> \ud800 😀 \ufffe\nend';

const entry = (status: VerdictStatus, text = ODD): ReportEntry => ({
  name: text,
  question: text,
  path: 'agents/eval_questions.yml',
  line: 4,
  status,
  message: text,
  milliseconds: 1234.5,
  passes: { count: 1, of: 2 },
  attempts: [2],
  rows: { expected: text, actual: text },
  sql: { expected: text, actual: text },
  chatId: text,
});
const statuses: VerdictStatus[] = ['passed', 'failed', 'flaky', 'review', 'skipped', 'errored', 'canceled'];
const range = { start: { line: 2, character: 0 }, end: { line: 2, character: 3 } };

describe('JUnit report', () => {
  const report = junitReport(
    statuses.map((status) => entry(status)),
    [{ path: 'x.yml', range, message: ODD }],
    ODD,
  );

  it('is valid according to the Jenkins schema, whatever the texts', async () => {
    for (const contents of [report, junitReport([], [], '')]) {
      const { valid, errors } = await validateXML({ xml: { fileName: 'report.xml', contents }, schema: [schema] });
      assert.ok(valid, errors.map(({ rawMessage }) => rawMessage).join('\n'));
    }
    const broken = report.replace('tests=', 'testz=');
    assert.equal((await validateXML({ xml: { fileName: 'x.xml', contents: broken }, schema: [schema] })).valid, false);
  });

  it('reports a known failure as skipped, with its reason and its attempts on both branches', async () => {
    const known: ReportEntry = { ...entry('failed', 'two rows differ'), attempts: [3, 2], isKnown: true };
    const once: ReportEntry = { ...entry('passed', 'ok'), attempts: [1, 1] };
    const contents = junitReport([known, once], [], '');
    const { valid } = await validateXML({ xml: { fileName: 'report.xml', contents }, schema: [schema] });
    assert.ok(valid);
    assert.match(contents, /failures="0" errors="0" skipped="1"/);
    assert.match(contents, /<skipped type="failed" message="Known: 1 of 2 answers passed\. two rows differ">/);
    assert.match(contents, /\nAttempts: 3 \+ 2\n/);
    assert.doesNotMatch(contents, /Attempts: 1/);
  });

  it('counts failures, errors, skipped questions and repeated answers, and keeps every text', () => {
    const parsed = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '', htmlEntities: true }).parse(
      report,
    );
    const { testsuite } = parsed.testsuites;
    assert.deepEqual(
      [testsuite.tests, testsuite.failures, testsuite.errors, testsuite.skipped, testsuite.time],
      ['8', '2', '2', '2', '8.642'],
    );
    assert.equal(testsuite.testcase[1].failure.type, 'failed');
    assert.equal(testsuite.testcase[1].classname, 'agents/eval_questions.yml');
    assert.match(testsuite.testcase[1].failure['#text'], /^agents\/eval_questions\.yml:5\n/);
    assert.match(testsuite.testcase[1].failure.message, /^1 of 2 answers passed\. a/);
    assert.match(testsuite.testcase[2]['system-out'], /^Flaky: 1 of 2 answers passed\. a/);
    assert.match(testsuite.testcase[1].failure['#text'], /\n\nAttempts: 2\n\n/);
    assert.equal(testsuite.testcase[0]['system-out'], 'Attempts: 2');
    assert.match(testsuite.testcase[1].name, /<b> & "c" ' \]\]> \ufffd 😀/);
  });
});

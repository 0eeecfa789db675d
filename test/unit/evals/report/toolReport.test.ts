import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { plannedTests } from '../../../../src/evals/matrix/plannedRun.ts';
import { reportedRun, reportText, type ToolReport } from '../../../../src/evals/report/toolReport.ts';
import type { ResultTable } from '../../../../src/shared/wire/toolPayloads.ts';
import { contextOn } from '../matrix/support.ts';
import { answerOf, queryWith, questionNamed } from '../support.ts';
import { table } from '../tables.ts';

/** Grades questions of which the ones with an odd number have other rows. */
function report(count: number, rows: number, progress: string[] = []): Promise<ToolReport> {
  const tableFrom = (first: number): ResultTable =>
    table('n:number', ...Array.from({ length: rows }, (_, at) => [first + 10 * at]));
  const questions = Array.from({ length: count }, (_, at) => questionNamed(`q${at}`));
  return reportedRun(plannedTests(questions, { on: contextOn('dev'), attempts: 1 }), {
    ask: ({ name }) => Promise.resolve(answerOf(queryWith(tableFrom(Number(name.slice(1)) % 2)))),
    runSql: () => Promise.resolve(tableFrom(0)),
    signal: new AbortController().signal,
    fileOf: ({ path }) => `project/${path}`,
    warnings: ['not pushed'],
    onProgress: (message, { done, total }) => progress.push(`${message} ${done}/${total}`),
  });
}

describe('report for coding agents', () => {
  it('lists failures first, with their rows, SQL, file and line, and says how far it is', async () => {
    const progress: string[] = [];
    const found = await report(3, 2, progress);
    assert.deepEqual(
      found.questions.map(({ name, verdict }) => [name, verdict]),
      [
        ['q1', 'failed'],
        ['q0', 'passed'],
        ['q2', 'passed'],
      ],
    );
    const [{ file, line, rows, sql, chatId }] = found.questions as [ToolReport['questions'][number]];
    assert.deepEqual([file, line, chatId], ['project/agents/eval_questions.yml', 2, 'chat']);
    assert.equal(rows, '   n\n-  0\n- 10\n+  1\n+ 11');
    assert.deepEqual(sql, { expected: 'SELECT q1', actual: 'SELECT answer' });
    assert.equal(progress.at(-1), '3 of 3 questions asked, 1 failed 3/3');
    const text = reportText(found);
    assert.match(
      text,
      /^66 % \(2\/3\)[^]*\n\nWarning: not pushed\n\n### failed: q1 \(project\/agents\/eval_questions\.yml:2\)\n/,
    );
    assert.ok(text.includes(`\`\`\`diff\n${rows}\n\`\`\``));
    assert.ok(!text.includes('q0'));
  });

  it('has a limited size, and says what was left out', async () => {
    const found = await report(220, 80);
    assert.equal(found.questions.length, 100);
    assert.ok(found.questions.every(({ verdict }) => verdict === 'failed'));
    assert.match(found.questions[0]!.rows!, /\n… \d+ more lines$/);
    assert.match(
      found.notice!,
      /^The rows and SQL of \d+ questions are left out\. Run fewer questions to see them\. 120 more questions are not listed\.$/,
    );
    assert.ok(JSON.stringify(found).length < 60_000);
    assert.ok(reportText(found).endsWith(found.notice!));
  });
});

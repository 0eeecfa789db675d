/** Question files that would block the extension host, or that are not text: each is refused in words, at once. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { sourceFile } from '../../../../src/shared/text/sourceFile.ts';
import { EVALS, file, list, question, read } from './support.ts';

const OWN = '.analytics-chat/questions.yml';
const ACCESS = '.analytics-chat/access.yml';
const times = (count: number, text: (index: number) => string, separator = ','): string =>
  Array.from({ length: count }, (_, index) => text(index)).join(separator);

/** Seconds of CPU time, of which each file takes a tenth, unless something takes the square of its length. */
const LIMIT = 1;

describe('large question files', () => {
  const only = (columns: string): string => `access: [{name: a, question: q, expect: [{as: e, only: {${columns}}}]}]`;
  for (const [what, path, text] of [
    ['12,000 columns of a rule', ACCESS, only(times(12_000, (at) => `c${at}: v`))],
    ['15,000 values of a column', ACCESS, only(`c: [${times(15_000, () => 'v')}]`)],
    ['20,000 keys', OWN, `${times(20_000, (at) => `k${at}: v`, '\n')}\neval_questions: []\n`],
    ['20,000 times the same key', OWN, `eval_questions:\n- {${times(20_000, () => 'name: a')}}\n`],
    ['6,000 questions of one name', OWN, list(times(6000, () => '- {name: a, question: b}\n', ''))],
    [
      '25,000 aliases of one question',
      OWN,
      `q: &q {name: n, question: x}\neval_questions: [${times(25_000, () => '*q')}]`,
    ],
    [
      '2,000 questions that merge 20,000 aliases',
      OWN,
      `b: &b {x: z}\nl: &l [${times(20_000, () => '*b')}]\neval_questions:\n${times(2000, (at) => `- {name: n${at}, <<: *l}\n`, '')}`,
    ],
    ['5,000 open brackets', OWN, `eval_questions: ${'['.repeat(5000)}`],
    ['nested lists', OWN, `eval_questions:\n  ${'- '.repeat(20_000)}x\n`],
    ['tabs as indents', OWN, `eval_questions:\n${'\t- name: a\n'.repeat(8000)}`],
    ['6,000 certified queries', 'agents/config.yml', `certified_queries: {${times(6000, (at) => `q${at}: {a: b}`)}}`],
  ] as const)
    it(`with ${what} are read in no time`, () => {
      const started = process.cpuUsage();
      read(file(text, path), file(list(question('a'))));
      assert.ok(process.cpuUsage(started).user / 1e6 < LIMIT);
    });

  it('are not read, alone or together, beyond a limit that their error names', () => {
    const long = `# ${'x'.repeat(500_000)}\n`;
    const { names, problems } = read(file(long + list(question('a'))), file(list(question('b')), OWN));
    assert.deepEqual(names, ['b']);
    assert.deepEqual(problems, [`${EVALS}:1: This file is not read: it has more than 500,000 characters.`]);
    const many = Array.from({ length: 10 }, (_, at) =>
      file(`# ${'x'.repeat(450_000)}\n${list(question(`q${at}`))}`, `agents/eval_questions/${at}.yml`),
    );
    const all = read(...many);
    assert.equal(all.names.length, 8);
    assert.deepEqual(all.problems, [
      'agents/eval_questions/8.yml:1: This file is not read: the question tests have more than 4,000,000 characters.',
      'agents/eval_questions/9.yml:1: This file is not read: the question tests have more than 4,000,000 characters.',
    ]);
  });
});

describe('question files with another encoding', () => {
  const text = 'eval_questions:\n  - {name: umsatz, question: Umsatz für Zürich, sql: SELECT 1}\n';
  const utf16 = (bigEndian: boolean): Buffer => {
    const bytes = Buffer.from(text, 'utf16le');
    return bigEndian ? bytes.swap16() : bytes;
  };
  const kinds = {
    questions: EVALS,
    'certified queries': 'agents/certified_queries/a.md',
    'access tests': ACCESS,
    'accepted results': '.analytics-chat/baselines/a.yml',
  };
  for (const [encoding, bytes] of Object.entries({
    'Windows-1252': Buffer.from(text, 'latin1'),
    'UTF-16 with a byte order mark': Buffer.concat([Buffer.from([0xff, 0xfe]), utf16(false)]),
    'UTF-16 without a byte order mark': utf16(false),
    'UTF-16, big-endian': utf16(true),
  }))
    for (const [kind, path] of Object.entries(kinds))
      it(`(${encoding}: ${kind}) are refused in words`, () => {
        assert.deepEqual(read(sourceFile(path, bytes)).problems, [
          `${path}:1: This file is not UTF-8. Save it with the encoding UTF-8.`,
        ]);
      });

  it('are read as UTF-8 with and without a byte order mark', () => {
    for (const mark of ['', '\ufeff'])
      assert.deepEqual(
        read(sourceFile(EVALS, Buffer.from(mark + text))).questions.map((each) => each.text),
        ['Umsatz für Zürich'],
      );
  });
});

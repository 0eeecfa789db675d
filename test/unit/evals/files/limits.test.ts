/** Question files that would block the extension host, or that are not text: each is refused in words, at once. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { sourceFile } from '../../../../src/shared/text/sourceFile.ts';
import { EVALS, file, list, question, read } from './support.ts';

const OWN = '.analytics-chat/questions.yml';
const ACCESS = '.analytics-chat/access.yml';
const times = (count: number, text: (index: number) => string, separator = ','): string =>
  Array.from({ length: count }, (_, index) => text(index)).join(separator);

// Each takes a fraction of the default timeout, unless something takes the square of the length.
describe('large question files', () => {
  const only = (columns: string): string => `access: [{name: a, question: q, expect: [{as: e, only: {${columns}}}]}]`;
  for (const [what, path, text] of [
    ['45,000 columns of a rule', ACCESS, only(times(45_000, (at) => `c${at}: v`))],
    ['60,000 values of a column', ACCESS, only(`c: [${times(60_000, () => 'v')}]`)],
    ['40,000 keys', OWN, `${times(40_000, (at) => `k${at}: v`, '\n')}\neval_questions: []\n`],
    ['40,000 times the same key', OWN, `eval_questions:\n- {${times(40_000, () => 'name: a')}}\n`],
    ['19,000 questions of one name', OWN, list(times(19_000, () => '- {name: a, question: b}\n', ''))],
    [
      '100,000 aliases of one question',
      OWN,
      `q: &q {name: n, question: x}\neval_questions: [${times(100_000, () => '*q')}]`,
    ],
    [
      '4,000 questions that merge 50,000 aliases',
      OWN,
      `b: &b {x: z}\nl: &l [${times(50_000, () => '*b')}]\neval_questions:\n${times(4000, (at) => `- {name: n${at}, <<: *l}\n`, '')}`,
    ],
    ['20,000 open brackets', OWN, `eval_questions: ${'['.repeat(20_000)}`],
    ['nested lists', OWN, `eval_questions:\n  ${'- '.repeat(20_000)}x\n`],
    ['tabs as indents', OWN, `eval_questions:\n${'\t- name: a\n'.repeat(30_000)}`],
    [
      '20,000 certified queries',
      'agents/config.yml',
      `certified_queries: {${times(20_000, (at) => `q${at}: {a: b}`)}}`,
    ],
  ] as const)
    it(`with ${what} are read in no time`, () => {
      assert.ok(text.length < 500_000, String(text.length));
      read(file(text, path), file(list(question('a'))));
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

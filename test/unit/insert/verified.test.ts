/** SQL at any offset of a program: if there is no warning, the grammar parses the result without an error. */
import assert from 'node:assert/strict';
import type { LRParser } from '@lezer/lr';
import { parser as javascript } from '@lezer/javascript';
import { parser as python } from '@lezer/python';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { applyEdits, planInsertion } from '../../../src/insert/plan.ts';
import type { InsertRequest } from '../../../src/insert/types.ts';
import { verifyCode } from '../../../src/insert/code/verifyCode.ts';
import { sparse } from '../../support/runs.ts';
import { hostileSql, runs, tidySql } from './arbitrarySql.ts';

const PROGRAMS: readonly (readonly [language: string, fileName: string, parser: LRParser, text: string])[] = [
  [
    'python',
    'a.py',
    python,
    'import x\n\n@d\ndef f(a, b=1):\n    q = """SELECT\n      1"""\n    for i in [1, "x"]:\n        run(q, f"a{i}b", key=a)\n    else:\n        pass\n    match a:\n        case 1: return {i: 1 for i in a}\n    return {"a": lambda x, y=(1, 2): x, **b}\n\nclass A(B):\n    b: str = r\'c\' \\\n        "d"\n',
  ],
  [
    'typescript',
    'a.ts',
    javascript.configure({ dialect: 'ts' }),
    'import { a } from "b";\n\ninterface T { x: string }\nconst q = sql`SELECT ${a} FROM t`;\nexport class A<B> {\n  c = 1;\n  m(x: number): void { run({ x, y: [1, "z"] }, `t`); }\n}\n',
  ],
];

const request = (languageId: string, fileName: string, text: string, at: number, sql: string): InsertRequest => ({
  document: { text, languageId, fileName },
  selections: [{ start: at, end: at }],
  sql,
  mode: 'insert',
  options: { tabSize: 2, insertSpaces: true, eol: '\n' },
});

function hasError(parser: LRParser, text: string): boolean {
  let found = false;
  parser.parse(text).iterate({ enter: ({ type }) => void (found ||= type.isError) });
  return found;
}

describe('SQL in a program', () => {
  for (const [languageId, fileName, parser, text] of PROGRAMS) {
    // The heuristics alone write errors at some of these offsets.
    it(`is parsed without errors at every offset, or needs confirmation: ${languageId}`, () => {
      assert.equal(hasError(parser, text), false);
      const statements = fc.sample(fc.oneof(hostileSql, tidySql), { ...runs, numRuns: text.length + 1 });
      for (const [at, sql] of statements.entries()) {
        if (at % sparse !== 0) continue;
        const { edits, warnings } = planInsertion(request(languageId, fileName, text, at, sql));
        if (warnings.some(({ code }) => code === 'unfittedPlace')) continue;
        const after = applyEdits(text, edits);
        assert.equal(hasError(parser, after), false, after);
      }
    });
  }

  for (const [languageId, fileName, line, good, bad] of [
    ['typescript', 'a.ts', 'const a = [\n  1,\n];\n', 11, 3],
    ['python', 'a.py', 'a = f("x", "")\n', 12, 1],
    ['json', 'a.json', '["x", 1],\n', 2, 7],
  ] as const)
    it(`is verified at each of many cursors: ${languageId}`, () => {
      const text = line.repeat(30);
      const spots = (from: number) =>
        Array.from({ length: 30 }, (_, index) => text.indexOf(line, index * line.length) + from);
      const warned = (offsets: number[]): string[] =>
        planInsertion({
          ...request(languageId, fileName, text, 0, 'SELECT 1'),
          selections: offsets.map((at) => ({ start: at, end: at })),
        }).warnings.map(({ code }) => code);
      assert.deepEqual(warned(spots(good)), []);
      assert.deepEqual(warned([...spots(good).slice(0, 29), ...spots(bad).slice(29)]), ['unfittedPlace']);
    });

  it('needs confirmation if the surrounding program would be parsed differently', () => {
    const text = 'run(a);\nb = "c";\n';
    const edit = (start: number, sql: string) => [{ start, end: start, text: sql }];
    const verify = (edits: { start: number; end: number; text: string }[]) =>
      verifyCode(javascript, text, edits, applyEdits(text, edits), {});
    assert.equal(verify(edit(13, 'SELECT')), true);
    assert.equal(verify(edit(13, '" + "')), false, 'two literals in place of one');
    assert.equal(verify(edit(5, '`x`')), false, 'a call of a function with a template');
    assert.equal(verify(edit(5, '/*')), false, 'the rest of the file in a comment');
    assert.equal(verify(edit(5, ' +')), false, 'an error');
  });
});

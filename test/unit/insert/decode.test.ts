/** Decodes literals as compilers of their languages do. */
import assert from 'node:assert/strict';
import { parser as javascript } from '@lezer/javascript';
import { parser as python } from '@lezer/python';
import { describe, it } from 'mocha';
import { decodeProgram, formInJs, formInPython } from '../../../src/insert/code/treeLiteral.ts';
import { isDecoded } from '../../../src/insert/literals/decode.ts';
import { decodeLiteral } from '../../../src/insert/literals/readLiteral.ts';
import { languageNamed } from '../../../src/insert/literals/writeLiteral.ts';
import { JSON_LITERALS, verifyJson } from '../../../src/insert/markup/writeJson.ts';

/** The part of the text between the marks. */
function marked(source: string): { text: string; start: number; end: number } {
  const [before = '', inside = '', after = ''] = source.split('‸');
  return { text: before + inside + after, start: before.length, end: before.length + inside.length };
}

const LITERALS: readonly (readonly [languageId: string, source: string, stands: string | undefined])[] = [
  ['toml', 'q = "a ‸\\"b\\"\\n\\\\‸"', '"b"\n\\'],
  ['toml', 'q = """\n‸a\n  \\"""b‸"""', 'a\n  """b'],
  ['toml', "q = '‸a\\n‸'", 'a\\n'],
  ['r', "q <- '‸\\'a‸'", "'a"],
  ['r', 'q <- r"(‸"a"\\‸)"', '"a"\\'],
  ['lookml', 'sql: ‸a\\b‸ ;;', 'a\\b'],
  ['lookml', 'sql: ‸${a}‸ ;;', undefined],
  ['lookml', 'label: "‸\\a‸"', undefined],
];

const PROGRAMS: readonly (readonly [
  isPython: boolean,
  source: string,
  stands: string | undefined,
  literalAt?: number,
])[] = [
  [false, 'q = "‸\\u0041\\n\\"‸";', 'A\n"'],
  [false, 'q = `${a} ‸\\`b\\` \\${‸`;', '`b` ${'],
  [false, 'q = `‸${a}‸`;', undefined],
  [false, 'q = String.raw`‸\\d‸`;', '\\d'],
  [false, 'f = { ‸sql: `a`‸ };', 'a', 6],
  [false, 'a = <B c="‸\\n‸" />;', '\\n'],
  [false, 'q = "a\\‸n‸";', undefined],
  [true, 'q = """a ‸b\\\\\n\\"c‸"""', 'b\\\n"c'],
  [true, 'q = r"‸\\d‸"', '\\d'],
  [true, 'q = "‸\\d‸"', '\\d'],
  [true, 'q = f"{a} ‸{{b}}‸"', '{b}'],
  [true, 'q = f"‸{b}‸"', undefined],
  [true, 'q = {‸"sql": """abcdef"""‸}', 'abcdef', 12],
];

describe('a literal', () => {
  for (const [languageId, source, stands] of LITERALS)
    it(`is decoded like in its language: ${languageId} ${source.replaceAll('\n', '⏎')}`, () => {
      const language = languageNamed(languageId, '');
      assert.ok(language);
      const { text, ...range } = marked(source);
      assert.equal(decodeLiteral(language)(text, range, {}), stands);
    });

  for (const [isPython, source, stands, literalAt = 0] of PROGRAMS)
    it(`is decoded like in its grammar: ${source.replaceAll('\n', '⏎')}`, () => {
      const { text, ...range } = marked(source);
      const parser = isPython ? python : javascript.configure({ dialect: 'jsx' });
      assert.equal(decodeProgram(parser, isPython ? formInPython : formInJs)(text, range, { literalAt }), stands);
    });

  it('is compared with the SQL, ignoring white space between its lines', () => {
    assert.equal(isDecoded('\n    SELECT 1,\n      2\n', ['SELECT 1,\n  2']), true);
    assert.equal(isDecoded("SELECT 'a\n  b'", ["SELECT 'a\nb'"]), false);
    assert.equal(isDecoded('SELECT 1, 2', ['SELECT 1,2']), false);
    assert.equal(isDecoded(undefined, ['']), false);
  });

  it('in JSON is decoded, and the file around it stays valid JSON', () => {
    const { text, ...range } = marked('{"sql": "‸SELECT \\"a\\"\\n\\u0041‸"}');
    assert.equal(decodeLiteral(JSON_LITERALS)(text, range, {}), 'SELECT "a"\nA');
    assert.equal(verifyJson('{"sql": ""}', text), true);
    assert.equal(verifyJson('{"sql": ""}', '{"sql": """}'), false);
    assert.equal(verifyJson('{"sql": "", /* comment */}', '{"sql": "a", /* comment */}'), true);
    assert.equal(verifyJson('{"sql": "", /* comment */}', '{"sql": "" "a", /* comment */}'), false);
    assert.equal(verifyJson('{"a": 1}\n{"a": 2}\n', '{"a": 1}\n"b" {"a": 2}\n'), false);
    assert.equal(verifyJson('{"sql": }', text), true);
    assert.equal(verifyJson('{"sql": not JSON}', '{"sql": not "a" JSON}'), undefined);
  });
});

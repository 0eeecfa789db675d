/** Hints at the definitions of data model members. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { parse } from 'yaml';
import { applyEdits } from '../../../src/insert/plan.ts';
import type { HintKey } from '../../../src/insert/hints/hint.ts';
import { planHint } from '../../../src/insert/hints/planHint.ts';

const HINT = 'Net of refunds.';

/** @param file the model; `‸` is in front of the member's definition @returns undefined if it can't be written */
function hinted(fileName: string, file: string, key: HintKey, hint = HINT): string | undefined {
  const at = file.indexOf('‸');
  const text = file.replace('‸', '');
  const document = { text, languageId: fileName.endsWith('.js') ? 'javascript' : 'yaml', fileName };
  const eol = text.includes('\r\n') ? ('\r\n' as const) : ('\n' as const);
  const edits = planHint({ document, at, key, hint, options: { tabSize: 2, insertSpaces: true, eol } });
  return edits && applyEdits(text, edits);
}
const inYaml = (file: string, key: HintKey, hint?: string) => hinted('model/cubes/orders.yml', file, key, hint);
const inJs = (file: string, key: HintKey, hint?: string) => hinted('model/cubes/orders.js', file, key, hint);

interface Model {
  cubes: { measures: { description?: string; meta?: { ai_context: string } }[] }[];
}

const MEASURE = `cubes:
  - name: orders
    measures:
      # Money
      - ‸name: revenue # net
        sql: amount
        type: sum
      - name: count
        type: count
`;
/** @returns the file with lines inserted before the line that contains `next` */
const withLines = (file: string, next: string, lines: string): string =>
  file.replace('‸', '').replace(new RegExp(`^.*${next}`, 'm'), (line) => `${lines}\n${line}`);

describe('a hint in a YAML model', () => {
  it('is a new description below the name', () => {
    assert.equal(inYaml(MEASURE, 'description'), withLines(MEASURE, 'sql: amount', `        description: ${HINT}`));
  });

  it('is a new description below the name also above keys that are called like it', () => {
    const file = MEASURE.replace('sql: amount', 'titles: a\n        rename: b\n        sql: amount');
    assert.equal(inYaml(file, 'description'), withLines(file, 'titles: a', `        description: ${HINT}`));
  });

  it('is a new ai_context in a new meta below the plain values', () => {
    const meta = `        meta:\n          ai_context: ${HINT}`;
    assert.equal(inYaml(MEASURE, 'ai_context'), withLines(MEASURE, '- name: count', meta));
  });

  for (const [what, before, after] of [
    ['plain', 'description: Old. # why', `description: ${HINT} # why`],
    ['over two lines', 'description: Old\n          text. # why', `description: ${HINT} # why`],
    ['quoted', "description: 'It''s old.' # why", `description: ${HINT} # why`],
    ['a folded block', 'description: >\n          Old\n          text.', `description: >\n          ${HINT}`],
    ['missing', 'description: # why', `description: ${HINT} # why`],
  ] as const)
    it(`replaces a description that is ${what}, and keeps comments`, () => {
      const file = (text: string): string => MEASURE.replace('sql: amount', `${text}\n        sql: amount`);
      assert.equal(inYaml(file(before), 'description'), file(after).replace('‸', ''));
    });

  for (const [what, before, after] of [
    [
      'a meta in block style',
      'meta:\n          unit: EUR # fixed',
      `meta:\n          unit: EUR # fixed\n          ai_context: ${HINT}`,
    ],
    [
      'a meta with a hint',
      'meta:\n          ai_context: "Old"\n          unit: EUR',
      `meta:\n          ai_context: ${HINT}\n          unit: EUR`,
    ],
    ['a meta in flow style', 'meta: { unit: EUR } # why', `meta: { unit: EUR, ai_context: "${HINT}" } # why`],
    ['an empty meta', 'meta: # why', `meta: # why\n          ai_context: ${HINT}`],
  ] as const)
    it(`adds to ${what}`, () => {
      const file = (text: string): string => MEASURE.replace('sql: amount', `sql: amount\n        ${text}`);
      assert.equal(inYaml(file(before), 'ai_context'), file(after).replace('‸', ''));
    });

  it('goes into a member in flow style', () => {
    const file = 'cubes:\n  - name: a\n    measures:\n      - ‸{ name: n, type: count } # rows\n';
    const text = file.replace('‸', '');
    assert.equal(inYaml(file, 'description'), text.replace('count', `count, description: "${HINT}"`));
    assert.equal(inYaml(file, 'ai_context'), text.replace('count', `count, meta: { ai_context: "${HINT}" }`));
  });

  it('goes above the lists of a cube, and next to Jinja', () => {
    const file =
      'cubes:\n  - ‸name: a\n    sql_table: a\n    measures:\n{% for n in names %}\n      - name: "{{ n }}"\n{% endfor %}\n';
    const meta = `    meta:\n      ai_context: ${HINT}`;
    assert.equal(inYaml(file, 'ai_context'), withLines(file, 'measures:', meta));
  });

  it('keeps Windows line ends', () => {
    const crlf = inYaml(MEASURE.replaceAll('\n', '\r\n'), 'ai_context');
    assert.equal(crlf, inYaml(MEASURE, 'ai_context')?.replaceAll('\n', '\r\n'));
  });

  for (const hint of [
    'a: b',
    '# no',
    'yes',
    '...',
    '"a" {b} \\ {{ c }} {% d %}',
    '1',
    "it's – 5 %",
    '- x',
    '@a',
    'a\tb',
  ])
    it(`is read back unchanged: ${JSON.stringify(hint)}`, () => {
      for (const key of ['description', 'ai_context'] as const) {
        const after = parse(inYaml(MEASURE, key, hint) ?? assert.fail()) as Model;
        const { description, meta } = after.cubes[0]!.measures[0]!;
        // Jinja finds nothing to render, and the compiler removes the escapes of its templates.
        const read = (key === 'description' ? description : meta?.ai_context)?.replace(/\\([\\{}])/g, '$1');
        assert.equal(read, hint.replace('\t', ' '));
        assert.doesNotMatch(inYaml(MEASURE, key, hint) ?? '', /\{[{%#]/);
      }
    });

  it('is refused where the previous value is a list, or the file has errors', () => {
    const list = MEASURE.replace('sql: amount', 'meta:\n          ai_context:\n            - Old\n        sql: amount');
    assert.equal(inYaml(list, 'ai_context'), undefined);
    assert.equal(inYaml(MEASURE.replace('sql: amount', 'meta: text'), 'ai_context'), undefined);
    assert.equal(inYaml('cubes:\n  - ‸name: a\n   sql: b\n', 'description'), undefined);
  });
});

describe('a hint in a JavaScript model', () => {
  const file = (member: string): string =>
    `cube('orders', {\n  measures: {\n    // Money\n    revenue: ‸${member},\n    count: { type: \`count\` },\n  },\n});\n`;
  const OBJECT = '{\n      sql: `amount`, // net\n      type: `sum`,\n    }';
  const literal = `\`${HINT}\``;

  for (const [what, key, before, after] of [
    ['a new description', 'description', OBJECT, OBJECT.replace('{', `{\n      description: ${literal},`)],
    ['a new meta', 'ai_context', OBJECT, OBJECT.replace('{', `{\n      meta: { ai_context: ${literal} },`)],
    ['a description on one line', 'description', '{ type: `count` }', `{ description: ${literal}, type: \`count\` }`],
    ['a description in an empty object', 'description', '{}', `{description: ${literal}}`],
    [
      'a description below a comment',
      'description',
      '{ // net\n      type: `sum`\n    }',
      `{ // net\n      description: ${literal},\n      type: \`sum\`\n    }`,
    ],
    ['in place of a template', 'description', '{ description: `Old` }', `{ description: ${literal} }`],
    ['in place of a string', 'description', "{ description: 'Old' }", `{ description: '${HINT}' }`],
    [
      'in an existing meta',
      'ai_context',
      "{ meta: { unit: 'EUR' } }",
      `{ meta: { ai_context: ${literal}, unit: 'EUR' } }`,
    ],
    ['in place of another', 'ai_context', '{ meta: { "ai_context": "Old" } }', `{ meta: { "ai_context": "${HINT}" } }`],
  ] as const)
    it(`is ${what}`, () => {
      assert.equal(inJs(file(before), key), file(after).replace('‸', ''));
    });

  it('is escaped, so that it evaluates to the hint', () => {
    const hint = 'a `b` ${c} \\d "e" \'f\' -- g';
    for (const object of [OBJECT, "{ description: 'Old' }", '{ description: "Old" }', '{ description: `Old` }']) {
      const after = inJs(file(object), 'description', hint) ?? assert.fail();
      let found: string | undefined;
      const cube = (_: string, body: { measures: { revenue: { description: string } } }): unknown =>
        (found = body.measures.revenue.description);
      new Function('cube', after)(cube);
      assert.equal(found, hint, after);
    }
  });

  it('is refused where the previous value is code', () => {
    for (const value of ['text', '`a ${b}`', "'a' + b", '() => 1'])
      assert.equal(inJs(file(`{ description: ${value} }`), 'description'), undefined);
    assert.equal(inJs(file('{ meta: shared }'), 'ai_context'), undefined);
  });
});

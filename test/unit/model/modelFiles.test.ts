/** What counts as a change in the code of JavaScript and in the anchors of YAML. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { changes, JS, YAML } from './support.ts';

describe('the code of a cube in JavaScript', () => {
  const cube = (body: string): string => `cube('orders', {\n${body}\n});`;
  const measure = (sql: string): string => cube(`  measures: { revenue: { sql: ${sql}, type: 'sum' } },`);

  it('means the same with other comments, layout and quotes', () => {
    for (const [before, after] of [
      [measure('`amount`'), measure('/* net */ `amount`')],
      [
        cube("  sql: 'a', measures: { b: { sql: 'c' } }"),
        cube('  "sql": "a",\n  // x\n  "measures": { \'b\': { sql: "c" } }'),
      ],
      [measure('`a` + f( b,c )'), measure('`a`+f(b, c)')],
    ] as const)
      assert.deepEqual(changes(before, after, JS), []);
  });

  it('is changed in text, in templates and in calls', () => {
    for (const [before, after] of [
      [measure("'a'"), measure("'b'")],
      [measure('`a ${ b }`'), measure('`a ${ c }`')],
      [measure('f(a)'), measure('f(b)')],
      [measure('() => `a ${ b }`'), measure('() => `c ${ b }`')],
    ] as const)
      assert.deepEqual(changes(before, after, JS), ['changed orders.revenue']);
  });

  it('is changed with the code around it', () => {
    const around = (text: string): string => `const table = ${text};\n${measure('`${table}.a`')}`;
    for (const [before, after] of [
      ['other(1)', 'other(2)'],
      ['`a ${ b }`', '`c ${ b }`'],
    ] as const)
      assert.deepEqual(changes(around(before), around(after), JS), ['changed orders.revenue']);
    assert.deepEqual(changes(around('/* one */ x'), around('x // two\n'), JS), []);
  });

  it('is changed with a spread, a method or a shorthand in it', () => {
    for (const [before, after] of [
      ['...base', '...other'],
      ['sql() { return 1; }', 'sql() { return 2; }'],
      ['sql', 'type'],
    ] as const)
      assert.deepEqual(changes(cube(`  measures: { a: { ${before} } }`), cube(`  measures: { a: { ${after} } }`), JS), [
        'changed orders.a',
      ]);
  });
});

describe('anchors of a YAML model', () => {
  const merged = (format: string, own = ''): string =>
    `defaults: &money\n  format: ${format}\n  type: sum\ncubes:\n  - name: orders\n    measures:\n` +
    `      - <<: *money\n        name: revenue\n${own}      - name: count\n        type: count\n`;

  it('change the members that merge them, unless these override the key', () => {
    assert.deepEqual(changes(merged('currency'), merged('percent'), YAML), ['changed orders.revenue']);
    const own = '        format: number\n';
    assert.deepEqual(changes(merged('currency', own), merged('percent', own), YAML), []);
  });

  it('mean the same as their content', () => {
    const plain = 'cubes:\n  - name: orders\n    measures:\n      - {name: a, type: sum}\n';
    const alias = 'x: &a {type: sum}\ncubes:\n  - name: orders\n    measures:\n      - {<<: *a, name: a}\n';
    const list = 'x: &a {type: sum}\ncubes:\n  - name: orders\n    measures:\n      - {<<: [*a], name: a}\n';
    for (const other of [alias, list])
      assert.deepEqual(
        changes(plain, other, YAML).filter((line) => line.includes('orders')),
        [],
      );
  });

  it('may contain each other and expand exponentially', () => {
    const lists = Array.from({ length: 30 }, (_, n) => `x${n + 1}: &x${n + 1} [${`*x${n}, `.repeat(9)}]`);
    const bomb = `loop: &loop [*loop, *loop]\nx0: &x0 [a]\n${lists.join('\n')}\n`;
    assert.deepEqual(changes(merged('currency'), bomb + merged('percent'), YAML), ['changed orders.revenue']);
  });
});

/** The bounds of expressions and data, from which the guard knows that a chart can be drawn in time. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { boundsOf, either, FieldBounds, none, row, rowsIn, scalar } from '../../../../src/shared/chart/guard/bounds.ts';
import { checkExpression, type Scope } from '../../../../src/shared/chart/guard/expression.ts';
import type { Bounds } from '../../../../src/shared/chart/guard/bounds.ts';

const fields: Record<string, Bounds> = {
  /** Numbers from -2 to 5. */
  n: { ...scalar, low: -2, high: 5, distinct: 8 },
  /** Texts of up to ten characters. */
  t: { ...scalar, text: 10, distinct: 3 },
  /** Lists of up to six values. */
  l: { ...scalar, text: 60, items: 6 },
};
const scope: Scope = {
  field: (name = '') => fields[name] ?? row,
  datum: row,
  signal: (name) => ({ ...scalar, low: 0, high: name === 'width' ? 300 : Infinity }),
  rows: () => ({ ...scalar, items: 90, text: 900 }),
  handler: false,
};
const boundsIn = (text: string): Bounds => checkExpression(text, scope).bounds;

describe('an expression', () => {
  it('has the range and the number of values of its numbers', () => {
    const expressions: [text: string, low: number, high: number, distinct: number][] = [
      ['3', 3, 3, 1],
      ['-3', -3, -3, 1],
      ['datum.n', -2, 5, 8],
      ['width', 0, 300, 1],
      ['datum.n + 1', -1, 6, 8],
      ['datum.n - 1', -3, 4, 8],
      ['1 - datum.n', -4, 3, 8],
      ['datum.n / 2', -1, 2.5, 8],
      ['datum.n / -2', -Infinity, Infinity, 8],
      ['datum.n * 2', -Infinity, Infinity, 8],
      ['-datum.n', -5, 2, 8],
      ['+datum.n', -2, 5, 8],
      ['!datum.n', 0, 1, 2],
      ['datum.n > 1', 0, 1, 2],
      ['datum.n === 1', 0, 1, 2],
      ['datum.n <= 1', 0, 1, 2],
      ['datum.n + datum.n', -4, 10, 64],
      ['1 ? datum.n : 9', -2, 9, 9],
      ['datum.n && 7', -2, 7, 9],
      ['datum.n || 7', -2, 7, 9],
      ['datum.t.length', 0, 10, 1],
      ['datum.l.length', 0, 6, 1],
      ['length(datum.t)', 0, 10, 3],
      ['length(datum.l)', 0, 6, 1],
      ['test(/a/, datum.t)', -Infinity, Infinity, 2],
      ['test("a")', -Infinity, Infinity, 2],
      ['regexp("a")', -Infinity, Infinity, 2],
      ['clamp(datum.n, 0, 3)', -2, 5, 10],
      ['vlSelectionTest("x", datum)', -Infinity, Infinity, 2],
      ['now()', -Infinity, Infinity, Infinity],
      ['abs(datum.n)', -Infinity, Infinity, 8],
      ['isValid(datum.t)', -Infinity, Infinity, 2],
      ['atan2(datum.n, datum.n)', -Infinity, Infinity, 64],
    ];
    for (const [text, ...expected] of expressions) {
      const { low, high, distinct, text: length, items } = boundsIn(text);
      assert.deepEqual([low, high, distinct, length, items], [...expected, 0, 0], text);
    }
  });

  it('has the length and the number of its texts', () => {
    const expressions: [text: string, length: number, distinct: number][] = [
      ['"abc"', 3, 1],
      ['/a.c/', 5, 1],
      ['true', 4, 1],
      ['datum["t"]', 10, 3],
      ['datum.t + "ab"', 12, 3],
      ['datum.t + 1', 42, 3],
      ['datum.t + datum.t', 20, 9],
      ['{a: datum.t, b: 1}', 42, 3],
      ['{a: datum.l}.a', 60, 1],
      ['pad(datum.t, 9, "xy")', 28, 3],
      ['pad(datum.n, 9)', 320, 8],
      ['join(datum.l, ", ")', 72, 1],
      ['join(datum.l)', 252, 1],
      ['replace(datum.t, "a", "bcd")', 13, 3],
      ['replace(datum.t, /a/g, "bcd")', 43, 3],
      ['replace(datum.t, /a/g, "")', 10, 3],
      ['replace(datum.t, "a", "$`")', 22, 3],
      ['replace(datum.t, "a", datum.t)', 30, 9],
      ['format(datum.n, ".2f")', 446, 8],
      ['format(datum.n, datum.t)', 670, 24],
      ['timeFormat(datum.n)', 1374, 8],
      ['upper(datum.t)', 10, 3],
      ['if(1, datum.n, datum.t)', 10, 12],
      ['monthFormat(1)', 382, 1],
      ['truncate(datum.t, 5)', 392, 3],
      ['btoa(datum.t)', 90, 3],
      ['scale("x", datum.t)', 200, 3],
    ];
    for (const [text, ...expected] of expressions) {
      const { text: length, distinct, items } = boundsIn(text);
      assert.deepEqual([length, distinct, items], [...expected, 0], text);
    }
  });

  it('has the elements of its lists', () => {
    const expressions: [text: string, items: number, length: number, low: number, high: number, distinct: number][] = [
      ['datum.l', 6, 60, -Infinity, Infinity, 1],
      ['[1, 2, datum.n]', 3, 96, -2, 5, 8],
      ['[datum.t, datum.l]', 6, 70, -Infinity, Infinity, 3],
      ['[datum.t][0]', 1, 10, -Infinity, Infinity, 3],
      ['datum.l[0]', 6, 60, -Infinity, Infinity, 1],
      ['sequence(4)', 4, 128, 0, 4, Infinity],
      ['sequence(2, 6)', 4, 128, 2, 6, Infinity],
      ['sequence(6, 2)', 4, 128, 2, 6, Infinity],
      ['sequence(0, 10, 2)', 5, 160, 0, 10, Infinity],
      ['sequence(0, 10, -2)', 5, 160, 0, 10, Infinity],
      ['sequence(datum.n, 3)', 5, 160, -2, 5, Infinity],
      ['sequence(width)', 300, 9600, 0, 300, Infinity],
      ['split(datum.t, ",")', 11, 21, -Infinity, Infinity, 3],
      ['split(datum.t, /,/)', 11, 21, -Infinity, Infinity, 3],
      ['slice(datum.l, 1)', 6, 60, -Infinity, Infinity, 2],
      ['domain("x")', 5000, 5000, -Infinity, Infinity, 1],
      ['data("x")', 90, 900, -Infinity, Infinity, 1],
      ['panLinear(datum.l, 1)', 4, 128, -Infinity, Infinity, 1],
    ];
    for (const [text, ...expected] of expressions) {
      const { items, text: length, low, high, distinct } = boundsIn(text);
      assert.deepEqual([items, length, low, high, distinct], expected, text);
    }
  });

  it('takes longer the more parts, texts and elements it has', () => {
    const time = (text: string): number => checkExpression(text, scope).time;
    for (const [less, more] of [
      ['1', '1 + 1'],
      ['datum.n', 'datum.t'],
      ['datum.t', 'datum.l'],
      ['slice(datum.t, 1)', 'slice(datum.l, 1)'],
      ['test(/a/, datum.n)', 'test(/a*/, datum.n)'],
      ['test(/a*/, datum.n)', 'test(/a*b?/, datum.n)'],
      ['isValid(datum)', 'vlSelectionTest("x", datum)'],
    ] as const)
      assert.ok(time(more) > time(less), `${less} and ${more}`);
  });

  it('may look up only literal names, and none of a handler', () => {
    for (const text of [
      'data(datum.t)',
      'scale(datum.t, 1)',
      'modify("x_store")',
      'item()',
      'x()',
      'datum.t.toString()',
    ])
      assert.throws(() => boundsIn(text), { kind: 'refused' }, text);
    const inHandler = (text: string) => checkExpression(text, { ...scope, handler: true });
    assert.equal(inHandler('item()').bounds.opaque, true);
    assert.doesNotThrow(() => inHandler('modify("x_store")'));
    assert.throws(() => inHandler('modify("rows")'), { kind: 'refused' });
  });

  it('may not have a pattern that matches a text in too many ways', () => {
    for (const text of [
      'test(/a*b*c*d*e*/, datum.n)',
      'test(/(a|b)+c/, "x")',
      'test(/(a+)+/, "x")',
      'split(datum.t, datum.t)',
    ])
      assert.throws(() => boundsIn(text), { kind: 'refused' }, text);
    for (const text of [
      'test(/[a*b*c*]d*/, datum.n)',
      'test(/\\*\\*\\*\\*a/, datum.n)',
      'test(/(?:ab)*c/, "x")',
      'test(/(?<!a)b*?/, datum.n)',
    ])
      assert.doesNotThrow(() => boundsIn(text), text);
  });
});

describe('the bounds of values', () => {
  it('contain every number, text, date and list', () => {
    const values: [values: unknown[], low: number, high: number, text: number, items: number, distinct: number][] = [
      [[1, '2', -3], -3, 2, 1, 0, 3],
      [[1, 1, '1'], 1, 1, 1, 0, 2],
      [['2024-01-01', '1970-01-01'], 0, 1_704_067_200_000, 10, 0, 2],
      [['text'], -Infinity, Infinity, 4, 0, 1],
      [[[1, 5], [1, 5], [2]], 1, 5, 5, 2, 2],
      [[{ a: [1, 2, { b: [1, 2, 3, 4] }] }], -Infinity, Infinity, 27, 4, 1],
      [[null, true], 0, 1, 0, 0, 2],
      [[], Infinity, -Infinity, 0, 0, 0],
    ];
    for (const [of, low, high, text, items, distinct] of values)
      assert.deepEqual(boundsOf(of), { ...none, low, high, text, items, distinct }, JSON.stringify(of));
  });

  it('are combined to the widest', () => {
    assert.deepEqual(
      either({ ...fields.n! }, { ...fields.t!, low: 0, high: 9 }, { ...fields.l!, low: 1, high: 1, opaque: true }),
      {
        ...{ low: -2, high: 9, text: 60, items: 6, distinct: 12, opaque: true },
      },
    );
    assert.deepEqual(either(), { ...none, opaque: false });
  });

  it('of a field are those of its column, or of its path', () => {
    const known = new FieldBounds([{ a: 1, 'b.c': 5, d: [1, 2] }, { a: 3 }, 'text', 7]);
    const parts = ({ low, high, text, items, distinct }: Bounds): unknown[] => [low, high, text, items, distinct];
    const missing = boundsOf([1, 3, undefined, undefined]);
    assert.deepEqual(known.of('a'), missing);
    assert.deepEqual(known.of({ field: 'a' }), missing);
    assert.deepEqual(known.of('b\\.c'), boundsOf([5, undefined]));
    assert.deepEqual(known.of('d.length'), known.of('d'));
    assert.deepEqual(parts(known.of('z')), [-Infinity, Infinity, 5, 2, Infinity], 'the widest of all');
    known.set('a', { ...scalar, low: 0, high: 9, text: 3, distinct: 2 });
    assert.deepEqual(parts(known.of('a')), [-Infinity, Infinity, 3, 0, 3]);
    known.set('new', fields.n!);
    assert.deepEqual(known.of('new'), fields.n);
    const data = { rows: 5, copies: 2, source: [] };
    assert.deepEqual(
      [known.groups(['new'], data), known.groups(['new', 'a'], data), known.groups(undefined, data)],
      [10, 30, 2],
    );
  });

  it('are those of rows that are up to three objects deep', () => {
    assert.deepEqual(rowsIn({ a: { b: { c: { rows: [1] } } } }, { property: 'rows' }), [1]);
    assert.deepEqual(rowsIn({ a: { b: { c: { d: { rows: [1] } } } } }, { property: 'rows' }), []);
    assert.deepEqual(rowsIn({ rows: 1 }, { property: 'rows' }), [1]);
  });
});

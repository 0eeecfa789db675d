/** The bounds and the cost of expressions, from which the guard knows that a chart can be drawn in time. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { checkExpression } from '../../../../src/shared/chart/guard/expression.ts';
import { boundsIn, scope } from '../support/expressions.ts';

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
      ['datum.n !== 1', 0, 1, 2],
      ['datum.n == 1', 0, 1, 2],
      ['datum.n << 1', -Infinity, Infinity, 8],
      ['datum.t - 1', -Infinity, Infinity, 3],
      ['6 / (1 ? 2 : 3)', -Infinity, Infinity, 2],
      ['0 / 0', -Infinity, Infinity, 1],
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
      ['datum.d + 1', 33, 1],
      ['datum.t + datum.t', 20, 9],
      ['{a: datum.t, b: 1}', 42, 3],
      ['{a: datum.l}.a', 60, 1],
      ['pad(datum.t, 9, "xy")', 28, 3],
      ['pad(datum.n, 9)', 320, 8],
      ['join(datum.l, ", ")', 72, 1],
      ['join(datum.l)', 252, 1],
      ['replace(datum.t, "a", "bcd")', 13, 3],
      ['replace(datum.t, /a/g, "bcd")', 43, 3],
      ['replace(datum.t, regexp("a"), "bcd")', 43, 6],
      ['replace(datum.t, "a", -5)', 52, 3],
      ['replace(datum.t, /a/g, "")', 10, 3],
      ['replace(datum.t, "a", "$`")', 22, 3],
      ['replace(datum.t, "a", datum.t)', 30, 9],
      ['format(datum.n, ".2f")', 446, 8],
      ['timeFormat(datum.n, datum.t)', 670, 24],
      ['timeFormat(datum.n)', 1374, 8],
      ['timeUnitSpecifier(["year"], {year: datum.t})', 120, 3],
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

  it('takes time for each of its parts, its texts, its elements and its functions', () => {
    const times: [text: string, microseconds: number][] = [
      ['1', 0.15],
      ['datum.n', 0.15],
      ['"abc"', 0.153],
      ['datum.t', 0.16],
      ['datum.l', 0.222],
      ['1 + datum.t', 0.15 + 0.16 + 0.192],
      ['datum[1]', 0.15],
      ['datum[datum.n]', 0.3],
      ['slice(datum.l, 1)', 0.222 + 0.15 + 0.2 + 0.222],
      ['test("ab", datum.t)', 0.152 + 0.16 + 11 / 200 + 0.15],
      ['test(/a*b?/, datum.t)', 0.156 + 0.16 + (2 * 11 ** 2) / 200 + 0.15],
      ['vlSelectionTest("x", datum)', 0.151 + 0.15 + 90 * 0.3 + 0.15],
      ...['timeFormat', 'utcFormat'].map((name): [string, number] => [`${name}(1, datum.t)`, 0.15 + 0.16 + 4 + 0.82]),
      ...['timeParse', 'utcParse'].map((name): [string, number] => [`${name}(1, datum.t)`, 0.15 + 0.16 + 1 + 0.15]),
    ];
    for (const [text, microseconds] of times)
      assert.equal(checkExpression(text, scope).time.toFixed(6), microseconds.toFixed(6), text);
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
});

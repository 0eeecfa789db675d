import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { parseExpression } from 'vega-expression';
import { expressionInterpreter } from 'vega-interpreter';
import { interpreter } from '../../../../webview/chart/interpreter.ts';

type Interpreter = typeof interpreter;

/** @returns an item that was encoded twice, and whether each encoding changed it */
function encoded(by: Interpreter, marktype: string, code: Readonly<Record<string, string>>): unknown {
  const channels = Object.fromEntries(
    Object.entries(code).map(([name, expression]) => [name, { ast: parseExpression(expression) as never }]),
  );
  const encode = by.encode({ functions: {} }, { marktype, channels });
  const item = { datum: { a: 7 }, fill: 'red', x: 1 };
  const changes = [encode(item, { $b: 3 }), encode(item, { $b: 3 })];
  return { item, changes };
}

describe('encodings without eval', () => {
  const encodings: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ['text', { align: '"right"', text: 'datum.a', fontSize: '10', opacity: '0', limit: 'b * 2' }],
    ['rect', { x: '9', x2: '2', y: '5', y2: 'datum.a', height: '3', fill: '"red"' }],
    ['group', { width: '40', xc: '100', yc: 'b', height: '6' }],
    ['symbol', { fill: 'null', shape: 'item.x', stroke: '/a/g', size: '-1' }],
    ['rule', { x: '1', x2: '4' }],
    ['rule', { fill: '"red"', x: '1' }],
  ];
  for (const [marktype, code] of encodings) {
    it(`set the same channels of a ${marktype} as the library’s interpreter: ${Object.keys(code).join(', ')}`, () => {
      const expected = encoded(expressionInterpreter as Interpreter, marktype, code);
      assert.deepEqual(encoded(interpreter, marktype, code), expected);
    });
  }
});

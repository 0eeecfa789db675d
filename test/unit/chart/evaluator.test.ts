import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { parseExpression } from 'vega';
import { expressionInterpreter } from 'vega-interpreter';
import { limits } from '../../../src/shared/chart/limits.ts';
import { Budget } from '../../../webview/chart/budget.ts';
import { evaluator, type Node } from '../../../webview/chart/evaluator.ts';
import { checkPattern } from '../../../webview/chart/patterns.ts';

const parse = (expression: string): Node => parseExpression(expression) as unknown as Node;
const functions = { double: (value: number) => value * 2, list: () => [3, 1, 2] };
const datum = { a: 2, b: 'text', 'c d': { e: [1, 2, 3] }, when: 1_700_000_000_000, nothing: null };
const parameters = { $width: 300 };

const ours = (expression: string): unknown =>
  evaluator(parse(expression), { functions })({ datum, item: { x: 5 }, parameters });
const library = expressionInterpreter as unknown as {
  parameter(context: object, expression: object): (datum: unknown, parameters: object) => unknown;
};
const theirs = (expression: string): unknown =>
  library.parameter({ functions }, { ast: parse(expression) })(datum, parameters);

describe('expressions in charts', () => {
  for (const expression of [
    '1 + 2 * 3 - 4 / 5 % 6',
    "datum.a + datum['b'] + datum['c d'].e[1]",
    'datum.a > 1 && datum.b || null',
    'datum.nothing == null ? "none" : "some"',
    '!datum.a === false',
    '-datum.a + +"3" + ~4',
    '(5 & 6) | (7 ^ 8) << 2 >> 1 >>> 1',
    '[1, datum.a, [width]]',
    "{a: 1, 'b c': datum.b, d: {e: width}}",
    'if(datum.a > 1, "big", "small")',
    'double(datum.a) + max(1, 2, abs(-3)) + floor(2.7) + sqrt(16)',
    'sort(list())',
    'upper(trim("  x ")) + substring("abcdef", 1, 3)',
    'year(datum.when) + month(datum.when)',
    'test(/te./, datum.b)',
    'isFinite(datum.a) && !isNaN(datum.a) && isFinite(1 / 0)',
    'PI * E + LN2',
    'unknownSignal',
    'split("a,b", ",")',
  ]) {
    it(`mean what they mean elsewhere: ${expression}`, () => {
      assert.deepEqual(ours(expression), theirs(expression));
    });
  }

  it('read a single number as a time', () => {
    assert.equal(Number(ours('datetime(1500000000000)')), 1_500_000_000_000);
    assert.equal(Number(ours('datetime(2024, 2, 1)')), Number(new Date(2024, 2, 1)));
  });

  it('make texts of some length only, one by one and together', () => {
    const budget = new Budget();
    const make = (expression: string): unknown =>
      evaluator(parse(expression), { functions }, (_name, _values, made) => {
        if (typeof made === 'string') budget.text(made);
      })({ datum: { long: 'x'.repeat(limits.text) } });
    assert.throws(() => make("datum.long + 'x'"), /more than is drawn/);
    const texts = limits.characters / limits.text;
    budget.start(60_000);
    make(`[${Array(texts).fill('upper(datum.long)').join(',')}]`);
    assert.throws(() => make("'x' + 'y'"), /more than is drawn/);
  });

  it('make no text of lists that hold one another over and over', () => {
    let datum: unknown[] = ['x'];
    for (let depth = 0; depth < 60; depth++) datum = [datum, datum];
    for (const expression of ["datum + ''", 'datum < 3', '-datum', 'upper(datum)', '{a: 1}[datum]', 'abs(datum)']) {
      assert.throws(() => evaluator(parse(expression), { functions })({ datum }), /more than is drawn/, expression);
    }
  });

  it('get no function in their hands', () => {
    for (const expression of [
      'datum.constructor',
      "datum['constructor']",
      'datum.b.constructor',
      'datum.b.constructor.constructor',
      'datum.toString',
      '[].map',
      "datum['__proto__'].constructor",
    ]) {
      let value: unknown;
      try {
        value = ours(expression);
      } catch (error) {
        assert.ok(error instanceof TypeError);
      }
      assert.notEqual(typeof value, 'function', expression);
    }
  });

  it('call nothing but the functions they are given', () => {
    for (const expression of [
      'constructor(1)',
      'toString()',
      'hasOwnProperty("a")',
      'eval("1")',
      'Function("return 1")()',
    ]) {
      assert.throws(() => ours(expression), Error, expression);
    }
  });

  it('make objects without reaching their prototype', () => {
    const made = ours('{__proto__: {hacked: 1}, constructor: 2}') as object;
    assert.equal(Object.getPrototypeOf(made), Object.prototype);
    assert.equal('hacked' in {}, false);
  });
});

describe('patterns in charts', () => {
  it('pass when they cannot run away', () => {
    for (const pattern of [
      /^a+b*$/,
      /(\d+)-(\w+)/,
      /[(+*]{2}x/,
      /(?:ab|cd)x/,
      '^\\(.+\\)$',
      /^(?:abc){2,3}$/,
      /^https?:\/\/(?:www\.)?(?<host>[^/]+?)(?=\/|$)/,
      /^-?(?:abc)+?$/,
      /(\d+)-(\d+)-(\d+)T/,
    ]) {
      assert.doesNotThrow(() => checkPattern(pattern, 'x'.repeat(100)), String(pattern));
    }
  });

  it('are refused when a repeated group repeats or branches inside, or the text is too long for them', () => {
    for (const pattern of [/^(a+)+$/, /(a|a)*b/, /((a*)b?)*c/, /(?:(?:a+)b)+/, /^(([a-z])+.)+[A-Z]([a-z])+$/]) {
      assert.throws(() => checkPattern(pattern, 'aaaa'), /too long/, String(pattern));
    }
    for (const pattern of [/(a?a?)+b/, /([ab]?a?)*c/, /(?:a??b?)*c/, /(?<name>a?)+b/, `${'a?'.repeat(40)}b`]) {
      assert.throws(() => checkPattern(pattern, 'aaaa'), /too long/, String(pattern));
    }
    assert.throws(() => checkPattern(/.*.*.*x/, 'a'.repeat(5_000)), /too long/);
    for (const pattern of ['a*a*b', /(a*)\1b/, /(?<n>a*)\k<n>b/, /^a*a*b/m, /x|^a*a*b/]) {
      assert.throws(() => checkPattern(pattern, 'a'.repeat(3_000)), /too long/, String(pattern));
    }
    assert.throws(() => checkPattern('a'.repeat(1_000), ''), /too long/);
    assert.throws(() => checkPattern('['.repeat(1_000_000), ''), /too long/);
  });
});

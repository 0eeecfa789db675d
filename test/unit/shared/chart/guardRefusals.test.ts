/** Expressions that a chart may not have. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { opaque } from '../../../../src/shared/chart/guard/bounds.ts';
import { checkExpression } from '../../../../src/shared/chart/guard/expression.ts';
import { boundsIn, scope } from '../support/expressions.ts';

describe('an expression', () => {
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

  it('may read only safe properties of events and scene items, and do nothing else with them', () => {
    for (const [text, isOpaque] of [
      ['event', true],
      ['item', true],
      ['event.shiftKey', false],
      ['event["key"]', false],
      ['event.item', true],
      ['item.mark', true],
      ['item.mark.items[12]', true],
      ['item.mark.name', false],
      ['item.datum', false],
      ['event || 1', true],
      ['event && 1', false],
      ['event ? 1 : 2', false],
      ['!event', false],
      ['event == item', false],
      ['inScope(event)', false],
      ['isTuple(item)', false],
    ] as const)
      assert.equal(boundsIn(text).opaque ?? false, isOpaque, text);
    assert.equal(boundsIn('item.datum.n').high, 5);
    for (const [text, words] of [
      ['event.view', /“event\.view”/],
      ['item["context"]', /“event\.context”/],
      ['item.itemx', /“event\.itemx”/],
      ['event[datum.t]', /“event\.…”/],
      ['datum[event]', /“event”/],
      ['[event]', /“event”/],
      ['{a: item}', /“event”/],
      ['event + 1', /“event”/],
      ['1 < event', /“event”/],
      ['-event', /“event”/],
      ['isValid(event)', /“event”/],
      ['upper(item.mark)', /“event”/],
    ] as const)
      assert.throws(() => boundsIn(text), { kind: 'refused', message: words }, text);
    for (const text of ['[event]', 'isValid(event)', '{a: item}'])
      assert.doesNotThrow(() => checkExpression(text, { ...scope, handler: true }), text);
    const ofMarks = { ...scope, datum: opaque };
    assert.throws(() => checkExpression('datum.n', ofMarks), { message: /“event\.n”/ });
    assert.equal(checkExpression('datum', ofMarks).bounds.opaque, true);
    assert.equal(boundsIn('datum').row, true);
  });

  it('may not reach code through inherited properties, methods and computed names', () => {
    for (const [text, words] of [
      ['datum.constructor', /“constructor”/],
      ['datum["prototype"]', /“prototype”/],
      ['{toString: 1}', /“toString”/],
      ['{"valueOf": 1}', /“valueOf”/],
      ['{[datum.t]: 1}', /isn’t supported|can’t be parsed/],
      ['datum.t.toString()', /“\.toString\(\)”/],
      ['datum["t"]()', /“\.…\(\)”/],
      ['(1)()', /“\.…\(\)”/],
      ['fetch() ? 1 : 2', /“fetch”/],
      ['a_bs(1)', /“a_bs”/],
    ] as const)
      assert.throws(() => boundsIn(text), { message: words }, text);
    for (const text of ['{"a b": 1}', '_abs(1)', 'datum[0]']) assert.doesNotThrow(() => boundsIn(text), text);
  });

  it('may not be invalid, or have texts and lists that are too long', () => {
    assert.throws(() => boundsIn('datum.'), { kind: 'invalid', message: /can’t be parsed: ./ });
    for (const [text, words] of [
      [`"${'x'.repeat(50_001)}"`, /“text: 50,001”/],
      ['datum.long', /“list: 5,001”/],
      ['sequence(5001)', /“sequence: 5,001”/],
      ['sequence(0, 1, datum.n)', /“sequence: ∞”|“sequence: /],
      ['pad("", 1001)', /“pad: 1,001”/],
    ] as const)
      assert.throws(() => boundsIn(text), { kind: 'tooLarge', message: words }, text);
    for (const text of [`"${'x'.repeat(50_000)}"`, 'sequence(5000)', 'pad("", 1000)', 'format(1, "999d")'])
      assert.doesNotThrow(() => boundsIn(text), text.slice(0, 30));
  });

  it('may format a number only by a literal whose width has at most three digits', () => {
    for (const format of ['"1000d"', '1000', '-1000', '"1" + "00000000"', 'datum.t', '1 ? "400000000" : ""'])
      assert.throws(() => boundsIn(`format(1, ${format})`), { kind: 'refused', message: /“format”/ }, format);
    assert.doesNotThrow(() => boundsIn('utcFormat(1, timeUnitSpecifier(["year"], {year: "%Y"}))'));
  });

  it('may not have a pattern that matches a text in too many ways', () => {
    for (const text of [
      'test(/a*b*c*d*e*/, datum.n)',
      'test(/(a|b)+c/, "x")',
      'test(/(a+)+/, "x")',
      'split(datum.t, datum.t)',
      'test(regexp("(a+)+"), "x")',
      'test(regexp(datum.t), "x")',
      'test(regexp(), "x")',
      'replace(datum.t, upper("a"), "b")',
      'test(null, "x")',
      `test("${'a'.repeat(201)}", "x")`,
      'test(/a*\\1b*\\k<c>d*/, datum.n)',
    ])
      assert.throws(() => boundsIn(text), { kind: 'refused' }, text);
    for (const text of [
      'test(/[a*b*c*]d*/, datum.n)',
      'test(/\\*\\*\\*\\*a/, datum.n)',
      'test(/(?:ab)*c/, "x")',
      'test(/(?<!a)b*?/, datum.n)',
      'test(/(?<=a)(?:b)(?=c)(?!d)e*/, datum.n)',
      'test(/a*?b*?c*?d?/, datum.n)',
      'test(regexp("a*b"), "x")',
      `test("${'a'.repeat(200)}", "x")`,
    ])
      assert.doesNotThrow(() => boundsIn(text), text);
  });
});

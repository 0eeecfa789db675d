import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { changeOf, sumOf } from '../../../src/compare/change.ts';
import { runs } from '../insert/arbitrarySql.ts';

describe('the sum of numbers', () => {
  for (const [numbers, sum] of [
    [[], '0'],
    [['0.1', '0.2'], '0.3'],
    [['1e2', '0.50', '+1'], '101.50'],
    [['-1', '0.25'], '-0.75'],
    [['9007199254740993', '-1'], '9007199254740992'],
    [['1', 'a'], undefined],
    [['a'], undefined],
  ] as const)
    it(`${numbers.join(' + ')} is ${sum}`, () => assert.equal(sumOf(numbers), sum));
});

describe('the change of a number', () => {
  for (const [from, to, absolute, percent] of [
    ['250.5', '200.25', '-50.25', '-20.06'],
    ['1', '3', '2', '200.00'],
    ['3', '4', '1', '33.33'],
    ['-10', '5', '15', '150.00'],
    ['9007199254740993', '9007199254740992', '-1', '0.00'],
    ['0.1', '0.3', '0.2', '200.00'],
    ['1e3', '1500', '500', '50.00'],
    ['1E-3', '.002', '0.001', '100.00'],
    ['+5', '-5', '-10', '-200.00'],
    ['80000', '80004', '4', '0.01'],
    ['80000', '79996', '-4', '-0.01'],
    ['-80000', '-79996', '4', '0.01'],
    ['300', '301', '1', '0.33'],
    ['0', '5', '5', undefined],
    ['0.00', '-5', '-5.00', undefined],
  ] as const) {
    it(`${from} → ${to}`, () =>
      assert.deepEqual(changeOf(from, to), { absolute, ...(percent === undefined ? {} : { percent }) }));
  }

  it('is undefined for other values, and for numbers that take too long to compute', () => {
    for (const [from, to] of [
      ['a', '1'],
      ['1', 'a'],
      ['', '1'],
      ['NaN', '1'],
      ['1e999999999', '1'],
    ] as const)
      assert.equal(changeOf(from, to), undefined);
  });

  it('has up to 400 digits', () => {
    assert.equal(changeOf('1', '9'.repeat(400))?.absolute, `${'9'.repeat(399)}8`);
    assert.equal(changeOf('1', '9'.repeat(401)), undefined);
    assert.equal(changeOf('0', '1e199')?.absolute.length, 200);
    for (const long of ['1e400', '1e-400', `0.${'1'.repeat(200)}`]) assert.equal(changeOf('1', long), undefined);
  });

  it('is exact: left and change give right', () => {
    const cents = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
    const text = (units: bigint): string =>
      `${units < 0n ? '-' : ''}${String(units < 0n ? -units : units)
        .padStart(3, '0')
        .replace(/(..)$/, '.$1')}`;
    fc.assert(
      fc.property(cents, cents, (a, b) => {
        const { absolute } = changeOf(text(a), text(b))!;
        assert.equal(BigInt(absolute.replace('.', '')), b - a);
      }),
      runs,
    );
  });
});

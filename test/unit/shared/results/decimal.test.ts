import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { compareNumeric, fitsDouble, isNumeric, parseDecimal } from '../../../../src/shared/results/decimal.ts';

describe('decimal numbers', () => {
  it('are ordered by their exact value', () => {
    const ordered = [
      ...['-1e20', '-10', '-9.5', '-1', '-0.1', '0', '1e-30', '0.009', '0.1', '0.11', '0.2', '1', '9', '10', '11'],
      ...['1e2', '105', '1.1e2', '12345678901234567890', '12345678901234567891', '1e300'],
    ];
    for (const [at, a] of ordered.entries())
      for (const [other, b] of ordered.entries())
        assert.ok(Math.sign(compareNumeric(a, b)) === Math.sign(at - other), `${a} and ${b}`);
  });

  it('are equal in every notation', () => {
    for (const [a, b] of [
      ['1', '1.0'],
      ['1', '+1.'],
      ['0', '-0'],
      ['0.00', '0e5'],
      ['1e2', '100'],
      ['100', '1E+2'],
      ['.5', '0.50'],
      ['007', '7'],
      ['1e-2', '.01'],
      ['1050', '1.05e3'],
    ] as const)
      for (const sign of ['', '-'])
        assert.ok(compareNumeric(sign + a.replace(/^[+-]/, ''), sign + b.replace(/^[+-]/, '')) === 0, `${sign}${a}`);
  });

  it('have one form without leading and trailing zeros', () => {
    const parsed: [text: string, ...parts: unknown[]][] = [
      ['-0.00', false, '', 0],
      ['0', false, '', 0],
      ['1', false, '1', 1],
      ['-00120.50', true, '1205', 3],
      ['+0.0012', false, '12', -2],
      ['10.01e-3', false, '1001', -1],
    ];
    for (const [text, negative, digits, exponent] of parsed)
      assert.deepEqual(parseDecimal(text), { negative, digits, exponent }, text);
  });

  it('are distinguished from other text', () => {
    for (const text of ['1', '-1.5', '+.5', '1.', '1e5', '1E-5', '1e123456789']) assert.ok(isNumeric(text), text);
    for (const text of ['', '.', '-', '1e', 'e5', '1,5', ' 1', '1 ', '0x1', 'NaN', '1e1234567890', '1.2.3'])
      assert.ok(!isNumeric(text), text);
  });

  it('fit a double if they have up to fifteen characters and no exponent', () => {
    assert.deepEqual(['123456789012345', '1234567890.1234', '1234567890123456', '1e5', '1E5'].map(fitsDouble), [
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});

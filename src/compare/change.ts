/** Computes the exact change of a number, without conversion to a binary float. */
import { isNumeric } from '../shared/results/decimal.ts';

export interface Change {
  /** Right minus left, such as `-12.50`. */
  absolute: string;
  /** Percentage of the left value with two decimals, such as `-3.25`; absent if the left value is zero. */
  percent?: string;
}

/** Maximum digits of a number without an exponent; no change is computed for longer numbers. */
const MOST_DIGITS = 400;

/** The number `units / 10^scale`. */
interface Scaled {
  units: bigint;
  scale: number;
}

function scaled(text: string): Scaled | undefined {
  if (!isNumeric(text)) return undefined;
  const [mantissa = '', power = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const scale = fraction.length - Number(power);
  if (whole.length + fraction.length + Math.abs(scale) > MOST_DIGITS) return undefined;
  const units = BigInt(whole + fraction);
  return scale >= 0 ? { units, scale } : { units: units * 10n ** BigInt(-scale), scale: 0 };
}

/** @returns the exact sum of numbers as text, or `undefined` if one is not a number or too long */
export function sumOf(numbers: readonly string[]): string | undefined {
  let sum: Scaled = { units: 0n, scale: 0 };
  for (const text of numbers) {
    const number = scaled(text);
    if (number === undefined) return undefined;
    const scale = Math.max(sum.scale, number.scale);
    const at = (one: Scaled): bigint => one.units * 10n ** BigInt(scale - one.scale);
    sum = { units: at(sum) + at(number), scale };
  }
  return decimalText(sum.units, sum.scale);
}

function decimalText(units: bigint, scale: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  const fraction = scale === 0 ? '' : `.${digits.slice(-scale)}`;
  return `${units < 0n ? '-' : ''}${digits.slice(0, digits.length - scale)}${fraction}`;
}

/** The quotient, rounded half away from zero; the divisor must be positive. */
function rounded(dividend: bigint, divisor: bigint): bigint {
  const half = dividend < 0n ? -divisor : divisor;
  return (dividend * 2n + half) / (divisor * 2n);
}

/**
 * @param left the number on the left side, as text
 * @param right the number on the right side, as text
 * @returns the change, or `undefined` if either is not a number or too long
 */
export function changeOf(left: string, right: string): Change | undefined {
  const [before, after] = [scaled(left), scaled(right)];
  if (before === undefined || after === undefined) return undefined;
  const scale = Math.max(before.scale, after.scale);
  const from = before.units * 10n ** BigInt(scale - before.scale);
  const difference = after.units * 10n ** BigInt(scale - after.scale) - from;
  const absolute = decimalText(difference, scale);
  if (from === 0n) return { absolute };
  return { absolute, percent: decimalText(rounded(difference * 10000n, from < 0n ? -from : from), 2) };
}

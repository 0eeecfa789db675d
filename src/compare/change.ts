/** Computes the exact change of a number, without conversion to a binary float. */
import { dividedRounded, isNumeric, scaledText } from '../shared/results/decimal.ts';

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

/** @returns the units of the number at a scale that is at least its own */
const unitsAt = (scale: number, number: Scaled): bigint => number.units * 10n ** BigInt(scale - number.scale);

/** @returns the exact sum of numbers as text, or `undefined` if one is not a number or too long */
export function sumOf(numbers: readonly string[]): string | undefined {
  let sum: Scaled = { units: 0n, scale: 0 };
  for (const text of numbers) {
    const number = scaled(text);
    if (number === undefined) return undefined;
    const scale = Math.max(sum.scale, number.scale);
    sum = { units: unitsAt(scale, sum) + unitsAt(scale, number), scale };
  }
  return scaledText(sum.units, sum.scale);
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
  const from = unitsAt(scale, before);
  const difference = unitsAt(scale, after) - from;
  const absolute = scaledText(difference, scale);
  if (from === 0n) return { absolute };
  return { absolute, percent: scaledText(dividedRounded(difference * 10000n, from < 0n ? -from : from), 2) };
}

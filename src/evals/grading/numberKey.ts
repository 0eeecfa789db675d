/** Rounds numbers to significant digits on their decimal text, without conversion to a binary float. */
import { parseDecimal } from '../../shared/results/decimal.ts';
import { withoutTrailing } from '../../shared/text/lines.ts';

/** Digits beyond these are floating-point noise: 1234.4999999999998 counts as 1234.5 before it is rounded. */
const NOISE_FREE = 12;

/** @returns a text that is equal for two numbers with the same significant digits, rounded half away from zero */
export function numberKey(text: string, precision: number): string {
  const { negative, digits, exponent } = parseDecimal(text);
  if (digits === '') return '0';
  const exact = roundTo(digits, exponent, Math.max(NOISE_FREE, precision));
  const rounded = roundTo(exact.digits, exact.exponent, precision);
  return `${negative ? '-' : ''}${rounded.digits}e${rounded.exponent}`;
}

/** @param digits digits of `0.digits × 10^exponent`, without leading and trailing zeros */
function roundTo(digits: string, exponent: number, count: number): { digits: string; exponent: number } {
  if (digits.length <= count) return { digits, exponent };
  const isUp = (digits[count] ?? '0') >= '5';
  const head = String(BigInt(digits.slice(0, count)) + (isUp ? 1n : 0n));
  return { digits: withoutTrailing(head, '0'), exponent: exponent + head.length - count };
}

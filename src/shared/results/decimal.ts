/** Parses, compares and writes decimal numbers, without conversion to a binary float. */

const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,9})?$/;

/** @returns whether the text is a finite decimal number such as `-12`, `0.50` or `1e20` */
export const isNumeric = (text: string): boolean => DECIMAL.test(text);

/** The number `0.digits × 10^exponent`; `digits` has no leading or trailing zeros and is empty for zero. */
interface Decimal {
  negative: boolean;
  digits: string;
  exponent: number;
}

/** @param text numeric text, as accepted by `isNumeric` */
export function parseDecimal(text: string): Decimal {
  const [mantissa = '', power = '0'] = text.replace(/^[+-]/, '').split(/[eE]/);
  const [whole = '', fraction = ''] = mantissa.split('.');
  const all = whole + fraction;
  const digits = all.replace(/^0+/, '');
  const leadingZeros = all.length - digits.length;
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  const trimmed = digits.slice(0, end);
  if (trimmed === '') return { negative: false, digits: '', exponent: 0 };
  return {
    negative: text.startsWith('-'),
    digits: trimmed,
    exponent: whole.length - leadingZeros + Number(power),
  };
}

/** @returns a negative number, zero or a positive number, as `Array.sort` expects; both texts must be numeric */
export function compareNumeric(a: string, b: string): number {
  const left = parseDecimal(a);
  const right = parseDecimal(b);
  const sign = signOf(left);
  if (sign !== signOf(right)) return sign - signOf(right);
  return sign * compareMagnitude(left, right);
}

const signOf = ({ digits, negative }: Decimal): number => (digits === '' ? 0 : negative ? -1 : 1);

function compareMagnitude(a: Decimal, b: Decimal): number {
  if (a.exponent !== b.exponent) return a.exponent - b.exponent;
  return a.digits < b.digits ? -1 : a.digits > b.digits ? 1 : 0;
}

/** Number of decimal digits that a double always preserves. */
const SAFE_DIGITS = 15;

/** @returns whether numeric text converts to a double without losing a digit */
export const fitsDouble = (text: string): boolean => text.length <= SAFE_DIGITS && !/[eE]/.test(text);

/** @returns whether numeric text has the same digits after a conversion to a double and back */
export const survivesDouble = (text: string): boolean => {
  if (fitsDouble(text)) return true;
  const number = Number(text);
  return Number.isFinite(number) && compareNumeric(String(number), text) === 0;
};

/** @returns the number `units / 10^scale`, with `scale` decimal places */
export function scaledText(units: bigint, scale: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  const fraction = scale === 0 ? '' : `.${digits.slice(-scale)}`;
  return `${units < 0n ? '-' : ''}${digits.slice(0, digits.length - scale)}${fraction}`;
}

/** @returns the quotient, rounded half away from zero; the divisor must be positive */
export function dividedRounded(dividend: bigint, divisor: bigint): bigint {
  const half = dividend < 0n ? -divisor : divisor;
  return (dividend * 2n + half) / (divisor * 2n);
}

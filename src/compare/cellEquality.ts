/** The one definition of when two cells are equal, for tests, comparisons and exports. */
import { isFields } from '../shared/text/checks.ts';
import { parseExact } from '../shared/wire/exactJson.ts';
import { cellText, infinityOf, isNull, numberText, timeSpan } from '../shared/results/cells.ts';
import { fitsDouble, parseDecimal } from '../shared/results/decimal.ts';

/** How the cells of two columns are compared: `measure` by tolerance, all others exactly. */
export type Mode = 'measure' | 'identifier' | 'instant' | 'day' | 'boolean' | 'text';

/** Number of significant digits at which measures are equal; undefined for all digits. */
export type Precision = number | undefined;

/** The precision of tests, and of answers that are compared by rows. */
export const DEFAULT_PRECISION = 4;

/** Digits that a double always preserves; numbers with more may have the rounding errors of binary floats. */
const DOUBLE_DIGITS = 15;
/** Relative size of the rounding errors that computed doubles accumulate. */
const NOISE = 1e-12;
/** Residues of sums that cancel out, relative to the largest number of the column. */
const RESIDUE = 1e-13;

/** @returns a value that is identical for equal cells of the mode, and only for those */
export function exactKey(cell: unknown, mode: Mode): string | number {
  if (isNull(cell)) return '\0null';
  if (mode === 'measure' || mode === 'identifier') return numberKey(cell);
  const text = cellText(cell);
  switch (mode) {
    case 'instant':
      return instantKey(text);
    case 'day':
      return text.length === 7 ? `${text}-01` : text.slice(0, 10);
    case 'boolean':
      return /^(?:t|true|1)$/i.test(text) ? 'true' : /^(?:f|false|0)$/i.test(text) ? 'false' : text;
    case 'text':
      return typeof cell === 'object' || mayBeJson(text) ? jsonKey(cell, text) : text;
  }
}

/** @returns the microseconds since 1970, with further digits if there are any; other text unchanged */
function instantKey(text: string): number | string {
  const span = timeSpan(text);
  if (span === undefined) return text;
  const [, further] = /[.,]\d{6}(\d*[1-9])/.exec(text) ?? [];
  return further === undefined ? span[0] : `${span[0]} ${further}`;
}

/** @returns the number itself; its digits if a double doesn't have all of them, or other text */
function numberKey(cell: unknown): number | string {
  if (Number.isFinite(cell)) return (cell as number) + 0;
  const text = numberText(cell);
  if (text === undefined) {
    // Databases write them in several ways.
    const other = cellText(cell);
    return infinityOf(other) ?? `\0${/^nan$/i.test(other) ? 'NaN' : other}`;
  }
  const number = Number(text) + 0;
  if (fitsDouble(text)) return number;
  const digits = decimalText(text);
  return Number.isFinite(number) && decimalText(String(number)) === digits ? number : digits;
}

function decimalText(text: string): string {
  const { negative, digits, exponent } = parseDecimal(text);
  return `${negative ? '-' : ''}0.${digits}e${exponent}`;
}

function mayBeJson(text: string): boolean {
  const code = text.charCodeAt(0);
  return code === 0x5b || code === 0x7b || (code <= 0x20 && /^\s*[[{]/.test(text));
}

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** JSON with sorted keys, and without rounding errors of numbers. Numbers that a double doesn't reproduce are strings. */
function jsonKey(cell: unknown, text: string): string {
  try {
    return JSON.stringify(typeof cell === 'object' ? cell : parseExact(text), (_key, value: unknown) => {
      if (typeof value === 'number' && isNoisy(value)) return Number(value.toPrecision(DOUBLE_DIGITS));
      if (isFields(value)) return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
      const isKept = typeof value === 'string' && JSON_NUMBER.test(value) && String(Number(value)) !== value;
      return isKept ? numberKey(value) : value;
    });
  } catch {
    return text;
  }
}

/** @returns whether a number has more digits than a double preserves, so that the last may be rounding errors */
const isNoisy = (number: number): boolean =>
  !Number.isInteger(number) && /^0*(\d*)/.exec(String(number).replace(/e.*|[-.]/g, ''))![1]!.length > DOUBLE_DIGITS;

/** @returns half a unit in the last significant digit of a positive number, and the rounding errors of this computation */
const halfUnit = (number: number, precision: number): number =>
  (10 ** (Math.floor(Math.log10(number)) + 1 - precision) / 2) * (1 + 1e-9) + 2 * number * Number.EPSILON;

/** A precision beyond that of doubles means all digits. */
const digitsOf = (precision: Precision): Precision =>
  precision !== undefined && precision <= DOUBLE_DIGITS ? precision : undefined;

/**
 * The tolerance is half a unit in the last significant digit of the smaller number; across a power of ten, such as from
 * 9999.6 to 10000.4, both must be within half a unit of that power. So the numbers near another form an interval, whose
 * ends grow with that number.
 * @returns whether numbers are equal at the precision; without one, whether they may differ by rounding errors only
 */
export function isNear(left: number, right: number, precision: Precision): boolean {
  if (left === right) return true;
  const [low, high] = left * right > 0 ? [left, right].map(Math.abs).sort((a, b) => a - b) : [0, 0];
  if (!low || !high || high === Infinity) return false;
  const digits = digitsOf(precision);
  if (digits === undefined) return high - low <= NOISE * high;
  const half = halfUnit(low, digits);
  if (high - low <= half) return true;
  const power = 10 ** (Math.floor(Math.log10(low)) + 1);
  return high >= power && power - low <= half && high - power <= halfUnit(power, digits);
}

/** @returns the number of a cell of a measure; NaN for other cells */
export function numberOf(cell: unknown): number {
  if (typeof cell === 'number') return cell;
  const text = numberText(cell);
  return text === undefined ? NaN : Number(text);
}

/** @param size largest magnitude in the column */
export const withoutResidue = (number: number, size: number): number =>
  Math.abs(number) <= RESIDUE * Math.max(1, size) && !Number.isInteger(number) ? 0 : number;

/**
 * @param size largest magnitude in the column of each side
 * @param areDecimals whether both columns are declared as decimals, whose digits as text are all exact
 */
export function isSameMeasure(
  left: unknown,
  right: unknown,
  size: { left: number; right: number },
  precision: Precision,
  areDecimals: boolean,
): boolean {
  const before = withoutResidue(numberOf(left), size.left);
  const after = withoutResidue(numberOf(right), size.right);
  const isNumber = !Number.isNaN(before) && !Number.isNaN(after);
  if (isNumber && digitsOf(precision) !== undefined) return isNear(before, after, precision);
  const keys = [exactKey(left, 'measure'), exactKey(right, 'measure')] as const;
  if (keys[0] === keys[1] || (before === 0 && after === 0)) return true;
  if (!isNumber || (areDecimals && typeof left === 'string' && typeof right === 'string')) return false;
  return isNear(before, after, precision) && keys.some((key) => typeof key === 'number' && isNoisy(key));
}

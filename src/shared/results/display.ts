/**
 * Formats cells for display: numbers with the locale's separators, every digit, and the same number of decimal places
 * in a whole column; times without redundant parts.
 */
import { areDays, cellText, dayOfMidnight, isNull, numberText, type Rows, type TypedColumn } from './cells.ts';
import { namesThings } from './identifiers.ts';

/** Maximum number of characters of a cell in a grid; the details show the whole value. */
const SHOWN = 400;

/** Number of rows from which the format of a column is chosen. */
const SAMPLE = 200;

const formats = new Map<string, Intl.NumberFormat>();

function formatWith(locale: string | undefined, decimals: number, grouped: boolean): Intl.NumberFormat {
  const key = `${locale} ${decimals} ${grouped}`;
  let format = formats.get(key);
  if (!format) {
    const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
    format = new Intl.NumberFormat(locale, { ...digits, useGrouping: grouped });
    formats.set(key, format);
  }
  return format;
}

/** Maximum number of decimal places that `Intl.NumberFormat` supports. */
const MOST_DECIMALS = 100;

/** @returns the number of decimal places of numeric text; 0 if it has an exponent */
function decimalsOf(digits: string): number {
  const dot = digits.indexOf('.');
  return dot === -1 || /e/i.test(digits) ? 0 : digits.length - dot - 1;
}

/**
 * @param digits numeric text, as accepted by `isNumeric`
 * @param least minimum number of decimal places
 * @returns the digits in the format of the locale, trailing zeros included; text with an exponent is returned unchanged
 */
export function formatNumber(digits: string, locale?: string, grouped = true, least = 0): string {
  const decimals = Math.max(decimalsOf(digits), least);
  if (decimals > MOST_DECIMALS || /e/i.test(digits)) return digits;
  return formatWith(locale, decimals, grouped).format(digits as Intl.StringNumericLiteral);
}

/** @returns a formatter for the times of a column that omits redundant parts: `T`, midnight, zero fractions */
export function timeForm(rows: Rows, index: number): (text: string) => string {
  const midnight = areDays(rows, index);
  let whole = true;
  for (const row of rows.slice(0, SAMPLE)) {
    const text = cellText(row[index]);
    if (text === '') continue;
    whole &&= !/\.\d*[1-9]/.test(text);
  }
  return (text) => {
    const day = midnight ? dayOfMidnight(text) : undefined;
    if (day !== undefined) return day;
    const spaced = text.replace(/^([\d-]{10})T(?=\d)/, '$1 ');
    return whole ? spaced.replace(/(:\d\d)\.0+(?=$|[Z+-]| [A-Z+-])/, '$1') : spaced;
  };
}

/**
 * @returns a function that returns the maximum number of decimal places in a column. It reads rows added to `rows`
 * since the last call.
 */
export function decimalsIn(rows: Rows, index: number): () => number {
  let seen = 0;
  let most = 0;
  return () => {
    for (; seen < rows.length; seen++) {
      const cell = rows[seen]![index];
      const hasPoint = typeof cell === 'string' ? cell.includes('.') : !Number.isInteger(cell);
      const digits = hasPoint ? numberText(cell) : undefined;
      if (digits !== undefined) most = Math.max(most, decimalsOf(digits));
    }
    return most;
  };
}

/** @returns whether the numbers of a column are shown with digit grouping */
export const isGrouped = (name: string, rows: Rows, index: number): boolean =>
  !namesThings(name, rows.slice(0, SAMPLE), index);

/**
 * @param rows the rows of the result, from which one format for the whole column is chosen
 * @returns a formatter for the cells of this column; null becomes the empty string, for the view to mark
 */
export function displayOf(column: TypedColumn, index: number, rows: Rows, locale?: string): (cell: unknown) => string {
  if (column.kind === 'number') {
    let grouped: boolean | undefined;
    const decimals = decimalsIn(rows, index);
    return (cell) => {
      // Decided at the first cell, because a grid may get its rows later.
      grouped ??= isGrouped(column.name, rows, index);
      const digits = numberText(cell);
      return digits === undefined ? short(cellText(cell)) : formatNumber(digits, locale, grouped, decimals());
    };
  }
  if (column.kind === 'time') {
    const form = timeForm(rows, index);
    return (cell) => short(form(cellText(cell)));
  }
  return (cell) => (isNull(cell) ? '' : short(cellText(cell)));
}

/**
 * @param show a formatter of `displayOf`
 * @returns null for SQL null, so that the view can distinguish it from the empty string
 */
export const shownOrNull = (cell: unknown, show: (cell: unknown) => string): string | null =>
  isNull(cell) ? null : show(cell);

const short = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);

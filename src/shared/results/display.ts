/**
 * How cells are shown: numbers with the separators of the locale and every digit, with as many decimal places as the
 * column has anywhere; times without needless parts.
 */
import { cellText, isNull, numberText, type Rows, type TypedColumn } from './cells.ts';

/** Characters of a cell that are shown in a grid; the whole value is in the details. */
const SHOWN = 400;

/** Rows looked at to choose one form for a column of times. */
const SAMPLE = 200;

/** Numbers that name things rather than count them: nobody writes the year 2,024. */
const NAMES_THINGS = /(^|[\W_])(id|key|code|zip|year|sku|postal_?code)s?$/i;
/** The same as the last part of a name such as `orderId`. */
const NAMES_THINGS_IN_CAMELS = /[a-z](Id|ID|Key|Code|Zip|Year|Sku|SKU)s?$/;

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

/** Decimal places that `Intl.NumberFormat` can write. */
const MOST_DECIMALS = 100;

/** @returns the number of decimal places of numeric text; 0 with an exponent */
function decimalsOf(digits: string): number {
  const dot = digits.indexOf('.');
  return dot === -1 || /e/i.test(digits) ? 0 : digits.length - dot - 1;
}

/**
 * @param digits plain decimal digits, see `isNumeric`
 * @param least decimal places to write at least
 * @returns the same digits as the locale writes them, trailing zeros included; with an exponent, as they are
 */
export function formatNumber(digits: string, locale?: string, grouped = true, least = 0): string {
  const decimals = Math.max(decimalsOf(digits), least);
  if (decimals > MOST_DECIMALS || /e/i.test(digits)) return digits;
  return formatWith(locale, decimals, grouped).format(digits as Intl.StringNumericLiteral);
}

/** @returns writes a time of this column with its needless parts cut off: `T`, midnight, zero fractions */
export function timeForm(rows: Rows, index: number): (text: string) => string {
  let midnight = true;
  let whole = true;
  for (let row = 0; row < rows.length && row < SAMPLE; row++) {
    const text = cellText(rows[row]?.[index]);
    if (text === '') continue;
    midnight &&= /^\d{4}-\d\d-\d\d([T ]00:00(:00(\.0+)?)?)?$/.test(text);
    whole &&= !/\.\d*[1-9]/.test(text);
  }
  return (text) => {
    if (midnight && /^[\d-]{10}[T ]00:00(:00(\.0+)?)?$/.test(text)) return text.slice(0, 10);
    const spaced = text.replace(/^([\d-]{10})T(?=\d)/, '$1 ');
    return whole ? spaced.replace(/(:\d\d)\.0+(?=$|[Z+-])/, '$1') : spaced;
  };
}

/** @returns the most decimal places of a column's numbers, of the rows that there are by now: `rows` may grow */
function decimalsIn(rows: Rows, index: number): () => number {
  let seen = 0;
  let most = 0;
  return () => {
    for (; seen < rows.length; seen++) {
      const cell = rows[seen]?.[index];
      const hasPoint = typeof cell === 'string' ? cell.includes('.') : typeof cell === 'number';
      const digits = hasPoint ? numberText(cell) : undefined;
      if (digits !== undefined) most = Math.max(most, decimalsOf(digits));
    }
    return Math.min(most, MOST_DECIMALS);
  };
}

/**
 * @param rows the rows of the result: one form is chosen for the whole column
 * @returns writes a cell of this column as it is shown; null as the empty string, for the view to mark
 */
export function displayOf(column: TypedColumn, index: number, rows: Rows, locale?: string): (cell: unknown) => string {
  if (column.kind === 'number') {
    const grouped = !NAMES_THINGS.test(column.name) && !NAMES_THINGS_IN_CAMELS.test(column.name);
    const decimals = decimalsIn(rows, index);
    return (cell) => {
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

const short = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);

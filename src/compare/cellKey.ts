/** Decides when two cells are equal. */
import { cellText, isNull, numberText } from '../shared/results/cells.ts';
import { parseDecimal } from '../shared/results/decimal.ts';
import { isDateTime, timeSpan } from '../shared/results/times.ts';

/**
 * Maps equal values, and only those, to the same text: `1`, `1.0` and `"1"` are equal, and so are a date and its
 * midnight; null and `""` are not.
 * @param isText whether the column is text, so that codes such as `1.1` and `1.10` differ
 */
export function cellKey(cell: unknown, isText = false): string {
  if (isNull(cell)) return 'null';
  if (isText && typeof cell === 'string') return `text:${cell}`;
  const number = numberText(cell);
  if (number !== undefined) {
    const { negative, digits, exponent } = parseDecimal(number);
    return `number:${negative ? '-' : ''}${digits}e${exponent}`;
  }
  const text = cellText(cell);
  if (typeof cell === 'object') return `json:${text}`;
  return isDateTime(text) ? `time:${timeSpan(text)?.[0]}` : `text:${text}`;
}

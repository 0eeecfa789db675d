/** Encodes values as the list of a SQL `IN`: distinct, without nulls, because `NULL` in the list matches nothing. */
import { cellText, isNull, numberText, type Row, type TypedColumn } from './cells.ts';
import type { RowEncoder } from './encoder.ts';

/**
 * @returns a SQL literal: numbers unquoted, text in single quotes. A backslash is an escape in some databases (MySQL,
 * BigQuery) and not in others; `E'…'` has one meaning in every database that supports it, and is an error elsewhere.
 */
function literal(cell: unknown, column: TypedColumn): string {
  if (isNull(cell)) return 'NULL';
  const text = cellText(cell);
  if (column.kind === 'number' && numberText(cell) !== undefined) return text.replace(/^\+/, '');
  if (column.kind === 'boolean' && /^(true|false)$/i.test(text)) return text.toUpperCase();
  const quoted = `'${text.replaceAll("'", "''").replaceAll('\\', '\\\\')}'`;
  return text.includes('\\') ? `E${quoted}` : quoted;
}

/** One column gives `(1, 2)`, several give row values `((1, 'a'), (2, 'b'))`; no values give `(NULL)`. */
export function sqlInList(columns: readonly TypedColumn[]): RowEncoder {
  const seen = new Set<string>();
  return {
    encodeHeader: () => '(',
    encodeRow: (row: Row) => {
      if (columns.every((_, index) => isNull(row[index]))) return '';
      const values = columns.map((column, index) => literal(row[index], column)).join(', ');
      const item = columns.length === 1 ? values : `(${values})`;
      if (seen.has(item)) return '';
      const separator = seen.size === 0 ? '' : ', ';
      seen.add(item);
      return separator + item;
    },
    encodeEnd: () => (seen.size === 0 ? 'NULL)' : ')'),
  };
}

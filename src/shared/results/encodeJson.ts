/** Encodes results as JSON, each column as one type. */
import { cellText, infinityOf, isNull, type CellKind, type Row, type TypedColumn } from './cells.ts';
import { isNumeric, survivesDouble } from './decimal.ts';
import type { EncodeOptions, RowEncoder } from './rowEncoder.ts';

/** Makes column names unique, so that no object key is overwritten: `a`, `a_2`. */
function uniqueNames(columns: readonly TypedColumn[]): string[] {
  const taken = new Set<string>();
  return columns.map(({ name }) => {
    let unique = name;
    for (let count = 2; taken.has(unique); count++) unique = `${name}_${count}`;
    taken.add(unique);
    return unique;
  });
}

/** Writes every digit, as JSON permits them: without `+` or leading zeros, and with digits around the point. */
const jsonNumber = (digits: string): string =>
  digits
    .replace(/^\+/, '')
    .replace(/^(-?)0+(?=\d)/, '$1')
    .replace(/(?<=^-?)(?=\.)/, '0')
    .replace(/\.(?!\d)/, '');

/** Writes all cells of a column as one type. JSON has no infinity and no NaN, so they become null, as in JavaScript. */
function jsonValue(cell: unknown, kind: CellKind): string {
  if (isNull(cell)) return 'null';
  if (kind === 'json') return JSON.stringify(cell);
  const text = cellText(cell);
  if (kind === 'number' && isNumeric(text)) return jsonNumber(text);
  if (kind === 'number' && (infinityOf(text) !== undefined || /^nan$/i.test(text))) return 'null';
  if (kind === 'boolean' && /^(true|false)$/i.test(text)) return text.toLowerCase();
  return JSON.stringify(text);
}

/**
 * A column of numbers is written as text if a double does not preserve every digit of them: most readers of JSON would
 * change them in silence.
 */
function jsonKinds(columns: readonly TypedColumn[], known: readonly Row[]): CellKind[] {
  const isLost = (cell: unknown): boolean => typeof cell === 'string' && isNumeric(cell) && !survivesDouble(cell);
  return columns.map(({ kind }, index) =>
    kind === 'number' && known.some((row) => isLost(row[index])) ? 'string' : kind,
  );
}

/** @param known the rows, or the first of them, from which the types of the columns are chosen */
export function jsonRows(
  columns: readonly TypedColumn[],
  { headers }: Pick<EncodeOptions, 'headers'>,
  known: readonly Row[],
): RowEncoder {
  const keys = uniqueNames(columns).map((name) => (headers ? `${JSON.stringify(name)}: ` : ''));
  const kinds = jsonKinds(columns, known);
  const [open, close] = headers ? ['{', '}'] : ['[', ']'];
  let separator = '';
  return {
    encodeHeader: () => '[\n',
    encodeRow: (row: Row) => {
      const values = kinds.map((kind, index) => keys[index] + jsonValue(row[index], kind));
      const line = `${separator}  ${open}${values.join(', ')}${close}`;
      separator = ',\n';
      return line;
    },
    encodeEnd: () => (separator === '' ? ']\n' : '\n]\n'),
  };
}

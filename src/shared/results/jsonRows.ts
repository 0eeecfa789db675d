/** Encodes rows as a JSON array with one row per line. */
import { cellText, isNull, numberText, type Row, type TypedColumn } from './cells.ts';
import type { EncodeOptions, RowEncoder } from './encoder.ts';

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

/** Writes a JSON number if a double preserves every digit, otherwise a string. */
function jsonNumber(cell: unknown): string {
  const digits = numberText(cell);
  if (digits === undefined) return JSON.stringify(cellText(cell));
  return String(Number(digits)) === digits ? digits : JSON.stringify(digits);
}

function jsonValue(cell: unknown, isNumber: boolean): string {
  if (isNull(cell)) return 'null';
  if (typeof cell === 'number' || typeof cell === 'bigint' || (isNumber && typeof cell === 'string')) {
    return jsonNumber(cell);
  }
  return JSON.stringify(cell);
}

export function jsonRows(columns: readonly TypedColumn[], { headers }: EncodeOptions): RowEncoder {
  const keys = uniqueNames(columns).map((name) => (headers ? `${JSON.stringify(name)}: ` : ''));
  const [open, close] = headers ? ['{', '}'] : ['[', ']'];
  let separator = '';
  return {
    encodeHeader: () => '[\n',
    encodeRow: (row: Row) => {
      const values = columns.map(({ kind }, index) => keys[index] + jsonValue(row[index], kind === 'number'));
      const line = `${separator}  ${open}${values.join(', ')}${close}`;
      separator = ',\n';
      return line;
    },
    encodeEnd: () => (separator === '' ? ']\n' : '\n]\n'),
  };
}

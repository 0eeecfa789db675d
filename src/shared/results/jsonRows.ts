/** Rows as a JSON array, one row a line. */
import { cellText, isNull, numberText, type Row, type TypedColumn } from './cells.ts';
import type { EncodeOptions, RowEncoder } from './encoder.ts';

/** Names made unique, so that no column hides another: `a`, `a_2`. */
function uniqueNames(columns: readonly TypedColumn[]): string[] {
  const taken = new Set<string>();
  return columns.map(({ name }) => {
    let unique = name;
    for (let count = 2; taken.has(unique); count++) unique = `${name}_${count}`;
    taken.add(unique);
    return unique;
  });
}

/** A number stays a number where a reader's double holds every digit of it; else it is a string of its digits. */
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

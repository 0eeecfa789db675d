/** Encodes rows as CSV (RFC 4180) or as TSV for spreadsheets. */
import { cellText, isNull, type Row, type TypedColumn } from './cells.ts';
import { isNumeric } from './decimal.ts';
import type { EncodeOptions, RowEncoder } from './encoder.ts';

/**
 * First characters that make a spreadsheet evaluate a cell as a formula: = + - @, also full-width, tab, line feed,
 * carriage return, NUL.
 */
const FORMULA = new Set([0x3d, 0x2b, 0x2d, 0x40, 0xff1d, 0xff0b, 0xff0d, 0xff20, 0x09, 0x0a, 0x0d, 0x00]);

/**
 * Null is an empty field; in CSV the empty string is `""`, to distinguish the two. In a single-column CSV, null is `""`
 * too, because readers skip empty lines. Numbers are never escaped as formulas, whatever their sign.
 */
export function delimited(separator: ',' | '\t', columns: readonly TypedColumn[], options: EncodeOptions): RowEncoder {
  const { headers, guardFormulas, byteOrderMark } = options;
  const special = separator === ',' ? /[",\r\n]/ : /["\t\r\n]/;
  const lineEnd = separator === ',' ? '\r\n' : '\n';
  const quote = (text: string): string =>
    special.test(text) ? `"${text.includes('"') ? text.replaceAll('"', '""') : text}"` : text;
  const guarded = (text: string): string => quote(guardFormulas && FORMULA.has(text.charCodeAt(0)) ? `'${text}` : text);
  const empty = separator === ',' ? '""' : '';
  const ofNull = columns.length === 1 ? empty : '';

  const field = (cell: unknown, isNumber: boolean): string => {
    if (typeof cell === 'number') return String(cell);
    if (typeof cell === 'string') {
      if (cell === '') return empty;
      return FORMULA.has(cell.charCodeAt(0)) && isNumber && isNumeric(cell) ? cell : guarded(cell);
    }
    if (isNull(cell)) return ofNull;
    return typeof cell === 'object' ? guarded(cellText(cell)) : String(cell);
  };

  // Spreadsheets open a file that begins with `ID` as SYLK unless the field is quoted.
  const asCsv = (line: string): string =>
    separator === ',' && line.startsWith('ID') ? line.replace(/^[^,\r]*/, '"$&"') : line;
  let isFirst = !headers;

  const numeric = columns.map(({ kind }) => kind === 'number');
  const encodeRow = (row: Row): string => {
    let line = '';
    for (let index = 0; index < numeric.length; index++) {
      if (index > 0) line += separator;
      line += field(row[index], numeric[index]!);
    }
    if (isFirst) line = asCsv(line);
    isFirst = false;
    return line + lineEnd;
  };
  const header = (): string => columns.map(({ name }) => (name === '' ? empty : guarded(name))).join(separator);
  return {
    encodeHeader: () => (byteOrderMark ? '\ufeff' : '') + (headers ? asCsv(header()) + lineEnd : ''),
    encodeRow,
    encodeEnd: () => '',
  };
}

/**
 * Encodes results as TSV, CSV, JSON, Markdown or SQL, row by row, so that memory use does not depend on the number of
 * rows.
 */
import {
  type CellKind,
  type TypedColumn,
  type Row,
  cellText,
  dayOfMidnight,
  infinityOf,
  isNull,
  numberText,
} from './cells.ts';
import { isNumeric } from './decimal.ts';
import { jsonRows } from './encodeJson.ts';
import type { EncodeOptions, RowEncoder } from './rowEncoder.ts';

export type ResultFormat = 'tsv' | 'csv' | 'json' | 'markdown' | 'sqlIn';

/**
 * @param columns the columns of the rows, in order
 * @param known the rows, or the first of them, from which the types of JSON columns are chosen
 * @returns an encoder for one output
 */
export function createEncoder(
  format: ResultFormat,
  columns: readonly TypedColumn[],
  options: EncodeOptions,
  known: readonly Row[] = [],
): RowEncoder {
  const encoder = plainEncoder(format, columns, options, known);
  const days = columns.flatMap(({ isDays }, index) => (isDays ? [index] : []));
  if (days.length === 0) return encoder;
  const encodeRow = (row: Row): string => {
    const shown = [...row];
    for (const index of days) if (!isNull(row[index])) shown[index] = dayOfMidnight(cellText(row[index])) ?? row[index];
    return encoder.encodeRow(shown);
  };
  return { ...encoder, encodeRow };
}

function plainEncoder(
  format: ResultFormat,
  columns: readonly TypedColumn[],
  options: EncodeOptions,
  known: readonly Row[],
): RowEncoder {
  switch (format) {
    case 'tsv':
      return delimited('\t', columns, options);
    case 'csv':
      return delimited(',', columns, options);
    case 'json':
      return jsonRows(columns, options, known);
    case 'markdown':
      return markdownTable(columns, options);
    case 'sqlIn':
      return sqlInList(columns);
  }
}

/** @returns all rows in one text; by default with headers, and with formulas escaped */
export function encodeRows(
  format: ResultFormat,
  columns: readonly TypedColumn[],
  rows: readonly Row[],
  options: EncodeOptions = { headers: true, guardFormulas: true },
): string {
  const encoder = createEncoder(format, columns, options, rows);
  return encoder.encodeHeader() + rows.map(encoder.encodeRow).join('') + encoder.encodeEnd();
}

/**
 * First characters that make a spreadsheet evaluate a cell as a formula: = + - @, also full-width, tab, line feed,
 * carriage return, NUL.
 */
const FORMULA = new Set([0x3d, 0x2b, 0x2d, 0x40, 0xff1d, 0xff0b, 0xff0d, 0xff20, 0x09, 0x0a, 0x0d, 0x00]);

/**
 * Null is an empty field; in CSV the empty string is `""`, to distinguish the two. In a single-column CSV, null is `""`
 * too, because readers skip empty lines. Numbers and infinities are never escaped as formulas, whatever their sign.
 */
function delimited(separator: ',' | '\t', columns: readonly TypedColumn[], options: EncodeOptions): RowEncoder {
  const { headers, guardFormulas, byteOrderMark, lineEnd = separator === ',' ? '\r\n' : '\n' } = options;
  const special = separator === ',' ? /[",\r\n]/ : /["\t\r\n]/;
  const quote = (text: string): string => (special.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const guarded = (text: string): string => quote(guardFormulas && FORMULA.has(text.charCodeAt(0)) ? `'${text}` : text);
  const empty = separator === ',' ? '""' : '';
  const ofNull = columns.length === 1 ? empty : '';

  const isBare = (cell: string, kind: CellKind): boolean =>
    kind === 'number'
      ? isNumeric(cell) || infinityOf(cell) !== undefined
      : kind === 'time' && infinityOf(cell) !== undefined;
  const field = (cell: unknown, kind: CellKind): string => {
    if (typeof cell === 'string') {
      if (cell === '') return empty;
      return FORMULA.has(cell.charCodeAt(0)) && isBare(cell, kind) ? cell : guarded(cell);
    }
    if (isNull(cell)) return ofNull;
    return typeof cell === 'object' ? guarded(cellText(cell)) : String(cell);
  };

  // Spreadsheets open a file that begins with `ID` as SYLK unless the field is quoted.
  const asCsv = (line: string): string =>
    separator === ',' && line.startsWith('ID') ? line.replace(/[^,\r]*/, '"$&"') : line;
  let isFirst = !headers;

  const kinds = columns.map(({ kind }) => kind);
  const encodeRow = (row: Row): string => {
    let line = '';
    for (let index = 0; index < kinds.length; index++) {
      if (index > 0) line += separator;
      line += field(row[index], kinds[index]!);
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

/**
 * Characters with a meaning in Markdown; an underscore inside a word and `&` without an entity have none. `<` is encoded
 * as an entity, because autolinks include a backslash before it.
 */
const ACTIVE = /[\\`*[\]<>|~]|&(?=#?\w+;)|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;

function escaped(text: string): string {
  return (
    text
      .replace(ACTIVE, (sign) => (sign === '<' ? '&lt;' : `\\${sign}`))
      // Some readers, such as marked, also end a table at a line or paragraph separator.
      .replace(/\r\n|[\r\n\u2028\u2029]/g, '<br>')
      .replaceAll('\t', ' ')
  );
}

/**
 * Null is written as `NULL`, the empty string as an empty cell. Without headers the header row is blank, since Markdown
 * requires one.
 */
export function markdownTable(
  columns: readonly TypedColumn[],
  { headers }: Pick<EncodeOptions, 'headers'>,
): RowEncoder {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;
  return {
    encodeHeader: () =>
      line(columns.map(({ name }) => (headers ? escaped(name) : ''))) +
      line(columns.map(({ kind }) => (kind === 'number' ? '---:' : '---'))),
    encodeRow: (row: Row) =>
      line(columns.map((_, index) => (isNull(row[index]) ? 'NULL' : escaped(cellText(row[index]))))),
    encodeEnd: () => '',
  };
}

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
function sqlInList(columns: readonly TypedColumn[]): RowEncoder {
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

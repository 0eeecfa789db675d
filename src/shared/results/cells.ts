/**
 * Kind and exact text of result cells. A cell is the JSON value that the service sent; integers and decimals may be
 * strings with the exact digits. The kind is decided by column.
 */
import type { Column } from '../wire/toolPayloads.ts';
import { isNumeric } from './decimal.ts';
import { isDateTime } from './times.ts';

export type CellKind = 'number' | 'time' | 'boolean' | 'json' | 'string';
export type Row = readonly unknown[];
export type Rows = readonly Row[];

/** A column with the kind of its cells. */
export interface TypedColumn extends Column {
  kind: CellKind;
}

/** Number of rows from which the kind of a column without a known type is inferred. */
const SAMPLE = 2000;

const families: readonly [CellKind, RegExp][] = [
  [
    'number',
    /^(u?(tiny|small|medium|big|huge)?int(eger)?\d*|number|numeric|decimal|dec|float\d*|double( precision)?|real|(big|small)?serial)$/,
  ],
  ['time', /^(date|time|datetime\d*|timestamp\w*|timestamp with(out)? time zone)$/],
  ['boolean', /^bool(ean)?$/],
  ['json', /^(jsonb?|object|array|map|struct|record|variant|super)$/],
  ['string', /^(string|(long|medium|tiny)?text|n?(var)?char\d?|character( varying)?|bpchar|uuid|name|enum)$/],
];

/**
 * @param columnType the service's `column_type`, in any case, with or without a size such as `(10,2)`
 * @returns the kind, or `undefined` if the type is unknown
 */
export function kindOfType(columnType: string): CellKind | undefined {
  const type = withoutSize(columnType).toLowerCase().trim();
  return families.find(([, pattern]) => pattern.test(type))?.[0];
}

/** Runs in linear time, unlike a regular expression: the type is untrusted text from the service. */
function withoutSize(type: string): string {
  const open = type.indexOf('(');
  const close = type.indexOf(')', open);
  return open < 0 || close < 0 ? type : type.slice(0, open) + type.slice(close + 1);
}

/** Excludes padded or signed text: `007` and `+1` are codes, not numbers. */
const inferredNumber = (text: string): boolean => isNumeric(text) && !/^(\+|-?0\d)/.test(text);

function kindOfCell(cell: unknown): CellKind {
  switch (typeof cell) {
    case 'number':
    case 'bigint':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'string':
      return inferredNumber(cell) ? 'number' : isDateTime(cell) ? 'time' : 'string';
    default:
      return 'json';
  }
}

function inferKind(rows: Rows, index: number): CellKind {
  let kind: CellKind | undefined;
  for (let row = 0; row < rows.length && row < SAMPLE; row++) {
    const cell = rows[row]?.[index];
    if (cell === null || cell === undefined) continue;
    const found = kindOfCell(cell);
    if (kind !== undefined && kind !== found) return 'string';
    kind = found;
  }
  return kind ?? 'string';
}

/**
 * @param rows rows of the table, or the first of them; read only for columns of unknown type
 * @returns the columns with the kind of their cells
 */
export function typeColumns(columns: readonly Column[], rows: Rows): TypedColumn[] {
  return columns.map((column, index) => ({ ...column, kind: kindOfType(column.type) ?? inferKind(rows, index) }));
}

/** @returns whether the cell is SQL null; the empty string is not */
export const isNull = (cell: unknown): cell is null | undefined => cell === null || cell === undefined;

/** @returns the exact text of a cell: objects as JSON, null as the empty string */
export function cellText(cell: unknown): string {
  if (typeof cell === 'string') return cell;
  if (isNull(cell)) return '';
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell);
}

/**
 * @param cell a number in any form: JSON number, bigint or numeric string
 * @returns its exact digits, or `undefined` if the cell is not a finite number
 */
export function numberText(cell: unknown): string | undefined {
  if (typeof cell === 'string') return isNumeric(cell) ? cell : undefined;
  if (typeof cell === 'number') return Number.isFinite(cell) ? String(cell) : undefined;
  return typeof cell === 'bigint' ? String(cell) : undefined;
}

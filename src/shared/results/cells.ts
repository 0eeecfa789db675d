/**
 * Kind, exact text and time of result cells. A cell is the JSON value that the service sent; integers and decimals may be
 * strings with the exact digits. The kind is decided by column.
 */
import type { Column } from '../wire/toolPayloads.ts';
import { isNumeric } from './decimal.ts';
import { isZone, offsetOfZone } from './zones.ts';

export type CellKind = 'number' | 'time' | 'boolean' | 'json' | 'string';
export type Row = readonly unknown[];
export type Rows = readonly Row[];

/** A column with the kind of its cells. */
export interface TypedColumn extends Column {
  kind: CellKind;
  /** Whether the known times of the column are all midnights, which are written as days. */
  isDays?: true;
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
  ['string', /^(string|(long|medium|tiny)?text|n?(var)?char\d?|character( varying)?|bpchar|citext|uuid|name|enum)$/],
];

/**
 * @param columnType the service's `column_type`, in any case, with or without a size such as `(10,2)`
 * @returns the kind, or `undefined` if the type is unknown
 */
export function kindOfType(columnType: string): CellKind | undefined {
  const type = columnType
    .replace(/\([^()]*\)/, '')
    .toLowerCase()
    .trim();
  return families.find(([, pattern]) => pattern.test(type))?.[0];
}

/** Excludes padded or signed text: `007` and `+1` are codes, not numbers. */
const inferredNumber = (text: string): boolean => isNumeric(text) && !/^(\+|-?0\d)/.test(text);

function kindOfCell(cell: unknown): CellKind {
  switch (typeof cell) {
    case 'number':
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
  for (const row of rows.slice(0, SAMPLE)) {
    const cell = row[index];
    if (isNull(cell)) continue;
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
  return columns.map((column, index) => {
    const kind = kindOfType(column.type) ?? inferKind(rows, index);
    return { ...column, kind, ...(kind === 'time' && areDays(rows, index) ? { isDays: true } : {}) };
  });
}

/** A day, with or without a time of day that is midnight. */
const MIDNIGHT = /^\d{4}-\d\d-\d\d(?:[T ]00:00(?::00(?:\.0+)?)?)?$/;

/** Number of rows from which the format of a time column is chosen. */
const TIME_SAMPLE = 200;

/** @returns whether a column has times among its first rows, and all of them are midnights without a zone */
export function areDays(rows: Rows, index: number): boolean {
  const texts = rows.slice(0, TIME_SAMPLE).map((row) => cellText(row[index]));
  const times = texts.filter((text) => text !== '');
  return times.length > 0 && times.every((text) => MIDNIGHT.test(text));
}

/** @returns the day of a midnight; `undefined` for other text */
export const dayOfMidnight = (text: string): string | undefined =>
  MIDNIGHT.test(text) ? text.slice(0, 10) : undefined;

/** @returns whether the cell is SQL null; the empty string is not */
export const isNull = (cell: unknown): cell is null | undefined => cell === null || cell === undefined;

/** @returns the exact text of a cell: objects as JSON, null as the empty string */
export function cellText(cell: unknown): string {
  if (typeof cell === 'string') return cell;
  if (isNull(cell)) return '';
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell);
}

/**
 * @param cell a number in any form: JSON number or numeric string
 * @returns its exact digits, or `undefined` if the cell is not a finite number
 */
export function numberText(cell: unknown): string | undefined {
  if (typeof cell === 'string') return isNumeric(cell) ? cell : undefined;
  return Number.isFinite(cell) ? String(cell) : undefined;
}

/** @returns `Infinity` or `-Infinity` for its name in any database, such as `-inf`; `undefined` for other text */
export function infinityOf(text: string): number | undefined {
  const match = /^([+-]?)inf(?:inity)?$/i.exec(text);
  return match ? (match[1] === '-' ? -Infinity : Infinity) : undefined;
}

/** Abbreviations such as `CST` mean several zones, so only names of the IANA database are read. */
const DATE_TIME =
  /^(-?\d{4})-(0[1-9]|1[0-2])(?:-(0[1-9]|[12]\d|3[01])(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,12}))?)?)?)?\s?(?:(?:Z|UTC|GMT|([+-]\d\d(?::?\d\d)?))(?:\[[\w/+-]+\])?|([A-Z]\w+\/[\w/+-]+))?(?: (BC)| \((BC)\))?$/;
const CLOCK = /^(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,12}))?)?$/;

/** Microseconds per unit; years and months vary in length and are computed. */
const DAY = 86_400_000_000;
const HOUR = 3_600_000_000;
const MINUTE = 60_000_000;
const SECOND = 1_000_000;

/** @returns whether the text is a full date, with or without a time of day */
export function isDateTime(text: string): boolean {
  const match = text.length >= 10 ? DATE_TIME.exec(text) : null;
  return match !== null && (match[9] === undefined || isZone(match[9]));
}

/** @returns whether a date or time names a zone, `UTC` included */
export const hasZone = (text: string): boolean => /[ZUG/+-]/.test(text.slice(10));

/** @returns whether all times of a column are midnights with a zone, which are shown as days */
export function areZonedMidnights(cells: readonly unknown[]): boolean {
  const texts = cells.flatMap((cell) => (isNull(cell) ? [] : [cellText(cell).trim()]));
  return (
    texts.length > 0 && texts.every((text) => isDateTime(text) && hasZone(text) && timeSpan(text, true)![0] % DAY === 0)
  );
}

function offsetOf(zone: string | undefined): number {
  if (zone === undefined) return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3).replace(':', '') || 0);
  return (zone.startsWith('-') ? -minutes : minutes) * MINUTE;
}

const micros = (fraction: string | undefined): number =>
  fraction === undefined ? 0 : Number(fraction.slice(0, 6).padEnd(6, '0'));

/**
 * Parses the period that the text names: `2024-03` is a month, `2024-03-01` a day.
 * @param asWritten whether to ignore the zone, so that a day stays the day in the text
 * @returns its start and its end (exclusive) in microseconds since 1970, with text without a zone read as UTC;
 * `undefined` if the text is neither a date nor a time of day
 */
export function timeSpan(text: string, asWritten = false): readonly [number, number] | undefined {
  const match = DATE_TIME.exec(text);
  if (!match) return /^\d{4}$/.test(text) ? timeSpanOfYear(Number(text)) : clockSpan(text);
  const [, yearText, month, day, hour, minute, second, fraction, offset, zone, era = match[11]] = match;
  // 1 BC is year 0, and -0043 is 44 BC.
  const year = era === undefined ? Number(yearText) : 1 - Number(yearText);
  if (zone !== undefined && !isZone(zone)) return undefined;
  const months = microsOf(year, Number(month) - 1, Number(day ?? 1));
  if (day === undefined) return [months, microsOf(year, Number(month), 1)];
  const clock = Number(hour ?? 0) * HOUR + Number(minute ?? 0) * MINUTE + Number(second ?? 0) * SECOND;
  const local = months + clock + micros(fraction);
  const start = asWritten ? local : local - (zone ? offsetOfZone(local / 1_000, zone) * 1_000 : offsetOf(offset));
  if (hour === undefined) return [start, start + DAY];
  if (second === undefined) return [start, start + MINUTE];
  return [start, start + (fraction === undefined ? SECOND : 10 ** Math.max(0, 6 - fraction.length))];
}

const timeSpanOfYear = (year: number): readonly [number, number] => [microsOf(year, 0, 1), microsOf(year + 1, 0, 1)];

/** `Date.UTC` maps the years 0 to 99 to 1900 to 1999, but databases can contain them. */
const microsOf = (year: number, month: number, day: number): number =>
  new Date(0).setUTCFullYear(year, month, day) * 1000;

function clockSpan(text: string): readonly [number, number] | undefined {
  const match = CLOCK.exec(text);
  if (!match) return undefined;
  const [, hour, minute, second, fraction] = match;
  const start = Number(hour) * HOUR + Number(minute) * MINUTE + Number(second ?? 0) * SECOND + micros(fraction);
  return [start, start + (second === undefined ? MINUTE : fraction === undefined ? SECOND : 1)];
}

/** Shows the instants of a result on the clock of a time zone. Days stay days, and times without a zone stay as they are. */
import type { ResultTable } from '../wire/toolPayloads.ts';
import { areZonedMidnights, hasZone, isDateTime, timeSpan, type Row, type Rows } from './cells.ts';
import { isZone, offsetAt } from './zones.ts';

/**
 * @param zone IANA name of a time zone; undefined or unknown for the instants as the service sent them
 * @returns the table with its instants in that zone, and its columns marked with it; the same table without a zone
 */
export function inTimeZone(table: ResultTable, zone: string | undefined): ResultTable {
  if (zone === undefined || !isZone(zone)) return table;
  const columns = table.columns.map((column, index) =>
    areZonedMidnights(table.rows.map((row) => row[index])) ? column : { ...column, timeZone: zone },
  );
  return { ...table, columns, rows: rowsInTimeZone(columns, table.rows) };
}

/** @returns more rows of a table with these columns, with their instants in the time zones of the columns */
export const rowsInTimeZone = (columns: ResultTable['columns'], rows: Rows): Rows =>
  columns.some(({ timeZone }) => timeZone !== undefined)
    ? rows.map((row): Row => row.map((cell, index) => shifted(cell, columns[index]?.timeZone)))
    : rows;

/** The part of a timestamp up to its seconds, and their fraction. */
const CLOCK = /^\d{4}-\d\d-\d\d([T ])\d\d:\d\d(?::\d\d([.,]\d{1,12})?)?/;

function shifted(cell: unknown, zone: string | undefined): unknown {
  if (zone === undefined || typeof cell !== 'string') return cell;
  const [, separator, fraction = ''] = CLOCK.exec(cell) ?? [];
  if (separator === undefined || !hasZone(cell) || !isDateTime(cell)) return cell;
  const time = Math.floor(timeSpan(cell)![0] / 1000);
  const offset = offsetAt(time, zone);
  const clock = new Date(time + offset).toISOString().slice(0, 19).replace('T', separator);
  return clock + fraction + offsetText(offset / 60_000);
}

/** @param minutes offset from UTC @returns for example `+05:30` */
function offsetText(minutes: number): string {
  const digits = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60].map((part) =>
    String(Math.floor(part)).padStart(2, '0'),
  );
  return (minutes < 0 ? '-' : '+') + digits.join(':');
}

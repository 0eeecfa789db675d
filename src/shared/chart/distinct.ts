import type { ResultTable } from '../wire/toolPayloads.ts';
import { isFields, type Fields } from './json.ts';
import { plainName } from './names.ts';
import { unitsOf } from './units.ts';

const repeating: Readonly<Record<string, number>> = {
  month: 12,
  quarter: 4,
  day: 7,
  hours: 24,
  minutes: 60,
  seconds: 60,
};

/** Counts the distinct values of a channel's column; estimates those of bins and time units. */
export function distinctCounter(table: ResultTable): (channel: unknown) => number {
  const counted = new Map<string, number>();
  return (channel) => {
    if (!isFields(channel) || typeof channel.field !== 'string') return 1;
    const name = plainName(channel.field);
    const index = table.columns.findIndex((column) => column.name === name);
    if (index < 0) return 1;
    const count = counted.get(name) ?? new Set(table.rows.map((row) => String(row[index]))).size;
    counted.set(name, count);
    return Math.max(1, Math.min(count, guess(channel.bin, channel.timeUnit)));
  };
}

function guess(bin: unknown, timeUnit: unknown): number {
  if (isFields(bin) && typeof bin.maxbins === 'number') return bin.maxbins;
  if (bin === true || isFields(bin)) return 10;
  if (typeof timeUnit === 'string') return repeating[timeUnit.replace(/^utc/, '')] ?? 31;
  return timeUnit === undefined ? Number.POSITIVE_INFINITY : 31;
}

export function isOnePlace(spec: Fields, { rows }: ResultTable, distinct: (channel: unknown) => number): boolean {
  const isPlace = (channel: unknown): boolean =>
    isFields(channel) && channel.field !== undefined && channel.type !== 'quantitative' && distinct(channel) === 1;
  const lines = unitsOf(spec).filter(({ mark }) => mark === 'line' || mark === 'area');
  return lines.length > 0 && lines.every(({ encoding: { x, y } }) => rows.length === 1 || isPlace(x) || isPlace(y));
}

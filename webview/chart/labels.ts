/** Estimates the size of a chart's labels before it is drawn. */
import { isFields, type Fields } from '../../src/shared/chart/json.ts';
import { plainName } from '../../src/shared/chart/names.ts';
import { unitsOf } from '../../src/shared/chart/units.ts';
import type { ResultTable } from '../../src/shared/wire/toolPayloads.ts';
import { kindOfType } from '../../src/shared/results/cells.ts';
import { timeForm } from '../../src/shared/results/display.ts';

/** Average width of a character in a label, in pixels. */
const character = 6.5;
const sample = 200;
/** Number of characters of a value formatted by its time unit. */
const timeLength: Readonly<Record<string, number>> = { month: 3, day: 3, quarter: 2, hours: 5, year: 4, date: 2 };

/** Maximum label length on a vertical axis, in pixels; longer labels are truncated. */
export const yLabelLimit = (width: number): number => Math.min(140, Math.round(width * 0.36));
export const xLabelLimit = (width: number): number => (isNarrow(width) ? 80 : 110);

export const isNarrow = (width: number): boolean => width < 340;

/** @returns whether a channel is discrete, so that each value has its own label */
export function isDiscrete(channel: unknown): channel is Fields {
  if (!isFields(channel) || channel.aggregate !== undefined) return false;
  // Without a type, a plain field is discrete.
  const { type = channel.bin === undefined && channel.timeUnit === undefined ? 'nominal' : undefined } = channel;
  return typeof channel.field === 'string' && (type === 'nominal' || type === 'ordinal');
}

export function labelWidth(table: ResultTable, channel: Fields): number {
  const { timeUnit } = channel;
  if (typeof timeUnit === 'string') return (timeLength[timeUnit.replace(/^utc/, '')] ?? 9) * character;
  const name = plainName(String(channel.field));
  const index = table.columns.findIndex((column) => column.name === name);
  const isTime = kindOfType(table.columns[index]?.type ?? '') === 'time';
  const shown = isTime ? timeForm(table.rows, index) : (text: string) => text;
  return character * Math.max(1, ...table.rows.slice(0, sample).map((row) => shown(String(row[index] ?? '')).length));
}

export interface XLabels {
  angle: number;
  all: boolean;
  /** Height in pixels beyond one line of text. */
  height: number;
}

/** Layout of `count` labels on an axis that is `room` pixels long. */
export function xLabelsOf(longest: number, count: number, room: number, width: number): XLabels {
  if ((longest + 8) * count <= room) return { angle: 0, all: true, height: 0 };
  const length = Math.min(longest, xLabelLimit(width));
  if (count * 16 <= room) return { angle: -40, all: true, height: Math.round(length * 0.65) };
  return { angle: -90, all: count * 13 <= room, height: Math.round(length) };
}

export const axisRoom = 64;

export function yAxisWidth(spec: Fields, table: ResultTable, width: number): number {
  const channels = unitsOf(spec).map(({ encoding }) => encoding.y);
  const named = channels.find(isDiscrete);
  if (named) return Math.min(labelWidth(table, named), yLabelLimit(width)) + 28;
  return channels.some(isFields) ? axisRoom : 0;
}

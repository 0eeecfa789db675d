/** How much room the labels of a chart take, known before it is drawn. */
import { isFields, type Fields } from '../../src/shared/chart/json.ts';
import { plainName } from '../../src/shared/chart/names.ts';
import { unitsOf } from '../../src/shared/chart/units.ts';
import type { ResultTable } from '../../src/shared/wire/toolPayloads.ts';
import { kindOfType } from '../../src/shared/results/cells.ts';
import { timeForm } from '../../src/shared/results/display.ts';

/** Pixels that a character of a label takes, on average. */
const character = 6.5;
/** Rows that are looked at. */
const sample = 200;
/** Characters of a value that is written by its unit of time. */
const timeLength: Readonly<Record<string, number>> = { month: 3, day: 3, quarter: 2, hours: 5, year: 4, date: 2 };

/** Pixels of the longest label of a long axis; longer ones end in an ellipsis. */
export const yLabelLimit = (width: number): number => Math.min(140, Math.round(width * 0.36));
export const xLabelLimit = (width: number): number => (isNarrow(width) ? 80 : 110);

/** @returns whether a chart of that width has room for short labels only */
export const isNarrow = (width: number): boolean => width < 340;

/** @returns whether a channel names something, so that each of its values has a label of its own */
export function isDiscrete(channel: unknown): channel is Fields {
  if (!isFields(channel) || channel.aggregate !== undefined) return false;
  // Without a type, a plain field names something.
  const { type = channel.bin === undefined && channel.timeUnit === undefined ? 'nominal' : undefined } = channel;
  return typeof channel.field === 'string' && (type === 'nominal' || type === 'ordinal');
}

/** @returns pixels of the longest label of a discrete channel */
export function labelWidth(table: ResultTable, channel: Fields): number {
  const { timeUnit } = channel;
  if (typeof timeUnit === 'string') return (timeLength[timeUnit.replace(/^utc/, '')] ?? 9) * character;
  const name = plainName(String(channel.field));
  const index = table.columns.findIndex((column) => column.name === name);
  const isTime = kindOfType(table.columns[index]?.type ?? '') === 'time';
  const shown = isTime ? timeForm(table.rows, index) : (text: string) => text;
  return character * Math.max(1, ...table.rows.slice(0, sample).map((row) => shown(String(row[index] ?? '')).length));
}

/** How the labels below a chart are written. */
export interface XLabels {
  /** Degrees. */
  angle: number;
  /** Whether there is room for each of them. */
  all: boolean;
  /** Pixels that they take in height, beyond a line of text. */
  height: number;
}

/**
 * @param count of labels
 * @param room pixels of the axis
 * @param width pixels of the whole chart
 */
export function xLabelsOf(longest: number, count: number, room: number, width: number): XLabels {
  if ((longest + 8) * count <= room) return { angle: 0, all: true, height: 0 };
  const length = Math.min(longest, xLabelLimit(width));
  if (count * 16 <= room) return { angle: -40, all: true, height: Math.round(length * 0.65) };
  return { angle: -90, all: count * 13 <= room, height: Math.round(length) };
}

/** Pixels beside a chart that its upright axis takes with short labels. */
export const axisRoom = 64;

/** @returns pixels that the upright axis takes */
export function yAxisWidth(spec: Fields, table: ResultTable, width: number): number {
  const channels = unitsOf(spec).map(({ encoding }) => encoding.y);
  const named = channels.find(isDiscrete);
  if (named) return Math.min(labelWidth(table, named), yLabelLimit(width)) + 28;
  return channels.some(isFields) ? axisRoom : 0;
}

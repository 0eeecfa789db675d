/** Estimates the size of a chart's labels before it is drawn, in pixels, and lays out the legends. */
import type { Config } from 'vega-lite';
import { fieldsOf, isFields, type Fields } from '../../src/shared/text/checks.ts';
import { rewrite, without } from '../../src/shared/chart/json.ts';
import { plainName } from '../../src/shared/chart/names.ts';
import { unitsOf } from '../../src/shared/chart/units.ts';
import type { ResultTable } from '../../src/shared/wire/toolPayloads.ts';
import { kindOfType } from '../../src/shared/results/cells.ts';
import { timeForm } from '../../src/shared/results/display.ts';

/** Average width of a character in pixels. */
const character = 6.5;
/** Characters that are about as wide as two others. */
const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
const sample = 200;
/** Number of characters of a value formatted by its time unit. */
const timeLength: Readonly<Record<string, number>> = { month: 3, day: 3, quarter: 2, hours: 5, year: 4, date: 2 };

/** Width of an axis with short numbers, in pixels. */
export const axisRoom = 76;
/** Pixels beside the labels of an axis: its title and the padding. */
const besideLabels = 48;
/** @param width of the chart in pixels */
export const isNarrow = (width: number): boolean => width < 340;
/** Maximum length of labels; longer ones are truncated. */
export const labelLimits = (width: number): { x: number; y: number } =>
  isNarrow(width) ? { x: 80, y: 90 } : { x: 110, y: 140 };

/** @returns whether a channel is discrete, so that each value has its own label */
export function isDiscrete(channel: unknown): channel is Fields {
  if (!isFields(channel) || channel.aggregate !== undefined) return false;
  // Without a type, a plain field is discrete.
  const { type = channel.bin === undefined && channel.timeUnit === undefined ? 'nominal' : undefined } = channel;
  return typeof channel.field === 'string' && (type === 'nominal' || type === 'ordinal');
}

/** Number of characters of a label, which is truncated long before a hundred. */
const lengthOf = (text: string): number => text.length + (text.slice(0, 100).match(wide)?.length ?? 0);

/** @returns the width in pixels of the widest label of a channel; `Infinity` if a transform creates its values */
export function labelWidth(table: ResultTable, channel: Fields): number {
  const { timeUnit, datum } = channel;
  if (typeof timeUnit === 'string') return (timeLength[timeUnit.replace(/^utc/, '')] ?? 9) * character;
  const { domain = typeof datum === 'string' ? [datum] : undefined } = fieldsOf(channel.scale);
  if (Array.isArray(domain)) return character * Math.max(1, ...domain.map((value) => lengthOf(String(value))));
  const index = columnOf(table, channel);
  if (index < 0) return Infinity;
  const isTime = kindOfType(table.columns[index]?.type ?? '') === 'time';
  const shown = isTime ? timeForm(table.rows, index) : (text: string) => text;
  return (
    character * Math.max(1, ...table.rows.slice(0, sample).map((row) => lengthOf(shown(String(row[index] ?? '')))))
  );
}

function columnOf(table: ResultTable, channel: Fields): number {
  const name = plainName(String(channel.field));
  return table.columns.findIndex((column) => column.name === name);
}

/** @returns the width in pixels of the largest number of a channel; 0 if its labels are dates or are shortened */
export function numberWidth(table: ResultTable, channel: Fields): number {
  const { format = '', labelExpr } = fieldsOf(channel.axis);
  const isWhole = labelExpr === undefined && typeof format === 'string' && !/[s%e]/.test(format);
  if (!isWhole || channel.type === 'temporal') return 0;
  const index = columnOf(table, channel);
  const largest = table.rows.reduce((most, row) => Math.max(most, Math.abs(Number(row[index])) || 0), 0);
  return character * Math.round(largest).toLocaleString('en').length;
}

/** Configuration of `count` labels on a discrete axis that is `room` long. */
export function xLabels(longest: number, count: number, room: number, width: number): Config['axisXDiscrete'] {
  const labelLimit = labelLimits(width).x;
  if (longest === Infinity) return { labelAngle: -90, labelLimit };
  if ((longest + 8) * count <= room) return { labelAngle: 0, labelLimit, labelOverlap: false };
  if (count * 16 <= room) return { labelAngle: -40, labelLimit, labelOverlap: false };
  return { labelAngle: -90, labelLimit, ...(count * 13 <= room ? { labelOverlap: false } : {}) };
}

/** @returns the width in pixels that the labels of the y axis take; 0 without such an axis */
export function yAxisWidth(spec: Fields, table: ResultTable, width: number): number {
  const channels = unitsOf(spec).map(({ encoding }) => encoding.y);
  const named = channels.find(isDiscrete);
  if (named) return Math.min(labelWidth(table, named), labelLimits(width).y) + 28;
  const numbers = channels.filter(isFields);
  const widest = Math.max(0, ...numbers.map((channel) => numberWidth(table, channel)));
  return numbers.length > 0 ? Math.max(axisRoom, besideLabels + widest) : 0;
}

const channels = ['color', 'fill', 'stroke', 'shape', 'size', 'opacity', 'strokeDash'];
/** Chart width in pixels from which legends are beside the chart. */
const besideFrom = 440;
/** Pixels of an entry's symbol with its margin. */
const symbol = 26;

/** Heights of an entry, of a title and of a color gradient beside the chart. */
const heights = { entry: 16, title: 34, gradient: 130 };
/** Maximum number of entries; the legend shows how many more there are. */
const most = 30;

/** @returns the specification without legends beside a chart that has no room for them */
export function withLegendsBelow(spec: Fields, width: number): Fields {
  if (width >= besideFrom) return spec;
  return rewrite(spec, (key, member) =>
    key === 'legend' && isFields(member) && /^(left|right|none)$/.test(String(member.orient))
      ? without(member, 'orient', 'legendX', 'legendY')
      : member,
  ) as Fields;
}

/**
 * Chooses the position and the columns of legends so that no entry is cut off.
 * @param width width of the whole chart in pixels
 * @returns the configuration, and the size in pixels of legends beside the plot, whose height Vega doesn't reserve
 */
export function legendLayout(spec: Fields, table: ResultTable, width: number, count: (channel: unknown) => number) {
  const encoded = unitsOf(spec).flatMap(({ encoding }) => channels.map((name) => encoding[name]));
  const own = encoded
    .filter(isFields)
    .map((channel) => (isFields(channel.condition) && channel.field === undefined ? channel.condition : channel))
    .filter(({ field, datum, legend }) => (typeof field === 'string' || datum !== undefined) && legend !== null);
  // One legend covers all channels of a field.
  const shown = [...new Map(own.map((channel) => [channel.field ?? channel.datum, channel])).values()];
  const isNamed = (channel: Fields): boolean => channel.datum !== undefined || isDiscrete(channel);
  const orient = shown.map(({ legend }) => (isFields(legend) ? legend.orient : undefined)).find(Boolean);
  const isBelow = orient === undefined ? width < besideFrom : orient === 'bottom' || orient === 'top';
  const longest = Math.max(50, ...shown.filter(isNamed).map((channel) => labelWidth(table, channel))) + symbol;
  const room = isBelow ? width - 12 : width * 0.35;
  const columns = isBelow ? Math.max(1, Math.floor(room / longest)) : 1;
  // Rounded, so that resizing by a pixel does not redraw the chart.
  const limit = Math.max(80, longest <= room ? longest : 0, Math.floor(room / columns / 10) * 10);
  const config: Fields = {
    columns,
    labelLimit: limit - symbol,
    // Below the chart, legends start at its left edge instead of that of the plot, and each has the whole width.
    layout: { bottom: { frame: 'bounds', direction: 'vertical' }, top: { frame: 'bounds', direction: 'vertical' } },
    ...(isBelow ? { orient: 'bottom', gradientLength: 150 } : {}),
  };
  if (isBelow || shown.length === 0) return { config, width: 0, height: 0 };
  const heightOf = (channel: Fields): number =>
    isNamed(channel) ? heights.title + Math.min(count(channel), most + 1) * heights.entry : heights.gradient;
  return { config, width: Math.min(longest, limit), height: shown.reduce((sum, one) => sum + heightOf(one), 0) };
}

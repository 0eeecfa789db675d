import { distinctCounter, isOnePlace } from '../../src/shared/chart/distinct.ts';
import { encodingOf, unitsOf } from '../../src/shared/chart/units.ts';
import { fieldsIn, isFields, without, type Fields } from '../../src/shared/chart/json.ts';
import type { ResultTable } from '../../src/shared/wire/toolPayloads.ts';
import { axisRoom, isDiscrete, labelWidth, xLabelsOf, yAxisWidth, type XLabels } from './labels.ts';
import { legendsOf, type Legends } from './legends.ts';

export interface Layout {
  spec: Fields;
  /** Whether the chart fills any width; a composition keeps the sizes of its parts. */
  fits: boolean;
  hints: LayoutHints;
}

/** Configuration hints derived from the number and length of the values. */
export interface LayoutHints {
  xLabels?: XLabels | undefined;
  /** Width in pixels of bars on a continuous axis. */
  barSize?: number | undefined;
  legends?: Legends | undefined;
  /** Whether lines and areas have at most one position, so that they need points to be visible. */
  points?: boolean;
}

const step = 22;
const rowHeader = 54;
const lowest = 140;
const highest = 640;

/** Sizes every view to fit the width of the container. */
export function layOut(spec: Fields, table: ResultTable, width: number): Layout {
  const distinct = distinctCounter(table);
  const legends = legendsOf(spec, table, width, distinct);
  const hints: LayoutHints = { legends, points: isOnePlace(spec, table, distinct) };
  if (!isSingle(spec)) return { spec: sizeParts(without(spec, 'autosize'), width - 8, distinct), fits: false, hints };
  hints.xLabels = labelsBelow(spec, table, distinct, width, legends);
  hints.barSize = barSizeOf(spec, width, distinct);
  const height = singleHeight(spec, width, distinct, hints);
  return { spec: { ...spec, width, height, autosize: { type: 'fit', contains: 'padding' } }, fits: true, hints };
}

type Distinct = ReturnType<typeof distinctCounter>;

function isSingle(spec: Fields): boolean {
  const { row, column, facet } = encodingOf(spec);
  return (spec.mark !== undefined || spec.layer !== undefined) && ![row, column, facet].some(isFields);
}

function singleHeight(spec: Fields, width: number, distinct: Distinct, { legends, xLabels }: LayoutHints): number {
  const below = legends?.isBelow ? legends.height : 0;
  const beside = legends?.isBelow === false ? legends.height : 0;
  const around = (spec.title === undefined ? 0 : 26) + below + (xLabels?.height ?? 0);
  return Math.max(marksHeight(spec, width, distinct) + around, beside);
}

/** Size of the plot area with a plain axis, in pixels. */
function marksHeight(spec: Fields, width: number, distinct: Distinct): number {
  if (typeof spec.height === 'number') return between(spec.height, lowest, highest);
  const units = unitsOf(spec);
  const tall = units.find(({ encoding }) => isDiscrete(encoding.y));
  if (tall) {
    const bars = distinct(tall.encoding.y) * distinct(tall.encoding.yOffset);
    const each =
      isFields(spec.height) && typeof spec.height.step === 'number' ? between(spec.height.step, 8, 60) : step;
    return between(bars * each + 48, lowest, highest);
  }
  const round = units.some(({ mark }) => mark === 'arc');
  return Math.round(between(width * (round ? 0.8 : 0.56), 180, 320));
}

function labelsBelow(
  spec: Fields,
  table: ResultTable,
  distinct: Distinct,
  width: number,
  legends: Legends | undefined,
): XLabels | undefined {
  const across = unitsOf(spec)
    .map(({ encoding }) => encoding.x)
    .find(isDiscrete);
  const room = width - yAxisWidth(spec, table, width) - (legends?.width ?? 0);
  return across && xLabelsOf(labelWidth(table, across), distinct(across), room, width);
}

function barSizeOf(spec: Fields, width: number, distinct: Distinct): number | undefined {
  const bars = unitsOf(spec).find(
    ({ mark, encoding }) => mark === 'bar' && isContinuous(encoding.x) && !isDiscrete(encoding.y),
  );
  return bars && between((width * 0.6) / distinct(bars.encoding.x), 1, 40);
}

function isContinuous(channel: unknown): boolean {
  if (!isFields(channel) || channel.bin !== undefined || channel.timeUnit !== undefined) return false;
  return channel.aggregate === undefined && (channel.type === 'temporal' || channel.type === 'quantitative');
}

const between = (value: number, low: number, high: number): number => Math.max(low, Math.min(value, high));

/** Sizes the views of a composition so that they fill about `width` side by side. */
function sizeParts(spec: Fields, width: number, distinct: Distinct): Fields {
  const divide = (parts: number): number => Math.max(Math.floor(width / Math.max(parts, 1)), 60);
  for (const key of ['vconcat', 'hconcat', 'concat']) {
    if (!Array.isArray(spec[key])) continue;
    const parts = fieldsIn(spec[key]);
    const wrapped = columnsOf(spec, parts.length, width);
    const columns = key === 'vconcat' ? 1 : key === 'hconcat' ? parts.length : wrapped;
    const sized = parts.map((part) => sizeParts(part, divide(columns), distinct));
    return { ...spec, ...(key === 'concat' ? { columns } : {}), [key]: sized };
  }
  if (isFields(spec.spec)) {
    const { columns, wraps } = gridOf(spec, width, distinct);
    const inRows = isFields(spec.facet) && isFields(spec.facet.row) ? rowHeader : 0;
    const sized = sizeParts(spec.spec, divide(columns) - inRows, distinct);
    return { ...spec, ...(wraps ? { columns } : {}), spec: sized };
  }
  return sizeUnit(spec, width, distinct);
}

/** Number of small charts per row, and whether there are more rows. */
function gridOf(spec: Fields, width: number, distinct: Distinct): { columns: number; wraps: boolean } {
  const { facet, repeat } = spec;
  if (Array.isArray(repeat)) return { columns: columnsOf(spec, repeat.length, width), wraps: true };
  if (isFields(repeat)) return { columns: Array.isArray(repeat.column) ? repeat.column.length : 1, wraps: false };
  if (!isFields(facet)) return { columns: 1, wraps: false };
  if (facet.field !== undefined) return { columns: columnsOf(spec, distinct(facet), width), wraps: true };
  return { columns: distinct(facet.column), wraps: false };
}

function columnsOf(spec: Fields, parts: number, width: number): number {
  const most = Math.max(1, Math.floor(width / 170));
  const asked = typeof spec.columns === 'number' && spec.columns > 0 ? spec.columns : Number.POSITIVE_INFINITY;
  return Math.max(1, Math.min(asked, most, parts));
}

function sizeUnit(spec: Fields, width: number, distinct: Distinct): Fields {
  const encoding = { ...encodingOf(spec) };
  const facet = isFields(encoding.facet) ? encoding.facet : undefined;
  const columns = facet ? columnsOf(facet, distinct(facet), width) : distinct(encoding.column);
  if (facet) encoding.facet = { ...facet, columns };
  // Facets share their axes, so only the first in a row needs space for one.
  const beside = axisRoom + (isFields(encoding.row) ? rowHeader : 0);
  const room = Math.floor((width - beside) / columns) - (columns > 1 ? 16 : 0);
  const asked = typeof spec.width === 'number' ? spec.width : Number.POSITIVE_INFINITY;
  return {
    ...spec,
    ...(spec.encoding === undefined ? {} : { encoding }),
    width: isFields(spec.width) ? spec.width : Math.max(40, Math.min(asked, room)),
    ...(spec.height === 'container' ? { height: 200 } : {}),
    ...(spec.height === undefined && !isDiscrete(encoding.y)
      ? { height: Math.round(between(room * 0.75, 70, 220)) }
      : {}),
  };
}

import { plainName } from '../../src/shared/chart/rows.ts';
import { distinctCounter } from '../../src/shared/chart/distinct.ts';
import { facetChannels, unitsOf } from '../../src/shared/chart/units.ts';
import { fieldsIn, isFields, without, type Fields } from '../../src/shared/chart/json.ts';
import type { ResultTable } from '../../src/shared/payloads.ts';

export interface Layout {
  spec: Fields;
  /** Whether the chart fills its width whatever that is; a composition keeps the sizes of its parts. */
  fits: boolean;
  /** Pixels to reserve before it is drawn. */
  height: number;
  hints: LayoutHints;
}

/** What the number and length of the values make advisable. */
export interface LayoutHints {
  /** Degrees of the labels of a discrete x axis. */
  labelAngle?: number;
  /** Width in pixels of bars on a continuous axis. */
  barSize?: number;
}

const step = 22;
const axisRoom = 64;
const lowest = 140;
const highest = 640;

/**
 * Gives every view a size that suits the room there is.
 * @param width pixels of the container
 */
export function layOut(spec: Fields, table: ResultTable, width: number): Layout {
  const distinct = distinctCounter(table);
  if (isSingle(spec)) {
    const height = singleHeight(spec, width, distinct);
    const autosize = { type: 'fit', contains: 'padding' };
    return {
      spec: { ...spec, width, height, autosize },
      fits: true,
      height,
      hints: hintsOf(spec, table, width, distinct),
    };
  }
  const sized = sizeParts(without(spec, 'autosize'), width - 8, distinct);
  return { spec: sized, fits: false, height: heightOf(sized, distinct), hints: {} };
}

type Distinct = ReturnType<typeof distinctCounter>;

const encodingOf = (spec: Fields): Fields => (isFields(spec.encoding) ? spec.encoding : {});
const hasFacets = (spec: Fields): boolean => facetChannels.some((name) => isFields(encodingOf(spec)[name]));

function isSingle(spec: Fields): boolean {
  return (spec.mark !== undefined || spec.layer !== undefined) && !hasFacets(spec);
}

function isDiscrete(channel: unknown): boolean {
  if (!isFields(channel) || channel.aggregate !== undefined) return false;
  // Without a type, a plain field names something.
  const { type = channel.bin === undefined && channel.timeUnit === undefined ? 'nominal' : undefined } = channel;
  return typeof channel.field === 'string' && (type === 'nominal' || type === 'ordinal');
}

function singleHeight(spec: Fields, width: number, distinct: Distinct): number {
  const titled = (spec.title === undefined ? 0 : 26) + legendHeight(spec, width, distinct);
  if (typeof spec.height === 'number') return between(spec.height, lowest, highest);
  const units = unitsOf(spec);
  const tall = units.find(({ encoding }) => isDiscrete(encoding.y));
  if (tall) {
    const bars = distinct(tall.encoding.y) * distinct(tall.encoding.yOffset);
    const each =
      isFields(spec.height) && typeof spec.height.step === 'number' ? between(spec.height.step, 8, 60) : step;
    return between(bars * each + 48 + titled, lowest, highest);
  }
  const round = units.some(({ mark }) => mark === 'arc');
  return Math.round(between(width * (round ? 0.8 : 0.56), 180, 320) + titled);
}

/** Pixels that a legend takes below a narrow chart. */
function legendHeight(spec: Fields, width: number, distinct: Distinct): number {
  if (width >= narrow) return 0;
  const colours = unitsOf(spec).flatMap(({ encoding }) => [
    encoding.color,
    encoding.fill,
    encoding.stroke,
    encoding.shape,
  ]);
  const coloured = colours.filter(isFields).find(({ field, legend }) => typeof field === 'string' && legend !== null);
  if (!coloured) return 0;
  return isDiscrete(coloured) ? 28 + rowsOf(distinct(coloured), legendColumns(width)) * 16 : 50;
}

/** Pixels below which a legend stands under the chart. */
export const narrow = 440;

/** How many entries of a legend stand side by side under a chart. */
export const legendColumns = (width: number): number => Math.max(2, Math.floor(width / 110));

/** Pixels that a character of a label takes, on average. */
const character = 6.5;

function hintsOf(spec: Fields, table: ResultTable, width: number, distinct: Distinct): LayoutHints {
  const units = unitsOf(spec);
  const across = units.map(({ encoding }) => encoding.x).find(isDiscrete);
  const bars = units.filter(
    ({ mark, encoding }) => mark === 'bar' && isContinuous(encoding.x) && !isDiscrete(encoding.y),
  );
  return {
    ...(across === undefined
      ? {}
      : { labelAngle: angleFor(longest(table, across), distinct(across), width - axisRoom) }),
    ...(bars[0] ? { barSize: between((width * 0.6) / distinct(bars[0].encoding.x), 1, 40) } : {}),
  };
}

function isContinuous(channel: unknown): boolean {
  if (!isFields(channel) || channel.bin !== undefined || channel.timeUnit !== undefined) return false;
  return channel.aggregate === undefined && (channel.type === 'temporal' || channel.type === 'quantitative');
}

function longest(table: ResultTable, channel: unknown): number {
  const name = isFields(channel) ? plainName(String(channel.field)) : '';
  const index = table.columns.findIndex((column) => column.name === name);
  return Math.max(1, ...table.rows.slice(0, 200).map((row) => String(row[index] ?? '').length));
}

function angleFor(length: number, count: number, room: number): number {
  if ((length * character + 8) * count <= room) return 0;
  return count * 16 <= room ? -40 : -90;
}

const between = (value: number, low: number, high: number): number => Math.max(low, Math.min(value, high));

/** Sizes the views of a composition so that, side by side, they come to about `width`. */
function sizeParts(spec: Fields, width: number, distinct: Distinct): Fields {
  const divide = (parts: number): number => Math.max(Math.floor(width / Math.max(parts, 1)), 60);
  if (Array.isArray(spec.vconcat)) {
    return { ...spec, vconcat: fieldsIn(spec.vconcat).map((part) => sizeParts(part, width, distinct)) };
  }
  if (Array.isArray(spec.hconcat)) {
    const parts = fieldsIn(spec.hconcat);
    return { ...spec, hconcat: parts.map((part) => sizeParts(part, divide(parts.length), distinct)) };
  }
  if (Array.isArray(spec.concat)) {
    const parts = fieldsIn(spec.concat);
    const columns = columnsOf(spec, parts.length, width);
    return { ...spec, columns, concat: parts.map((part) => sizeParts(part, divide(columns), distinct)) };
  }
  if (isFields(spec.spec)) {
    const { columns, wraps } = gridOf(spec, width, distinct);
    const sized = sizeParts(spec.spec, divide(columns), distinct);
    return { ...spec, ...(wraps ? { columns } : {}), spec: sized };
  }
  return sizeUnit(spec, width, distinct);
}

/** How many small charts stand side by side, and whether the rest go on below. */
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
  // Facets share their axes, so only the first of a row needs room for one.
  const room = Math.floor((width - axisRoom) / columns) - (columns > 1 ? 16 : 0);
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

/** A guess; what is drawn in the end may be a little higher or lower. */
function heightOf(spec: Fields, distinct: Distinct): number {
  const sum = (parts: unknown): number => fieldsIn(parts).reduce((total, part) => total + heightOf(part, distinct), 0);
  const tallest = (parts: unknown): number => Math.max(0, ...fieldsIn(parts).map((part) => heightOf(part, distinct)));
  if (spec.vconcat !== undefined) return sum(spec.vconcat);
  if (spec.hconcat !== undefined) return tallest(spec.hconcat);
  if (spec.concat !== undefined) return tallest(spec.concat) * rowsOf(fieldsIn(spec.concat).length, spec.columns);
  if (isFields(spec.spec)) {
    const { facet, repeat } = spec;
    const parts = Array.isArray(repeat) ? repeat.length : distinct(facet);
    const listed = isFields(repeat) && Array.isArray(repeat.row) ? repeat.row.length : 1;
    const rows = Math.max(listed, isFields(facet) ? distinct(facet.row) : 1);
    return heightOf(spec.spec, distinct) * rowsOf(parts, spec.columns) * rows;
  }
  const encoding = encodingOf(spec);
  const height = typeof spec.height === 'number' ? spec.height : distinct(encoding.y) * step;
  const facet = isFields(encoding.facet) ? encoding.facet : {};
  const rows = distinct(encoding.row) * rowsOf(distinct(facet), facet.columns);
  return (height + 20) * rows + 44;
}

const rowsOf = (parts: number, columns: unknown): number =>
  Math.ceil(parts / (typeof columns === 'number' ? Math.max(columns, 1) : 1));

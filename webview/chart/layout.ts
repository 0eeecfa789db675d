/** Sizes of charts, and the configuration that depends on the width and on the number and length of the values. */
import type { Config } from 'vega-lite';
import { fieldsOf, isFields, type Fields } from '../../src/shared/text/checks.ts';
import { fieldsIn, objectsIn, without } from '../../src/shared/chart/json.ts';
import { countDistinct, type Count, encodingOf, unitsOf, withFoldedNames } from '../../src/shared/chart/units.ts';
import type { ResultTable } from '../../src/shared/wire/toolPayloads.ts';
import {
  axisRoom,
  isDiscrete,
  labelLimits,
  labelWidth,
  legendLayout,
  numberWidth,
  withLegendsBelow,
  xLabels,
  yAxisWidth,
} from './labels.ts';

export interface Layout {
  spec: Fields;
  config: Config;
  /** The width to scale a composition to; undefined for a single plot, which Vega fits to any width. */
  scaleTo?: number;
}
/** Maximum height of a plot, in pixels. */
const tallest = 600;
/** Maximum number of rows of a result whose created categories each get a bar of the usual height. */
const mostSteps = 100;
/** Pixels between two views. */
const spacing = 20;
/** Widths in pixels of a plot from which the first and the last label of its x axis fit beside each other. */
const twoDates = 154;
const twoNumbers = 100;
const slanted = { labelAngle: -40 };

/** Sizes every view to fit the width of the container in pixels. Vega adds the height of labels and legends. */
export function layOut(given: Fields, result: ResultTable, width: number): Layout {
  const spec = withLegendsBelow(given, width);
  const table = withFoldedNames(spec, result);
  const count = countDistinct(table);
  const legend = legendLayout(spec, table, width, count);
  const point = isOnePlace(spec, table, count) ? { point: { size: 60 } } : {};
  const config: Config = {
    legend: legend.config,
    line: point,
    area: point,
    axis: { labelLimit: labelLimits(width).y },
  };
  const encodings = unitsOf(spec).map(({ encoding }) => encoding);
  const sized = isSingle(spec) ? undefined : sizeParts(without(spec, 'autosize'), width - 12 - legend.width, count);
  const room = sized ? narrowestOf(sized) - axisRoom : width - yAxisWidth(spec, table, width) - legend.width;
  config.axisX = { titleLimit: Math.max(inTens(room), 60) };
  const numbers = encodings.map(({ x }) => x).filter((x) => isFields(x) && x.type === 'quantitative') as Fields[];
  const widest = Math.max(twoNumbers / 2, ...numbers.map((x) => numberWidth(table, x)));
  // Vega shows at least two labels, even if they overlap.
  if (room < twoDates && encodings.some(hasLongDates)) config.axisXTemporal = slanted;
  if (room < 2 * widest && numbers.length > 0) config.axisXQuantitative = slanted;
  if (sized) return { spec: sized, config, scaleTo: width };
  const x = encodings.map((encoding) => encoding.x).find(isDiscrete);
  // Vega fits the chart only once, before the last number and the titles have their final places.
  config.title = { limit: inTens(width - 14) };
  if (x) config.axisXDiscrete = xLabels(labelWidth(table, x), count(x), room, width);
  const isSlanted = config.axisXDiscrete?.labelAngle || config.axisXTemporal || config.axisXQuantitative;
  // A slanted label starts slightly before its reserved space, and ends below its mark.
  config.padding = {
    ...(isSlanted ? { left: 9 } : {}),
    ...(numbers.length > 0 && !config.axisXQuantitative ? { right: 38 } : {}),
  };
  const bars = unitsOf(spec).find(({ mark, encoding }) => mark === 'bar' && isBesideOthers(encoding));
  if (bars)
    config.bar = { continuousBandSize: between((width * 0.6) / count(bars.encoding.x, result.rows.length), 1, 40) };
  const plotHeight = heightOf(spec, table, width, count);
  const height = typeof plotHeight === 'number' ? Math.max(plotHeight, legend.height - 40) : plotHeight;
  const autosize = { type: 'fit-x', contains: 'padding' };
  if (typeof height === 'number') config.axisY = { titleLimit: inTens(height) };
  return { spec: { ...spec, width, height, autosize }, config };
}

function isSingle(spec: Fields): boolean {
  const { row, column, facet } = encodingOf(spec);
  return (spec.mark !== undefined || spec.layer !== undefined) && ![row, column, facet].some(isFields);
}

/** Whether dates have the format of the specification or of its unit of time, which can be longer than Vega's own. */
const hasLongDates = ({ x }: Fields): boolean =>
  isFields(x) &&
  x.type === 'temporal' &&
  (x.timeUnit !== undefined || (isFields(x.axis) && typeof x.axis.format === 'string'));

/** Whether lines and areas have a single point, which is visible only as a point mark. */
function isOnePlace(spec: Fields, { rows }: ResultTable, count: Count): boolean {
  const isPlace = (channel: unknown): boolean =>
    isFields(channel) &&
    channel.field !== undefined &&
    channel.type !== 'quantitative' &&
    count(channel, Infinity) === 1;
  const lines = unitsOf(spec).filter(({ mark }) => mark === 'line' || mark === 'area');
  return lines.length > 0 && lines.every(({ encoding: { x, y } }) => rows.length === 1 || isPlace(x) || isPlace(y));
}

/** Whether bars are placed along a continuous x axis, which gives them no width. */
function isBesideOthers({ x, y }: Fields): boolean {
  if (!isFields(x) || isDiscrete(y) || x.bin !== undefined || x.timeUnit !== undefined) return false;
  return x.aggregate === undefined && (x.type === 'temporal' || x.type === 'quantitative');
}

/** Height of the plot area in pixels, or of each of its bars if a transform creates them. */
function heightOf(spec: Fields, table: ResultTable, width: number, count: Count): number | { step: number } {
  const { height } = spec;
  if (typeof height === 'number') return between(height, 90, tallest);
  const units = unitsOf(spec);
  const tall = units.find(({ encoding }) => isDiscrete(encoding.y))?.encoding;
  const step = isFields(height) && typeof height.step === 'number' ? between(height.step, 8, 60) : 22;
  if (tall && labelWidth(table, tall.y as Fields) === Infinity)
    return table.rows.length <= mostSteps ? { step } : tallest;
  if (tall) return between(count(tall.y) * count(tall.yOffset) * step, 90, tallest);
  const isRound = units.some(({ mark }) => mark === 'arc');
  return Math.round(isRound ? between(width * 0.8, 180, 310) : between(width * 0.56 - 48, 140, 270));
}

/** Rounds down, so that resizing by a pixel does not redraw the chart. */
const inTens = (value: number): number => Math.floor(value / 10) * 10;
const between = (value: number, low: number, high: number): number => Math.max(low, Math.min(value, high));

/** Sizes the views of a composition so that they fill about `width` side by side. */
function sizeParts(spec: Fields, width: number, count: Count): Fields {
  const divide = (parts: number): number => Math.floor((width + spacing) / Math.max(parts, 1)) - spacing;
  for (const key of ['vconcat', 'hconcat', 'concat']) {
    if (!Array.isArray(spec[key])) continue;
    const parts = fieldsIn(spec[key]);
    const wrapped = columnsOf(spec, parts.length, width);
    const columns = key === 'vconcat' ? 1 : key === 'hconcat' ? parts.length : wrapped;
    const sized = parts.map((part) => sizeParts(part, divide(columns), count));
    return { ...spec, ...(key === 'concat' ? { columns } : {}), [key]: sized };
  }
  if (!isFields(spec.spec)) return sizeUnit(spec, width, count);
  const { facet, repeat } = spec;
  // Small charts wrap in a single sequence, but not with row or column facets.
  const sequence = Array.isArray(repeat)
    ? repeat.length
    : isFields(facet) && facet.field !== undefined && count(facet, Infinity);
  if (sequence !== false) {
    const columns = columnsOf(spec, sequence, width);
    return { ...spec, columns, spec: sizeParts(spec.spec, divide(columns), count) };
  }
  const { column } = isFields(repeat) ? repeat : fieldsOf(facet);
  const columns = Array.isArray(column) ? column.length : count(column);
  return { ...spec, spec: sizeParts(spec.spec, divide(columns), count) };
}

/** @returns the width in pixels of the narrowest plot of a sized composition */
const narrowestOf = (sized: Fields): number =>
  Math.min(
    ...objectsIn(sized)
      .filter(({ mark, layer }) => mark !== undefined || layer !== undefined)
      .map(({ width }) => (typeof width === 'number' ? width : Infinity)),
  );

function columnsOf(spec: Fields, parts: number, width: number): number {
  const most = Math.max(1, Math.floor(width / 170));
  const asked = typeof spec.columns === 'number' && spec.columns > 0 ? spec.columns : Number.POSITIVE_INFINITY;
  return Math.max(1, Math.min(asked, most, parts));
}

function sizeUnit(spec: Fields, width: number, count: Count): Fields {
  const encoding = { ...encodingOf(spec) };
  const facet = isFields(encoding.facet) ? encoding.facet : undefined;
  const columns = facet ? columnsOf(facet, count(facet, Infinity), width) : count(encoding.column);
  if (facet) encoding.facet = { ...facet, columns };
  const room = Math.max(40, Math.floor(width / columns) - (columns > 1 ? 16 : 0));
  const height = spec.height === 'container' ? 200 : spec.height;
  const isFree = height === undefined && !isDiscrete(encoding.y);
  return {
    ...spec,
    ...(spec.encoding === undefined ? {} : { encoding }),
    width: room,
    height: isFree ? Math.round(between(room * 0.75, 70, 220)) : height,
  };
}

/** Sizes of charts, and the configuration that depends on the width. Labels are measured and fitted once they are drawn. */
import type { Config } from 'vega-lite';
import { fieldsOf, isFields, type Fields } from '../../src/shared/text/checks.ts';
import { fieldsIn, rewrite, without } from '../../src/shared/chart/json.ts';
import { countDistinct, type Count, encodingOf, unitsOf, withFoldedNames } from '../../src/shared/chart/units.ts';
import type { ResultTable } from '../../src/shared/wire/toolPayloads.ts';
import { fitted, shortest, tallest } from './fit.ts';

export interface Layout {
  spec: Fields;
  config: Config;
  /** The width of the picture, in pixels. */
  width: number;
  /** Whether it has several plots, which are scaled to the width; Vega fits a single one. */
  isComposition: boolean;
}

/** Pixels between two views. */
const spacing = 20;
/** Minimum width in pixels of views that are wrapped. */
const leastPart = 150;
/** Minimum width in pixels of views that the specification has side by side. */
const leastBeside = 100;
/** Chart width in pixels from which legends are beside the chart. */
const besideFrom = 440;
/** Pixels of a legend's symbol with its margin. */
const symbol = 30;

/** @param width of the chart in pixels */
export const isNarrow = (width: number): boolean => width < 340;

/** Sizes every view to fit the width of the container in pixels. Vega adds the height of labels and legends. */
export function layOut(given: Fields, result: ResultTable, width: number): Layout {
  const table = withFoldedNames(given, result);
  const count = countDistinct(table);
  const units = unitsOf(given);
  const isBelow = width < besideFrom;
  const spec = withParameters(isBelow ? withLegendsBelow(given) : given);
  const point = isOnePlace(given, table, count) ? { point: { size: 60 } } : {};
  const config = {
    line: point,
    area: point,
    axis: { labelLimit: isNarrow(width) ? 90 : 140 },
    axisX: { titleLimit: { expr: 'fit_x_title' } },
    axisXDiscrete: {
      labelLimit: isNarrow(width) ? 80 : 110,
      labelOverlap: { expr: 'fit_x_angle === -90' },
    },
    legend: {
      columns: { expr: 'fit_legend_columns' },
      labelLimit: inTens(isBelow ? width : Math.max(80, width * 0.35)) - symbol,
      // Below the chart, legends start at its left edge instead of that of the plot, and each has the whole width.
      layout: { bottom: { frame: 'bounds', direction: 'vertical' }, top: { frame: 'bounds', direction: 'vertical' } },
      ...(isBelow ? { orient: 'bottom', gradientLength: 150 } : {}),
    },
  };
  if (!isSingle(spec))
    return {
      spec: sizeParts(without(spec, 'autosize'), width, count),
      config: config as unknown as Config,
      width,
      isComposition: true,
    };
  const bars = units.find(({ mark, encoding }) => mark === 'bar' && isBesideOthers(encoding));
  const bandSize = bars && between((width * 0.6) / count(bars.encoding.x, result.rows.length), 1, 40);
  const height = heightOf(spec, width);
  const single = {
    ...config,
    title: { limit: inTens(width - 14) },
    ...(bandSize === undefined ? {} : { bar: { continuousBandSize: bandSize } }),
    ...(typeof height === 'number' ? { axisY: { titleLimit: inTens(height) } } : {}),
  };
  const autosize = { type: 'fit-x', contains: 'padding' };
  return {
    spec: { ...spec, width, height, autosize },
    config: single as unknown as Config,
    width,
    isComposition: false,
  };
}

/** Vega-Lite takes no parameter as an angle from a configuration, and does not align labels by it. */
const labelsOf = ({ labelAngle, orient }: Fields): Fields =>
  labelAngle === undefined
    ? {
        labelAngle: { expr: 'fit_x_angle' },
        labelAlign: { expr: `fit_x_angle ? '${orient === 'top' ? 'left' : 'right'}' : 'center'` },
        labelBaseline: { expr: `fit_x_angle === -90 ? 'middle' : '${orient === 'top' ? 'bottom' : 'top'}'` },
      }
    : {};

const withParameters = (spec: Fields): Fields => ({
  ...(rewrite(spec, (key, member) =>
    key === 'x' && isFields(member) && member.axis !== null
      ? { ...member, axis: { ...labelsOf(fieldsOf(member.axis)), ...fieldsOf(member.axis) } }
      : member,
  ) as Fields),
  params: [...fieldsIn(spec.params), ...Object.entries(fitted).map(([name, value]) => ({ name, value }))],
});

/** @returns the specification without legends beside a chart that has no room for them */
const withLegendsBelow = (spec: Fields): Fields =>
  rewrite(spec, (key, member) =>
    key === 'legend' && isFields(member) && /^(left|right|none)$/.test(String(member.orient))
      ? without(member, 'orient', 'legendX', 'legendY')
      : member,
  ) as Fields;

function isSingle(spec: Fields): boolean {
  const { row, column, facet } = encodingOf(spec);
  return (spec.mark !== undefined || spec.layer !== undefined) && ![row, column, facet].some(isFields);
}

/** @returns whether a channel is discrete, so that each value has its own label */
function isDiscrete(channel: unknown): channel is Fields {
  if (!isFields(channel) || channel.aggregate !== undefined) return false;
  // Without a type, a plain field is discrete.
  const { type = channel.bin === undefined && channel.timeUnit === undefined ? 'nominal' : undefined } = channel;
  return typeof channel.field === 'string' && (type === 'nominal' || type === 'ordinal');
}

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

/** Height of the plot area in pixels, or of each of its bars. */
function heightOf(spec: Fields, width: number): number | { step: number } {
  const { height } = spec;
  if (typeof height === 'number') return between(height, shortest, tallest);
  const units = unitsOf(spec);
  const step = isFields(height) && typeof height.step === 'number' ? between(height.step, 8, 60) : 22;
  if (units.some(({ encoding }) => isDiscrete(encoding.y))) return { step };
  const isRound = units.some(({ mark }) => mark === 'arc');
  return Math.round(isRound ? between(width * 0.8, 180, 310) : between(width * 0.56 - 48, 140, 270));
}

/** Rounds down, so that resizing by a pixel does not redraw the chart. */
const inTens = (value: number): number => Math.floor(value / 10) * 10;
const between = (value: number, low: number, high: number): number => Math.max(low, Math.min(value, high));

/** Gives the views of a composition about `room` pixels side by side, and wraps those that would be too narrow. */
function sizeParts(spec: Fields, room: number, count: Count): Fields {
  const most = Math.max(1, Math.floor((room + spacing) / (leastPart + spacing)));
  const columnsOf = ({ columns }: Fields, parts = Infinity): number =>
    Math.min(most, parts, typeof columns === 'number' && columns > 0 ? columns : Infinity);
  const share = (parts: number): number => Math.floor((room + spacing) / Math.max(1, parts)) - spacing;
  const { vconcat, hconcat, concat = hconcat, repeat, facet, spec: part } = spec;
  if (Array.isArray(vconcat)) return { ...spec, vconcat: fieldsIn(vconcat).map((one) => sizeParts(one, room, count)) };
  if (Array.isArray(concat)) {
    const columns = hconcat && share(concat.length) >= leastBeside ? concat.length : columnsOf(spec, concat.length);
    return {
      ...without(spec, 'hconcat'),
      columns,
      concat: fieldsIn(concat).map((one) => sizeParts(one, share(columns), count)),
    };
  }
  if (isFields(part)) {
    const isWrapped = Array.isArray(repeat) || (isFields(facet) && facet.field !== undefined);
    const parts = Array.isArray(repeat) ? repeat.length : count(facet, Infinity);
    if (isWrapped)
      return { ...spec, columns: columnsOf(spec, parts), spec: sizeParts(part, share(columnsOf(spec, parts)), count) };
    const { column } = isFields(repeat) ? repeat : fieldsOf(facet);
    return { ...spec, spec: sizeParts(part, share(Array.isArray(column) ? column.length : count(column)), count) };
  }
  const { facet: wrapped, ...encoding } = encodingOf(spec);
  const columns = isFields(wrapped) ? columnsOf(wrapped, count(wrapped, Infinity)) : count(encoding.column);
  const width = share(columns);
  const height = spec.height === 'container' ? 200 : spec.height;
  return {
    ...spec,
    ...(isFields(wrapped) ? { encoding: { ...encoding, facet: { ...wrapped, columns } } } : {}),
    width,
    height: height ?? (isDiscrete(encoding.y) ? undefined : Math.round(between(width * 0.75, 70, 220))),
  };
}

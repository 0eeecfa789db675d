/** Chooses a chart for a result: a Vega-Lite v5 specification without data, or none. */
import type { QueryResult } from '../data/client.ts';
import type { ChartKind, Intent } from './question/intent.ts';
import type { Plan, PlanColumn } from './plan.ts';

type Json = Record<string, unknown>;

const MAX_SERIES = 12;
const MAX_BARS = 40;
const MAX_SLICES = 8;

const timeUnits: Readonly<Record<string, string>> = {
  day: 'yearmonthdate',
  week: 'yearmonthdate',
  month: 'yearmonth',
  quarter: 'yearquarter',
  year: 'year',
};

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function axisFormat({ format }: PlanColumn): Json {
  if (format === 'currency') return { axis: { format: '$~s' } };
  return format === 'percent' ? { axis: { labelExpr: "datum.label + ' %'" } } : { axis: { format: '~s' } };
}

const quantity = (column: PlanColumn, extra: Json = {}): Json => ({
  field: column.name,
  type: 'quantitative',
  title: column.title,
  ...axisFormat(column),
  ...extra,
});
const nominal = (column: PlanColumn, extra: Json = {}): Json => ({
  field: column.name,
  type: 'nominal',
  title: sentence(column.title),
  ...extra,
});
const along = (column: PlanColumn): Json =>
  column.role === 'time'
    ? {
        field: column.name,
        type: 'temporal',
        timeUnit: timeUnits[column.name] ?? 'yearmonthdate',
        title: sentence(column.title),
      }
    : { field: column.name, type: 'ordinal', sort: null, title: sentence(column.title) };

function distinct(result: QueryResult, name: string): number {
  const index = result.schema.findIndex((column) => column.name === name);
  return new Set(result.data.map((row) => row[index])).size;
}

interface Shape {
  axis?: PlanColumn;
  groups: PlanColumn[];
  values: PlanColumn[];
}

function shapeOf(plan: Plan): Shape {
  const axis = plan.columns.find(({ role }) => role === 'time' || role === 'part');
  const groups = plan.columns.filter(({ role }) => role === 'dimension' || role === 'period');
  const measures = plan.columns.filter(({ role }) => role === 'measure');
  // Prefer the requested derived column, such as a running total, to the measure itself.
  const made = plan.columns.filter(({ role }) => role === 'total' || role === 'change');
  return { ...(axis ? { axis } : {}), groups, values: made.length > 0 ? made : measures };
}

function overTime({ axis, groups, values }: Shape & { axis: PlanColumn }, wanted: ChartKind | undefined): Json {
  const [value] = values;
  const [group] = groups;
  if (!value) return {};
  if (values.length > 1) return manyMeasures(axis, values, { type: 'line', point: true });
  const mark = wanted ?? ((axis.role === 'part' && !group) || value.role === 'change' ? 'bar' : 'line');
  const encoding: Json = { x: along(axis), y: quantity(value) };
  if (group) encoding.color = nominal(group);
  if (mark === 'stacked') return { mark: { type: 'bar' }, encoding };
  if (mark === 'bar') {
    if (group) encoding.xOffset = nominal(group);
    return { mark: { type: 'bar' }, encoding };
  }
  if (mark === 'area') return { mark: { type: 'area', opacity: 0.8 }, encoding };
  return { mark: { type: 'line', point: true }, encoding };
}

/** Draws each measure in a separate row with its own scale, since their magnitudes are unrelated. */
function manyMeasures(axis: PlanColumn, values: readonly PlanColumn[], mark: Json): Json {
  return {
    vconcat: values.map((value) => ({
      width: 320,
      height: 140,
      mark,
      encoding: { x: along(axis), y: quantity(value) },
    })),
  };
}

function acrossGroups(
  { groups, values }: Shape,
  wanted: ChartKind | undefined,
  result: QueryResult,
  share: boolean,
): Json | undefined {
  const [value, second] = values;
  const [group, inner] = groups;
  if (!value || !group) return undefined;
  const marks = distinct(result, group.name);
  if (second && wanted !== 'scatter' && marks <= MAX_SERIES) return manyMeasures(group, values, { type: 'bar' });
  if (second && wanted !== 'bar')
    return {
      mark: { type: 'point', filled: true, size: 80 },
      encoding: {
        x: quantity(value),
        y: quantity(second),
        tooltip: [nominal(group), quantity(value), quantity(second)],
      },
    };
  if (marks > MAX_BARS) return undefined;
  const slices = !inner && marks <= MAX_SLICES && value.additive === true;
  if (wanted === 'pie' ? !inner : slices && share && wanted === undefined)
    return {
      mark: { type: 'arc', innerRadius: wanted === 'pie' ? 0 : 60 },
      encoding: {
        theta: quantity(value, { stack: true }),
        color: nominal(group, { sort: null }),
        order: { field: value.name, sort: 'descending' },
      },
    };
  if (inner && distinct(result, inner.name) > MAX_SERIES) return undefined;
  const stacked =
    wanted === 'stacked' || (wanted === undefined && inner?.role === 'dimension' && value.additive === true);
  return {
    mark: { type: 'bar' },
    encoding: {
      y: nominal(group, { sort: inner ? '-x' : null }),
      x: quantity(value),
      ...(inner ? { color: nominal(inner), ...(stacked ? {} : { yOffset: nominal(inner) }) } : {}),
    },
  };
}

/**
 * @param result all rows of the query
 * @returns the specification as JSON text, or `undefined` if a chart would add nothing to the table
 */
export function chooseChart(intent: Intent, plan: Plan, result: QueryResult): string | undefined {
  if (intent.chart === 'none' || result.data.length < 2) return undefined;
  const shape = shapeOf(plan);
  const { axis, groups } = shape;
  const [group] = groups;
  if (axis && group && distinct(result, group.name) > MAX_SERIES) return undefined;
  if (axis && groups.length > 1) return undefined;
  const drawing = axis
    ? overTime({ ...shape, axis }, intent.chart)
    : acrossGroups(shape, intent.chart, result, intent.share);
  if (!drawing || Object.keys(drawing).length === 0) return undefined;
  return JSON.stringify({
    $schema: 'https://vega.github.io/schema/vega-lite/v5.json',
    title: plan.title,
    ...('vconcat' in drawing ? {} : { width: 'container' }),
    ...drawing,
  });
}

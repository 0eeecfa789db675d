/** Common scales for charts that are compared, so that equal values have equal places and lengths. */
import { fieldsOf, isFields, type Fields } from '../text/checks.ts';
import { cellText, isNull } from '../results/cells.ts';
import type { ResultTable } from '../wire/toolPayloads.ts';
import { rewrite } from './json.ts';
import { chartNumber } from './mismatches.ts';
import { plainName } from './names.ts';
import { chartRows, type ChartRow } from './rows.ts';
import { transformsOf, unitsOf, type Unit } from './units.ts';

export interface ComparedChart {
  /** Vega-Lite specification as JSON text. */
  spec: string;
  table: ResultTable;
}
type Axis = 'x' | 'y';
/** A view with an axis, and the rows that it shows. */
interface Shown {
  unit: Unit;
  rows: readonly ChartRow[];
}

/**
 * @param charts two or more charts
 * @returns their specifications as JSON text, in which each axis that all charts have in common has the smallest domain
 * that contains the values of all charts. An axis is unchanged if it has a domain, bins or units of time of its own, or if
 * the chart has transforms or several plots.
 */
export function withCommonScales(charts: readonly ComparedChart[]): string[] {
  const parsed = charts.map(({ spec, table }) => ({ spec: parse(spec), table }));
  const shown = parsed.map(({ spec, table }) =>
    isSinglePlot(spec) ? unitsOf(spec).map((unit) => ({ unit, rows: chartRows(spec, table) })) : [],
  );
  const domains = { x: commonDomain(shown, 'x'), y: commonDomain(shown, 'y') };
  if (!domains.x && !domains.y) return charts.map(({ spec }) => spec);
  const scaled = (definition: unknown, domain: unknown[] | undefined): unknown => {
    if (!domain || !isFields(definition)) return definition;
    const nice = typeOf(definition) === 'quantitative' ? { nice: true } : {};
    return { ...definition, scale: { ...nice, ...fieldsOf(definition.scale), domain } };
  };
  return parsed.map(({ spec }) =>
    JSON.stringify(
      rewrite(spec, (key, member, parent) =>
        key === 'x' || key === 'y' ? (isEncoding(parent) ? scaled(member, domains[key]) : member) : member,
      ),
    ),
  );
}

const isEncoding = (fields: Fields): boolean => isFields(fields.x) || isFields(fields.y);

function parse(text: string): Fields {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return {};
  }
}

function isSinglePlot(spec: Fields): boolean {
  const facets = unitsOf(spec).flatMap(({ encoding: { row, column, facet } }) => [row, column, facet].filter(isFields));
  return (
    (spec.mark !== undefined || spec.layer !== undefined) && facets.length === 0 && transformsOf(spec).length === 0
  );
}

/** @returns the type of a channel, which Vega-Lite derives if it is not set */
function typeOf({ type, aggregate, bin, timeUnit }: Fields): unknown {
  return type ?? (aggregate !== undefined || bin ? 'quantitative' : timeUnit !== undefined ? 'temporal' : 'nominal');
}

const common = <Value>(values: readonly Value[]): Value | undefined =>
  values.every((value) => value === values[0]) ? values[0] : undefined;

function commonDomain(charts: readonly (readonly Shown[])[], axis: Axis): unknown[] | undefined {
  const shown = charts.map((views) => views.filter(({ unit }) => isFields(unit.encoding[axis])));
  if (shown.length < 2 || shown.some((views) => views.length === 0)) return undefined;
  const all = shown.flat();
  const channels = all.map(({ unit }) => unit.encoding[axis] as Fields);
  const hasOwn = ({ scale, bin, timeUnit }: Fields): boolean =>
    Boolean(bin) || timeUnit !== undefined || scale === null || fieldsOf(scale).domain !== undefined;
  if (channels.some(hasOwn)) return undefined;
  switch (common(channels.map(typeOf))) {
    case 'quantitative':
      return numericDomain(all, axis, channels[0]!);
    case 'temporal': {
      const times = all
        .flatMap((one) => valuesOf(one, axis))
        .flatMap((time) => (isNull(time) ? [] : [Date.parse(String(time))]));
      return extent(times);
    }
    case 'nominal':
    case 'ordinal': {
      if (channels.some(({ sort }) => sort !== undefined && sort !== 'ascending')) return undefined;
      const values = [...new Set(all.flatMap((one) => valuesOf(one, axis)))].filter((value) => !isNull(value));
      return values.sort(
        (a, b) => (chartNumber(a) ?? NaN) - (chartNumber(b) ?? NaN) || (cellText(a) < cellText(b) ? -1 : 1),
      );
    }
    default:
      return undefined;
  }
}

const valuesOf = ({ unit, rows }: Shown, channel: string): unknown[] => {
  const name = plainName(String((unit.encoding[channel] as Fields).field));
  return rows.map((row) => row[name]);
};

function extent(values: readonly number[]): number[] | undefined {
  const all = values.filter((value) => !Number.isNaN(value));
  const ends = [Math.min, Math.max].map((end) => all.reduce((a, b) => end(a, b), all[0] ?? NaN));
  return ends.every(Number.isFinite) ? ends : undefined;
}

function numericDomain(shown: readonly Shown[], axis: Axis, { scale }: Fields): number[] | undefined {
  const { type, zero } = fieldsOf(scale);
  const ends = shown.map((one) => endsOf(one, axis));
  if (ends.includes(undefined)) return undefined;
  return extent([...ends.flatMap((values) => values ?? []), ...(type === 'log' || zero === false ? [] : [0])]);
}

const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0);
const aggregates: Readonly<Record<string, (values: readonly number[]) => number>> = {
  count: ({ length }) => length,
  sum,
  mean: (values) => sum(values) / values.length,
  average: (values) => sum(values) / values.length,
  min: (values) => values.reduce((a, b) => Math.min(a, b)),
  max: (values) => values.reduce((a, b) => Math.max(a, b)),
};

/** @returns the numbers that a view shows on an axis; undefined if only Vega can tell */
function endsOf(shown: Shown, axis: Axis): number[] | undefined {
  const { mark, encoding } = shown.unit;
  const { field, aggregate, stack } = encoding[axis] as Fields;
  const combine = aggregate === undefined ? undefined : aggregates[String(aggregate)];
  if (stack === 'normalize' || stack === 'center' || (aggregate !== undefined && !combine)) return undefined;
  if (!/^(bar|area|line|point|circle|square|tick|rule|text|trail|rect)$/.test(mark)) return undefined;
  const others = Object.entries(encoding).filter(
    ([channel, one]) => channel !== axis && isFields(one) && one.field !== undefined && one.aggregate === undefined,
  );
  const isGrouped = others.some(
    ([, one]) => (one as Fields).timeUnit !== undefined || (one as Fields).bin !== undefined,
  );
  if (combine && isGrouped) return undefined;
  const columns = others.map(([channel]) => ({ channel, values: valuesOf(shown, channel) }));
  const places = columns.filter(({ channel }) => /^[xy](Offset)?$/.test(channel));
  const keyOf = (used: typeof columns, row: number): string =>
    used.map(({ values }) => cellText(values[row])).join('\0');
  const values = field === undefined ? shown.rows.map(() => 1) : valuesOf(shown, axis);
  const groups = Map.groupBy(values.keys(), (row) => (combine ? keyOf(columns, row) : String(row)));
  const lengths = [...groups.values()].flatMap((rows) => {
    const numbers = rows.flatMap((row) => chartNumber(values[row]) ?? []);
    return numbers.length > 0 ? [{ row: rows[0]!, length: combine ? combine(numbers) : numbers[0]! }] : [];
  });
  const isStacked = /^(bar|area)$/.test(mark) && stack !== null && stack !== false && places.length < columns.length;
  if (!isStacked) return lengths.map(({ length }) => length);
  // Negative parts of a stack are on the other side of zero.
  const stacks = Map.groupBy(lengths, ({ row, length }) => `${keyOf(places, row)}\0${Math.sign(length)}`);
  return [...stacks.values()].map((parts) => sum(parts.map(({ length }) => length)));
}

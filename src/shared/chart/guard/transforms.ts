import { isFields, listOf, type Fields } from '../json.ts';
import { either, scalar, type Bounds } from './bounds.ts';
import type { Dataset } from './dataset.ts';
import { atMost, limits, refuse } from '../limits.ts';

/** A transform of the compiled chart, and what it is applied to. */
export interface Step {
  transform: Fields;
  data: Dataset;
  /** Bounds of a parameter that is a number, a list or an expression. */
  value: (parameter: unknown) => Bounds;
  /** Time of an expression for each row. */
  expression: (text: unknown, datum: Bounds) => Bounds;
  /** Names a signal that the transform makes. */
  signal: (name: unknown, bounds: Bounds) => void;
  /** Rows of another data set. */
  rows: (name: unknown) => number;
  /** How many times over this is computed, once for each small chart. */
  copies: number;
}
interface Effect {
  rows?: number;
  fields?: [string, Bounds][];
  /** Microseconds for each row. */
  time?: number;
}
type Transform = (step: Step) => Effect;

const one = (name: unknown, bounds: Bounds): [string, Bounds][] => (typeof name === 'string' ? [[name, bounds]] : []);
const many = (names: unknown, bounds: Bounds): [string, Bounds][] => listOf(names).flatMap((name) => one(name, bounds));
const numbers = (rows: number): Bounds => ({ ...scalar, distinct: rows });
const lengthOf = (list: unknown): number => listOf(list).length;

function literal({ transform, value }: Step, key: string, low: number, high: number): number | undefined {
  if (transform[key] === undefined) return undefined;
  const bounds = value(transform[key]);
  atMost(bounds.high, high, key);
  atMost(-bounds.low, -low, key);
  return bounds.high;
}

/** Microseconds of an aggregate for each row, where it is more than adding up. */
const slow: Readonly<Record<string, number>> = {
  median: 1,
  q1: 1,
  q3: 1,
  distinct: 0.5,
  values: 0.5,
  ci0: 40,
  ci1: 40,
};
const aggregates = (ops: unknown): number =>
  0.3 + listOf(ops).reduce<number>((sum, op) => sum + (slow[String(op)] ?? 0.15), 0);

/** Extra names that a transform gives to what it makes, its own `as` or those of its operations. */
const made = ({ transform, data }: Step, rows: number): [string, Bounds][] => {
  const from = listOf(transform.fields).map((field) => data.field(field));
  return listOf(transform.as).flatMap((name, index) => {
    const source = from[index] ?? scalar;
    const isList = listOf(transform.ops)[index] === 'values';
    return one(name, {
      ...source,
      distinct: rows,
      items: isList ? data.rows : source.items,
      low: -Infinity,
      high: Infinity,
    });
  });
};

const unchanged: Transform = () => ({});
const sampled: Transform = (step) => {
  const { transform, data } = step;
  const steps = literal(step, 'steps', 1, 1_000) ?? literal(step, 'maxsteps', 1, 1_000) ?? 200;
  literal(step, 'minsteps', 1, 1_000);
  const rows = Math.ceil(steps * data.groups(transform.groupby));
  const [at = 'value', density = 'density'] = listOf(transform.as) as string[];
  const places = transform.resolve === 'shared' ? steps : rows;
  return {
    rows,
    fields: [
      [at, numbers(places)],
      [density, numbers(rows)],
    ],
    time: steps * 0.05,
  };
};

const bin: Transform = (step) => {
  const { transform, data, value, signal } = step;
  const field = data.field(transform.field);
  const { low, high } = transform.extent === undefined ? field : either(field, value(transform.extent));
  literal(step, 'base', 2, 1_000);
  literal(step, 'minstep', 1e-9, Infinity);
  const most = literal(step, 'maxbins', 1, 1_000) ?? 20;
  const width = transform.step === undefined ? undefined : value(transform.step).low;
  const steps = lengthOf(transform.steps) || width === undefined ? most : (high - low) / width;
  const bins = steps >= 0 ? Math.ceil(steps) + 2 : Infinity;
  signal(transform.signal, { ...scalar, bins });
  return { fields: many(transform.as, { ...scalar, low, high, distinct: Math.min(field.distinct, bins) }) };
};

const aggregate: Transform = (step) => {
  const { transform, data } = step;
  const groups = data.groups(transform.groupby);
  const rows = transform.cross === true ? groups : Math.min(data.rows, groups);
  return { rows, fields: made(step, rows), time: aggregates(transform.ops) + 0.3 * lengthOf(transform.groupby) };
};

const windowed: Transform = (step) => {
  const { transform, data } = step;
  const [before, after] = Array.isArray(transform.frame) ? (transform.frame as unknown[]) : [null, 0];
  const reach = (side: unknown): number => (typeof side === 'number' ? Math.min(Math.abs(side), data.rows) : data.rows);
  const width = reach(before) + (after === 0 ? 0 : reach(after)) + 1;
  const costly = listOf(transform.ops).filter((op) => Object.hasOwn(slow, String(op)));
  const time =
    1 + lengthOf(transform.ops) + costly.reduce<number>((sum, op) => sum + width * 0.35 * (slow[String(op)] ?? 1), 0);
  return { fields: made(step, data.rows), time };
};

const fold: Transform = ({ transform, data }) => {
  const sources = listOf(transform.fields).map((field) => data.field(field));
  const rows = data.rows * sources.length;
  const [key = 'key', value = 'value'] = listOf(transform.as) as string[];
  const text = Math.max(0, ...sources.map((source) => source.text));
  return {
    rows,
    fields: [
      [key, { ...scalar, text: 200, distinct: sources.length }],
      [value, { ...numbers(rows), text }],
    ],
  };
};

const flatten: Transform = ({ transform, data }) => {
  const lists = listOf(transform.fields).map((field) => data.field(field));
  const rows = data.rows * Math.max(1, ...lists.map(({ items }) => items));
  const names = transform.as === undefined ? transform.fields : transform.as;
  const text = Math.max(0, ...lists.map((list) => list.text));
  return { rows, fields: many(names, { ...numbers(rows), text }) };
};

const impute: Transform = ({ transform, data, value }) => {
  const keys = data.groups([transform.key]) + (transform.keyvals === undefined ? 0 : value(transform.keyvals).items);
  const rows = Math.max(data.rows, keys * data.groups(transform.groupby));
  return { rows, fields: [], time: 1 };
};

const sequence: Transform = (step) => {
  const { transform, value } = step;
  const [start, stop] = [value(transform.start ?? 0), value(transform.stop)];
  const width = Math.abs(value(transform.step ?? 1).low);
  const rows = Math.ceil(Math.max(stop.high - start.low, start.high - stop.low) / width);
  return { rows, fields: one(transform.as ?? 'data', { ...numbers(rows), low: start.low, high: stop.high }) };
};

const quantile: Transform = (step) => {
  const { transform, data } = step;
  const width = literal(step, 'step', 1e-3, 1) ?? 0.01;
  const each = transform.probs === undefined ? 1 / width : lengthOf(transform.probs);
  const rows = Math.ceil(each * data.groups(transform.groupby));
  return { rows, fields: many(transform.as, numbers(rows)) };
};

const regression: Transform = (step) => {
  const { transform, data } = step;
  literal(step, 'order', 0, 20);
  const rows = 210 * data.groups(transform.groupby);
  return { rows, fields: many(transform.as, numbers(rows)), time: 5 };
};

const pivot: Transform = ({ transform, data }) => {
  const columns = Math.min(data.groups([transform.field]), Number(transform.limit) || Infinity);
  atMost(columns, 500, 'pivot');
  return { rows: Math.min(data.rows, data.groups(transform.groupby)), time: 1 + columns * 0.2 };
};

const timeunit: Transform = ({ transform, data }) => {
  const { low, high, distinct } = data.field(transform.field);
  const units = listOf(transform.units).map(String);
  const cycles: Readonly<Record<string, number>> = {
    quarter: 4,
    month: 12,
    week: 54,
    day: 7,
    date: 31,
    dayofyear: 366,
    hours: 24,
    minutes: 60,
    seconds: 60,
  };
  const year = 366 * 864e5;
  const most = units.reduce(
    (product, unit) => product * (unit === 'year' ? Math.ceil((high - low) / year) + 1 : (cycles[unit] ?? Infinity)),
    1,
  );
  const span = units.includes('year') ? { low: low - year, high: high + year } : { low: 13e11, high: 14e11 };
  return { fields: many(transform.as, { ...scalar, ...span, distinct: Math.min(distinct, most) }), time: 2 };
};

const formula: Transform = ({ transform, data, expression }) => ({
  fields: one(transform.as, expression(transform.expr, data.row)),
});
const filter: Transform = ({ transform, data, expression }) => {
  expression(transform.expr, data.row);
  return {};
};

const lookup: Transform = (step) => {
  const { transform, data, rows } = step;
  return { fields: many(transform.as ?? transform.values, { ...data.any, distinct: rows(transform.from) }), time: 0.5 };
};

const loess: Transform = ({ transform, data }) => ({
  fields: many(transform.as, numbers(data.rows)),
  time: data.rows * 0.1,
});

const graticule: Transform = ({ transform }) => {
  for (const key of ['extent', 'extentMajor', 'extentMinor'])
    for (const end of listOf(transform[key]).flat()) atMost(Math.abs(Number(end)), 360, key);
  for (const key of ['step', 'stepMajor', 'stepMinor'])
    for (const width of listOf(transform[key])) atMost(1 / Number(width), 1, key);
  atMost(0.1 / Number(transform.precision ?? 2.5), 1, 'precision');
  return { rows: 1, time: 20_000 };
};

/** Everything that Vega-Lite compiles to. Whatever else Vega can do is refused. */
export const transforms: Readonly<Record<string, Transform>> = {
  aggregate,
  bin,
  collect: () => ({ time: 1 }),
  density: sampled,
  dotbin: () => ({ time: 2 }),
  extent: ({ transform, data, signal }) => {
    signal(transform.signal, { ...data.field(transform.field), items: 2, text: 2 * 32 });
    return {};
  },
  filter,
  flatten,
  fold,
  formula,
  geojson: unchanged,
  geopath: unchanged,
  geopoint: () => ({ time: 2 }),
  geoshape: unchanged,
  graticule,
  identifier: unchanged,
  impute,
  joinaggregate: (step) => ({ fields: made(step, step.data.rows), time: 0.3 + aggregates(step.transform.ops) }),
  kde: sampled,
  loess,
  lookup,
  pivot,
  project: unchanged,
  quantile,
  regression,
  sample: unchanged,
  sequence,
  stack: ({ transform, data }) => ({ fields: many(transform.as ?? ['y0', 'y1'], numbers(data.rows)), time: 1 }),
  timeunit,
  voronoi: () => ({ time: 10 }),
  window: windowed,
};

const multiplying = new Set('aggregate density flatten fold impute kde quantile regression sequence'.split(' '));

/**
 * @returns the data set after a transform, and the microseconds that this takes
 * @throws ChartProblem when the transform is not known, or makes too many rows
 */
export function applyTransform(step: Step): { data: Dataset; time: number } {
  const { transform, data, copies } = step;
  const type = String(transform.type);
  const apply = Object.hasOwn(transforms, type) ? transforms[type] : undefined;
  if (!apply) return refuse(type);
  // Their lengths have to be known.
  for (const key of ['fields', 'groupby', 'ops', 'probs', 'units', 'values', 'steps'])
    if (isFields(transform[key])) refuse(`${type}: ${key}`);
  const { rows = data.rows, fields = [], time = 0.2 } = apply(step);
  if (multiplying.has(type) && rows > data.rows) atMost(rows, limits.rows, type);
  const visited = Math.max(rows, data.rows);
  return {
    data: data.after(rows, fields),
    time: time * visited + 20 * copies + (visited > 1 ? visited * Math.log2(visited) * 0.02 : 0),
  };
}

/** Checks the transforms of a chart, and bounds the rows and fields that they create. */
import { isFields, type Fields } from '../../text/checks.ts';
import { asList } from '../json.ts';
import { atMost, limits, refuse } from '../limits.ts';
import { cycles } from '../units.ts';
import { either, scalar, type Bounds, type Data, type FieldBounds } from './bounds.ts';

export interface Step {
  transform: Fields;
  data: Data;
  fields: FieldBounds;
  value: (parameter: unknown) => Bounds;
  expression: (text: unknown) => Bounds;
  /** Microseconds to draw each shape of the data sources of a map. */
  shapes: ReadonlyMap<readonly unknown[], readonly number[]>;
}
/** The effect of a transform; by default the same number of rows, a number in each new field, and little time. */
interface Effect {
  rows?: number;
  /** Bounds of the new fields, and of the first one if it differs. */
  made?: Partial<Bounds>;
  first?: Partial<Bounds>;
  time?: number;
  bins?: number;
}
type Transform = (step: Step) => Effect;

const count = (value: unknown): number => asList(value).length;

/**
 * @returns the upper bound of a parameter, or `otherwise` if it is not set
 * @throws ChartProblem unless its value is between `low` and `high`
 */
function within({ transform, value }: Step, key: string, low: number, high: number, otherwise: number): number {
  if (transform[key] === undefined) return otherwise;
  const bounds = value(transform[key]);
  atMost(bounds.high, high, key);
  atMost(-bounds.low, -low, key);
  return bounds.high;
}

const groupsOf = ({ transform, data, fields }: Step): number => fields.groups(transform.groupby, data);
/** Bounds of the fields that a transform copies or modifies. */
const taken = ({ transform, fields }: Step): Bounds => either(...asList(transform.fields).map((one) => fields.of(one)));

/** Operations that read all values again, in microseconds per value. */
const slow: Readonly<Record<string, number>> = { median: 1, q1: 1, q3: 1, values: 1, ci0: 40, ci1: 40 };
const slowness = (ops: unknown): number => asList(ops).reduce<number>((sum, op) => sum + (slow[String(op)] ?? 0), 0);

const summary = (step: Step): Effect => {
  const { ops, groupby } = step.transform;
  const { text, items } = taken(step);
  const { rows } = step.data;
  const made = asList(ops).includes('values') ? { text: rows * (text || 32), items: rows } : { text, items };
  return { made, time: 0.3 + 0.15 * count(ops) + slowness(ops) + 0.3 * count(groupby) };
};

const sampled: Transform = (step) => {
  within(step, 'minsteps', 1, 1_000, 1);
  const steps = within(step, 'steps', 1, 1_000, within(step, 'maxsteps', 1, 1_000, 200));
  const rows = steps * groupsOf(step);
  return { rows, made: { distinct: step.transform.resolve === 'shared' ? steps : rows }, time: steps * 0.05 };
};

/**
 * Of a list of steps, Vega takes the last one before the first that gives at most `most` bins, so the gap between these
 * two determines how many more there can be.
 */
function binsOfSteps(steps: readonly unknown[], span: number, most: number): number {
  const sizes = steps.map(Number);
  const last = sizes.at(-1);
  if (last === undefined) return most;
  const gaps = sizes.slice(1).map((size, at) => size / sizes[at]!);
  if (!sizes.every((size) => size > 0)) refuse('bin: steps');
  return Math.max(most, most * Math.max(...gaps), span / last);
}

const bin: Transform = (step) => {
  const { transform, fields, value } = step;
  const field = fields.of(transform.field);
  const { low, high } = transform.extent === undefined ? field : either(field, value(transform.extent));
  within(step, 'base', 2, 1_000, 10);
  const most = within(step, 'maxbins', 1, 1_000, 20);
  const { step: fixed, steps } = transform;
  const span = high - low;
  const bins = Math.ceil(fixed === undefined ? binsOfSteps(asList(steps), span, most) : span / value(fixed).low) + 2;
  atMost(bins, limits.rows, 'bins');
  return { made: { low, high, distinct: Math.min(field.distinct, bins) }, bins };
};

const rolling: Transform = (step) => {
  const { frame, ops } = step.transform;
  const { rows } = step.data;
  const sides: unknown[] = Array.isArray(frame) ? frame : [null, 0];
  const width = sides.reduce<number>((sum, one) => sum + (typeof one === 'number' ? Math.abs(one) : rows), 1);
  return { ...summary(step), time: 1 + count(ops) + Math.min(width, rows) * 0.35 * slowness(ops) };
};

const timeunit: Transform = ({ transform, fields }) => {
  const { low, high, distinct } = fields.of(transform.field);
  const year = 366 * 864e5;
  const units = asList(transform.units).map(String);
  const isDated = units.includes('year');
  const years = Math.ceil((high - low) / year) + 1;
  const most = units.reduce((product, unit) => product * (unit === 'year' ? years : (cycles[unit] ?? 366)), 1);
  const span = isDated ? { low: low - year, high: high + year } : { low: 13e11, high: 14e11 };
  return { made: { ...span, distinct: Math.min(distinct, most) }, time: 2 };
};

const sequence: Transform = ({ transform, value }) => {
  const [start, stop, step] = [transform.start ?? 0, transform.stop, transform.step ?? 1].map(value) as Bounds[];
  const span = Math.max(stop!.high - start!.low, start!.high - stop!.low);
  return { rows: Math.ceil(span / Math.abs(step!.low)), made: { low: start!.low, high: stop!.high } };
};

/** The shapes of a source are drawn once, but those that rows get from another source can be drawn for each row. */
const geoshape: Transform = ({ data, shapes }) => {
  const own = [JSON.stringify(data.source).length * 0.4, ...(shapes.get(data.source) ?? [])];
  const others = [...shapes.values()].flat();
  const each = own.reduce((sum, one) => sum + one, 0) / Math.max(1, data.rows);
  return { time: each + (data.joined === true ? Math.max(0, ...others) : 0) };
};

const graticule: Transform = ({ transform }) => {
  let [step, precision] = [10, 2.5];
  for (const [key, member] of Object.entries(transform)) {
    const numbers = asList(member).flat().map(Number);
    if (key.startsWith('extent')) atMost(Math.max(...numbers.map(Math.abs)), 360, key);
    if (!/^step|^precision/.test(key)) continue;
    atMost(Math.max(...numbers.map((one) => 1 / one)), 10, key);
    if (key.startsWith('step')) step = Math.min(step, ...numbers);
    else precision = Math.min(precision, ...numbers);
  }
  const [lines, points] = [(180 + 360) / step, 360 / precision];
  return { rows: 1, time: lines * points * 5 };
};

/** The transforms that Vega-Lite compiles to. All others are rejected. */
const transforms: Readonly<Record<string, Transform>> = {
  ...Object.fromEntries(
    'collect dotbin extent geojson geopath geopoint identifier project sample stack'
      .split(' ')
      .map((name): [string, Transform] => [name, () => ({})]),
  ),
  aggregate: (step) => {
    const groups = groupsOf(step);
    return { ...summary(step), rows: step.transform.cross === true ? groups : Math.min(step.data.rows, groups) };
  },
  bin,
  density: sampled,
  filter: ({ transform, expression }) => {
    expression(transform.expr);
    return {};
  },
  flatten: (step) => {
    const { items, text } = taken(step);
    return { rows: step.data.rows * Math.max(1, items), made: { text, items } };
  },
  fold: (step) => {
    const folded = count(step.transform.fields);
    return { rows: step.data.rows * folded, made: taken(step), first: { text: 200, distinct: folded } };
  },
  formula: ({ transform, expression }) => ({ made: expression(transform.expr) }),
  geoshape,
  graticule,
  impute: (step) => {
    const { transform, data, fields, value } = step;
    const given = transform.keyvals === undefined ? 0 : value(transform.keyvals).items;
    const keys = Math.min(fields.of(transform.key).distinct, data.rows) + given;
    return { rows: Math.max(data.rows, keys * groupsOf(step)) };
  },
  joinaggregate: summary,
  kde: sampled,
  loess: ({ data }) => ({ time: data.rows * 0.1 }),
  lookup: ({ fields }) => ({ made: fields.any }),
  pivot: (step) => {
    const { transform, data, fields } = step;
    const columns = Math.min(fields.of(transform.field).distinct, data.rows, Number(transform.limit) || Infinity);
    atMost(columns, 500, 'pivot');
    return { time: 1 + columns * 0.2 };
  },
  quantile: (step) => {
    const { probs } = step.transform;
    const each = probs === undefined ? 1 / within(step, 'step', 1e-3, 1, 0.01) : count(probs);
    return { rows: Math.ceil(each * groupsOf(step)) };
  },
  regression: (step) => {
    within(step, 'order', 0, 20, 1);
    return { rows: 210 * groupsOf(step), time: 5 };
  },
  sequence,
  timeunit,
  voronoi: () => ({ time: 10 }),
  window: rolling,
};

/**
 * @returns the data source after a transform, the time in microseconds, and the number of bins
 * @throws ChartProblem if the transform is unknown or creates too many rows
 */
export function applyTransform(step: Step): { data: Data; time: number; bins: number | undefined } {
  const { transform, data, fields } = step;
  const type = String(transform.type);
  const apply = Object.hasOwn(transforms, type) ? transforms[type] : undefined;
  if (!apply) return refuse(type);
  // Reject lists whose length only a signal determines.
  for (const key of ['fields', 'groupby', 'ops', 'probs', 'units', 'values', 'steps'])
    if (isFields(transform[key])) refuse(`${type}: ${key}`);
  const { rows = data.rows, made, first = made, time = 0.4, bins } = apply(step);
  if (!(rows <= data.rows)) atMost(rows, limits.rows, type);
  const names = asList(transform.as ?? (type === 'lookup' ? transform.values : undefined));
  for (const [at, name] of names.entries())
    fields.set(name, { ...scalar, distinct: rows, ...(at === 0 ? first : made) });
  const visited = Math.max(rows, data.rows);
  const joined = data.joined === true || type === 'lookup' || String(transform.expr).includes('data(');
  return {
    data: { ...data, rows, joined },
    time: 20 * data.copies + visited * (time + 0.02 * Math.log2(visited + 1)),
    bins,
  };
}

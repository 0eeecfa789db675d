/**
 * Limits how much a chart creates, where Vega creates it: rows, marks, facets, bins, ticks, lists and texts. A part that
 * exceeds its limit stops the drawing before any work is done.
 */
import { expressionFunction, transforms } from 'vega';
import { expressionInterpreter } from 'vega-interpreter';
import { atMost, limits, refuse } from '../../src/shared/chart/limits.ts';

type Field = (row: unknown) => unknown;
/** The parameters of a transform, by Vega's names. */
type Params = Readonly<Record<string, unknown>>;
interface Pulse {
  source?: readonly unknown[];
  add: readonly unknown[];
  rem: readonly unknown[];
  /** The view. */
  dataflow: object;
}
interface Transform {
  value: unknown;
  transform(params: Params, pulse: Pulse): unknown;
}

const rowsIn = ({ source, add }: Pulse): readonly unknown[] => source ?? add;
const fieldsIn = (fields: unknown): readonly Field[] => (fields ?? []) as readonly Field[];
const largest = (...numbers: readonly unknown[]): number => Math.max(...numbers.map((one) => Number(one ?? 0)));

function groups(fields: unknown, pulse: Pulse): number {
  const groupby = fieldsIn(fields);
  return new Set(rowsIn(pulse).map((row) => groupby.map((field) => String(field(row))).join('\0'))).size;
}

/** Marks of each view. */
const marks = new WeakMap<object, number>();
export const markCount = (view: object): number => marks.get(view) ?? 0;

function countMarks(_: Params, { add, rem, dataflow }: Pulse): number {
  const count = markCount(dataflow) + add.length - rem.length;
  marks.set(dataflow, count);
  return count;
}

/** Operations that read all values of their frame again for each row. */
const slow = /^(median|q1|q3|values|ci[01])$/;

function windowSteps({ frame, ops }: Params, pulse: Pulse): number {
  if (!(ops as unknown[]).some((op) => slow.test(String(op)))) return 0;
  const rows = rowsIn(pulse).length;
  const width = ((frame as unknown[] | undefined) ?? [null, 0]).reduce<number>(
    (sum, side) => sum + (side === null ? rows : Math.abs(Number(side))),
    1,
  );
  return rows * Math.min(rows, width);
}

const positionsIn = (node: unknown): number => {
  if (typeof node !== 'object' || node === null) return 0;
  if (Array.isArray(node) && typeof node[0] === 'number') return 1;
  return Object.values(node).reduce<number>((sum, one) => sum + positionsIn(one), 0);
};

function graticulePositions({ step, stepMajor, stepMinor, precision, ...extents }: Params): number {
  const steps = [10, step, stepMajor, stepMinor].flat().flatMap((one) => (typeof one === 'number' ? [one] : []));
  const span = largest(360, ...(Object.values(extents).flat(2) as number[]).map(Math.abs));
  return ((2 * span) / Math.min(...steps)) * (span / Number(precision ?? 2.5));
}

/** Calendar units in milliseconds. */
const units: Readonly<Record<string, number>> = {
  ...{ millisecond: 1, second: 1e3, minute: 6e4, hour: 36e5, day: 864e5, week: 6e8, month: 25e8, year: 3e10 },
};

function ticks({ count, scale }: Params): number {
  const { interval = count, step = 1 } = (count ?? {}) as Params;
  const unit = units[String(interval).replace(/utc|s$/g, '')];
  if (unit === undefined) return 0;
  const [first, ...rest] = (scale as { domain(): unknown[] }).domain().map(Number);
  return ((rest.at(-1) ?? 0) - (first ?? 0)) / (unit * Number(step));
}

/** What a transform creates before it does so, with its maximum. */
const before: Readonly<Record<string, readonly [most: number, count: (params: Params, pulse: Pulse) => number]>> = {
  sequence: [limits.rows, ({ start, stop, step }) => Math.abs((Number(stop) - Number(start ?? 0)) / Number(step ?? 1))],
  flatten: [
    limits.rows,
    ({ fields }, pulse) =>
      rowsIn(pulse).reduce<number>(
        (sum, row) => sum + largest(...fieldsIn(fields).map((field) => (field(row) as unknown[] | null)?.length)),
        0,
      ),
  ],
  fold: [limits.rows, ({ fields }, pulse) => rowsIn(pulse).length * fieldsIn(fields).length],
  impute: [
    limits.rows,
    ({ groupby, key, keyvals }, pulse) =>
      groups(groupby, pulse) * (groups([key], pulse) + ((keyvals ?? []) as unknown[]).length),
  ],
  kde: [
    limits.rows,
    ({ groupby, steps, minsteps, maxsteps }, pulse) =>
      groups(groupby, pulse) * largest(steps, steps ?? minsteps ?? 25, steps ?? maxsteps ?? 200),
  ],
  density: [limits.rows, ({ steps, minsteps, maxsteps }) => largest(steps, minsteps, maxsteps)],
  quantile: [
    limits.rows,
    ({ groupby, probs, step }, pulse) =>
      groups(groupby, pulse) * ((probs as unknown[] | undefined)?.length ?? 1 / Number(step ?? 0.01)),
  ],
  regression: [limits.rows, ({ groupby, order }, pulse) => groups(groupby, pulse) * 10 * largest(1, order)],
  loess: [limits.steps, (_, pulse) => rowsIn(pulse).length ** 2],
  window: [limits.steps, windowSteps],
  facet: [limits.facets, ({ key }, pulse) => (key ? groups([key], pulse) : 0)],
  pivot: [limits.facets, ({ field }, pulse) => groups([field], pulse)],
  aggregate: [
    limits.rows,
    ({ cross, groupby }, pulse) =>
      cross === true ? fieldsIn(groupby).reduce((product, field) => product * groups([field], pulse), 1) : 0,
  ],
  geoshape: [
    limits.positions,
    ({ field }, pulse) =>
      rowsIn(pulse).reduce<number>(
        (sum, row) => sum + positionsIn(field ? (field as Field)(row) : (row as { datum?: unknown }).datum),
        0,
      ),
  ],
  projection: [limits.positions, ({ fit }) => positionsIn(fit)],
  graticule: [limits.positions, graticulePositions],
  axisticks: [limits.ticks, ticks],
  legendentries: [limits.ticks, ticks],
  datajoin: [limits.marks, countMarks],
};

const prototypeOf = (name: string): Transform => (transforms[name] as unknown as { prototype: Transform }).prototype;

/** The names of specifications for transforms that Vega calls otherwise. */
const words: Readonly<Record<string, string>> = {
  geoshape: 'positions',
  projection: 'positions',
  kde: 'density',
  axisticks: 'tickCount',
  legendentries: 'tickCount',
  datajoin: 'marks',
};

for (const [name, [most, count]] of Object.entries(before)) {
  const prototype = prototypeOf(name);
  const { transform } = prototype;
  prototype.transform = function (params, pulse) {
    atMost(count(params, pulse), most, words[name] ?? name);
    return transform.call(this, params, pulse);
  };
}

/** The number of bins is known only once Vega has chosen their size, before anything is created for each of them. */
const bin = prototypeOf('bin');
const { transform: findBins } = bin;
bin.transform = function (params, pulse) {
  const result = findBins.call(this, params, pulse);
  const { start, stop, step } = this.value as Record<'start' | 'stop' | 'step', number>;
  atMost((stop - start) / step, limits.ticks, 'bins');
  return result;
};

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

/** Makes a function of the expression language check its arguments first. */
function checkFirst(name: string, check: (...args: unknown[]) => void): void {
  const original = expressionFunction(name) as unknown as AnyFunction;
  const checked: AnyFunction = function (...args) {
    check(...args);
    return original.apply(this, args);
  };
  expressionFunction(name, checked);
}

checkFirst('sequence', (first, stop, step) => {
  const [from, to] = stop === undefined ? [0, first] : [first, stop];
  atMost(Math.abs((Number(to) - Number(from)) / Number(step ?? 1)), limits.rows, 'sequence');
});
checkFirst('pad', (_, length) => atMost(Number(length), limits.ticks, 'pad'));
// A number is padded to the width in its format, and one directive of a date can be a whole date.
for (const name of ['format', 'timeFormat', 'utcFormat', 'timeParse', 'utcParse'])
  checkFirst(name, (_, format) => {
    const text = typeof format === 'object' ? JSON.stringify(format) : String(format);
    if (text.length > 500 || /\d{4}/.test(text)) refuse(name);
  });

type Compiled = (first: unknown, second: unknown) => unknown;
const withLimits =
  (compile: (context: unknown, expression: unknown) => Compiled) =>
  (context: unknown, expression: unknown): Compiled => {
    const evaluate = compile(context, expression);
    return (first, second) => {
      const value = evaluate(first, second);
      if (typeof value === 'string') atMost(value.length, limits.text, 'text');
      else if (Array.isArray(value)) atMost(value.length, limits.tableRows, 'list');
      return value;
    };
  };

interface Item {
  strokeDash?: unknown;
}
type Encode = (item: Item, params: unknown) => unknown;

const { operator, parameter, encode } = expressionInterpreter;
const encodeItems = encode as (context: unknown, encoding: { channels: object }) => Encode;

/** Rejects short dashes, of which a long line would have millions. */
function encodeDashes(context: unknown, encoding: { channels: object }): Encode {
  const encoded = encodeItems(context, encoding);
  if (!('strokeDash' in encoding.channels)) return encoded;
  return (item, params) => {
    const result = encoded(item, params);
    const longest = largest(0, ...(Array.isArray(item.strokeDash) ? (item.strokeDash as unknown[]) : []));
    if (longest > 0 && longest < 0.5) refuse('strokeDash');
    return result;
  };
}

/** Vega's interpreter, with limits for what expressions create. */
export const interpreter = {
  ...expressionInterpreter,
  operator: withLimits(operator),
  parameter: withLimits(parameter),
  encode: encodeDashes,
};

/**
 * Limits how much a chart creates, where Vega creates it: rows, marks, facets, bins, lists and texts. A part that
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
  const rows = rowsIn(pulse).length;
  const [back, ahead] = (frame ?? [null, 0]) as (number | null)[];
  const width = Math.abs(back ?? rows) + Math.abs(ahead ?? rows) + 1;
  return (ops as unknown[]).some((op) => slow.test(String(op))) ? rows * Math.min(rows, width) : 0;
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

/** Counts what a transform creates, before it does so. `word` is its name in specifications, if Vega has another. */
type Limit = readonly [most: number, count: (params: Params, pulse: Pulse) => number, word?: string];

const before: Readonly<Record<string, Limit>> = {
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
    'density',
  ],
  density: [limits.rows, ({ steps, minsteps, maxsteps }) => largest(steps, minsteps, maxsteps)],
  quantile: [
    limits.rows,
    ({ groupby, probs, step }, pulse) =>
      groups(groupby, pulse) * ((probs as unknown[] | undefined)?.length ?? 1 / Number(step ?? 0.01)),
  ],
  regression: [limits.rows, ({ groupby, order }, pulse) => groups(groupby, pulse) * 10 * largest(1, order)],
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
    'positions',
  ],
  projection: [limits.positions, ({ fit }) => positionsIn(fit), 'positions'],
  graticule: [limits.positions, graticulePositions],
  datajoin: [limits.marks, countMarks, 'marks'],
};

const prototypeOf = (name: string): Transform => (transforms[name] as unknown as { prototype: Transform }).prototype;

for (const [name, [most, count, word = name]] of Object.entries(before)) {
  const prototype = prototypeOf(name);
  const { transform } = prototype;
  prototype.transform = function (params, pulse) {
    atMost(count(params, pulse), most, word);
    return transform.call(this, params, pulse);
  };
}

/** The number of bins is known only once Vega has chosen their size, before anything is created for each of them. */
const bin = prototypeOf('bin');
const { transform: findBins } = bin;
bin.transform = function (params, pulse) {
  const result = findBins.call(this, params, pulse);
  const { start, stop, step } = this.value as Record<'start' | 'stop' | 'step', number>;
  atMost((stop - start) / step, limits.bins, 'bins');
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
checkFirst('pad', (_, length) => atMost(Number(length), limits.padding, 'pad'));
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

type Encode = (item: { strokeDash?: unknown }, params: unknown) => unknown;

const { operator, parameter, encode } = expressionInterpreter;
const encodeItems = encode as (context: unknown, encoding: { channels: object }) => Encode;

/** Rejects short dashes, of which a long line would have millions. */
function encodeDashes(context: unknown, encoding: { channels: object }): Encode {
  const encoded = encodeItems(context, encoding);
  if (!('strokeDash' in encoding.channels)) return encoded;
  return (item, params) => {
    const result = encoded(item, params);
    const longest = Array.isArray(item.strokeDash) ? largest(...(item.strokeDash as unknown[])) : 0;
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

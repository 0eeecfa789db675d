/**
 * Limits how much a chart creates, where Vega creates it: rows, marks, facets, bins, lists and texts. A part that
 * exceeds its limit stops the drawing before any work is done.
 */
import { expressionFunction, transforms } from 'vega';
import { expressionInterpreter } from 'vega-interpreter';
import { atMost, limits, refuse } from '../../src/shared/chart/limits.ts';

type Rows = readonly unknown[];
type Field = (row: unknown) => unknown;
/** The parameters of a transform, by Vega's names. */
type Params = Readonly<Record<string, unknown>>;
interface Pulse {
  source?: Rows;
  add: Rows;
  rem: Rows;
  /** The view. */
  dataflow: object;
}
interface Transform {
  value: unknown;
  transform(params: Params, pulse: Pulse): unknown;
}

const rowsIn = ({ source, add }: Pulse): Rows => source ?? add;
const fieldsIn = (fields: unknown): readonly Field[] => (fields ?? []) as readonly Field[];
const largest = (...numbers: readonly unknown[]): number => Math.max(...numbers.map((one) => Number(one ?? 0)));

const sum = (values: Rows, count: (value: unknown) => number): number =>
  values.reduce<number>((total, value) => total + count(value), 0);

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

/** Operations of windows that read all values of their frame again for each row. */
const isSlow = (op: unknown): boolean => /^(median|q1|q3|values|ci[01])$/.test(String(op));

const positionsIn = (node: unknown): number => {
  if (typeof node !== 'object' || node === null) return 0;
  if (Array.isArray(node) && typeof node[0] === 'number') return 1;
  return sum(Object.values(node), positionsIn);
};

/** Counts what a transform creates, before it does so. `word` is its name in specifications, if Vega has another. */
type Limit = readonly [most: number, count: (params: Params, pulse: Pulse) => number, word?: string];

const steps = (start: unknown, stop: unknown, step: unknown): number =>
  Math.abs((Number(stop) - Number(start ?? 0)) / Number(step ?? 1));

const before: Readonly<Record<string, Limit>> = {
  sequence: [limits.rows, ({ start, stop, step }) => steps(start, stop, step)],
  flatten: [
    limits.rows,
    ({ fields }, pulse) =>
      sum(rowsIn(pulse), (row) => largest(...fieldsIn(fields).map((field) => (field(row) as Rows | null)?.length))),
  ],
  fold: [limits.rows, ({ fields }, pulse) => rowsIn(pulse).length * fieldsIn(fields).length],
  impute: [
    limits.rows,
    ({ groupby, key, keyvals }, pulse) =>
      groups(groupby, pulse) * (groups([key], pulse) + ((keyvals ?? []) as Rows).length),
  ],
  kde: [
    limits.rows,
    ({ groupby, steps, minsteps, maxsteps }, pulse) =>
      groups(groupby, pulse) * largest(steps, minsteps, steps ?? maxsteps ?? 200),
    'density',
  ],
  regression: [limits.rows, ({ groupby, order }, pulse) => groups(groupby, pulse) * 10 * largest(1, order)],
  window: [limits.steps, ({ ops }, pulse) => ((ops as Rows).some(isSlow) ? rowsIn(pulse).length ** 2 : 0)],
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
      sum(rowsIn(pulse), (row) => positionsIn(field ? (field as Field)(row) : (row as { datum?: unknown }).datum)),
    'positions',
  ],
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

const sequence = expressionFunction('sequence') as unknown as (...numbers: unknown[]) => unknown;
expressionFunction('sequence', (...numbers: unknown[]) => {
  const [start, stop, step] = numbers.length > 1 ? numbers : [0, ...numbers];
  atMost(steps(start, stop, step), limits.rows, 'sequence');
  return sequence(...numbers);
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

/** Rejects short dashes, of which a long line would have millions. */
function encodeDashes(context: unknown, encoding: { channels: object }): Encode {
  const encoded = (encode as (context: unknown, encoding: object) => Encode)(context, encoding);
  if (!('strokeDash' in encoding.channels)) return encoded;
  return (item, params) => {
    const result = encoded(item, params);
    const longest = largest(...[item.strokeDash ?? 0].flat());
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

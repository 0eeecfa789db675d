import { either, scalar, scalarText, type Bounds } from './bounds.ts';
import { atMost, limits, refuse } from '../limits.ts';
import { patternSteps } from './pattern.ts';

/** A call in an expression: bounds of the arguments, and their values where they are literals. */
export interface Call {
  name: string;
  args: readonly Bounds[];
  literals: readonly unknown[];
  /** Whether the expression handles an event, which only Vega-Lite's own code does. */
  handler: boolean;
  /** Bounds of the rows of a data set. */
  rows: (name: string) => Bounds;
  /** Counts microseconds. */
  spend: (time: number) => void;
}
type Bound = (call: Call) => Partial<Bounds> | undefined;

const names = (text: string, bound: Bound): Record<string, Bound> =>
  Object.fromEntries(text.split(' ').map((name) => [name, bound]));

/** Bounds of an object that hold for its members too, as it loses them by name. */
const opened = (bounds: Bounds): Bounds => (bounds.member ? either(bounds, bounds.member('')) : bounds);
const number = (): undefined => undefined;
const flag: Bound = () => ({ low: 0, high: 1, distinct: 2 });
/** Returns its argument, a part of it, or its elements in another order. */
const like: Bound = ({ args: [first = scalar], spend }) => {
  spend(first.items / 30);
  return opened(first);
};
const all: Bound = ({ args }) => either(...args.map(opened));
const textOf = (bounds: Bounds | undefined): number => (bounds ? bounds.text || scalarText : 0);
const short: Bound = ({ args }) => ({ text: 64 + args.reduce((sum, { text }) => sum + text, 0) });
const list = (items: number, text = scalarText): Partial<Bounds> => ({ items, text: items * text });
const inHandler =
  (bound: Bound): Bound =>
  (call) =>
    call.handler ? bound(call) : refuse(call.name);

/** A sequence needs bounds of its own, or those of bins, which are few. */
const constantOf = ({ low, high }: Bounds = scalar): number => (low === high ? Math.abs(low) : Number.NaN);
const sequence: Bound = ({ args, name }) => {
  const [start = scalar, stop = start] = args;
  const isBins = args.length > 0 && args.every(({ bins }) => bins !== undefined);
  const from = args.length < 2 ? { low: 0, high: 0 } : start;
  const step = args.length < 3 ? 1 : constantOf(args[2]);
  const span = Math.max(stop.high - from.low, from.high - stop.low, 0);
  const items = isBins ? Math.max(...args.map(({ bins = 0 }) => bins)) + 2 : Math.ceil(span / step);
  atMost(items, limits.items, name);
  return {
    ...list(items),
    low: Math.min(from.low, stop.low),
    high: Math.max(from.high, stop.high),
    distinct: Infinity,
  };
};

const unitTime: Readonly<Record<string, number>> = { milliseconds: 1, seconds: 1e3, minutes: 6e4, hours: 36e5 };
const times: Bound = ({ args: [, start = scalar, stop = scalar], literals: [unit, , , step = 1], name }) => {
  const items = (stop.high - start.low) / ((unitTime[String(unit)] ?? 864e5) * Number(step));
  atMost(Math.ceil(items), limits.items, name);
  return list(Math.ceil(items), 64);
};

/** A width in a format pads the number, so it has to be known. */
const formatted: Bound = ({ args: [, specifier], literals: [, literal], name }) => {
  if (specifier?.text && typeof literal !== 'string' && specifier.low === -Infinity && specifier.distinct > 100)
    refuse(name);
  if (/\d{4,}/.test(String(literal))) atMost(Infinity, 999, name);
  return { text: 350 + textOf(specifier) * scalarText };
};

/** @returns the source of a regular expression; nothing for a text */
const sourceOf = (literal: unknown): unknown => Object(literal).source as unknown;

const matched = ({ literals, spend, name }: Call, pattern: number, length: number): void => {
  const source = sourceOf(literals[pattern]) ?? literals[pattern];
  if (typeof source !== 'string') return refuse(name);
  spend(patternSteps(source, length) / 200);
};

const replaced: Bound = (call) => {
  const { args, literals } = call;
  const [text, by] = [textOf(args[0]), textOf(args[2])];
  matched(call, 1, text);
  // `$` inserts what stands before or after.
  const inserts = typeof literals[2] !== 'string' || literals[2].includes('$');
  const each = literals[2] === '' ? 0 : by + (inserts ? text : 0);
  return { text: text + (sourceOf(literals[1]) === undefined ? 1 : text + 1) * each };
};

const padded: Bound = ({ args: [text, length = scalar, filler], name }) => {
  atMost(length.high, 1_000, name);
  return { text: textOf(text) + length.high * Math.max(1, textOf(filler)) };
};

const split: Bound = (call) => {
  const text = textOf(call.args[0]);
  if (sourceOf(call.literals[1]) !== undefined || typeof call.literals[1] !== 'string') matched(call, 1, text);
  return { items: text + 1, text: 2 * text + 1 };
};

const joined: Bound = ({ args: [values = scalar, between] }) => ({
  text: opened(values).text + values.items * Math.max(1, between?.text ?? 1),
});

const tested: Bound = (call) => {
  matched(call, 0, textOf(call.args[1]));
  return { distinct: 2 };
};

const pattern: Bound = (call) => {
  matched(call, 0, 0);
  return undefined;
};

/** Vega looks these up by a name that has to be a literal. */
const named =
  (bound: Bound): Bound =>
  (call) => {
    if (typeof call.literals[0] !== 'string') refuse(call.name);
    return bound(call);
  };

const stored: Bound = (call) => {
  if (!String(call.literals[0]).endsWith('_store')) refuse(call.name);
  return { distinct: 2 };
};

const rowsOf: Bound = ({ literals, rows }) => rows(String(literals[0]));
/** A selection is looked for among all that are stored. */
const selected: Bound = ({ literals, rows, spend }) => {
  spend(rows(String(literals[0])).items * 0.3);
  return { low: 0, high: 1, distinct: 2 };
};
const opaque: Bound = () => ({ opaque: true });

/** Everything that an expression may call, with bounds of the result. Nothing else is ever called. */
export const functions: Readonly<Record<string, Bound>> = {
  ...names(
    'isArray isBoolean isDate isDefined isFinite isNaN isNumber isObject isRegExp isString isTuple isValid',
    flag,
  ),
  ...names('inrange inScope indata toBoolean', flag),
  ...names('acos asin atan atan2 cos exp hypot log pow sin sqrt tan bandspace bandwidth', number),
  ...names('abs', ({ args: [of = scalar] }) => ({ low: 0, high: Math.max(-of.low, of.high) })),
  ...names('ceil floor round', ({ args: [of = scalar] }) => ({ low: of.low - 1, high: of.high + 1 })),
  ...names('max', ({ args }) => ({ low: either(...args).low, high: either(...args).high })),
  ...names('min', ({ args }) => ({
    low: Math.min(...args.map(({ low }) => low)),
    high: Math.min(...args.map(({ high }) => high)),
  })),
  ...names('clamp', ({ args: [, low = scalar, high = scalar] }) => ({ low: low.low, high: high.high })),
  ...names('length', ({ args: [of = scalar] }) => ({ low: 0, high: of.items || of.text })),
  ...names('random', () => ({ low: 0, high: 1, distinct: Infinity })),
  ...names('cumulativeNormal cumulativeLogNormal cumulativeUniform densityNormal densityLogNormal', number),
  ...names('densityUniform quantileNormal quantileLogNormal quantileUniform', number),
  ...names('sampleNormal sampleLogNormal sampleUniform now', () => ({ distinct: Infinity })),
  ...names('date day hours minutes seconds milliseconds month quarter week isoweek dayofyear', () => ({
    low: 0,
    high: 999,
  })),
  ...names(
    'utcdate utcday utchours utcminutes utcseconds utcmilliseconds utcmonth utcquarter utcweek utcisoweek',
    () => ({
      low: 0,
      high: 999,
    }),
  ),
  ...names('utcdayofyear timezoneoffset', () => ({ low: -999, high: 999 })),
  ...names('year utcyear', number),
  ...names('time timeOffset utcOffset timeParse utcParse', number),
  ...names('datetime utc', ({ literals }) => {
    const parts = literals.filter((part) => typeof part === 'number') as [number];
    const time = parts.length < literals.length ? Number.NaN : new Date(...parts).getTime();
    return Number.isNaN(time) ? undefined : { low: time - 864e5, high: time + 864e5 };
  }),
  ...names('toDate toNumber', ({ args: [of = scalar] }) => ({ low: of.low, high: of.high })),
  ...names('parseFloat parseInt luminance contrast indexof lastindexof geoArea geoScale span', number),
  ...names('monthFormat monthAbbrevFormat dayFormat dayAbbrevFormat rgb lab hcl hsl timeUnitSpecifier', short),
  ...names('format timeFormat utcFormat', formatted),
  ...names('toString upper lower trim substring reverse sort slice peek extent clampRange', like),
  ...names('lerp interpolateLinear flush', all),
  ...names('pluck', like),
  ...names('merge truncate', ({ args }) => ({ text: args.reduce((sum, one) => sum + textOf(opened(one)), 0) })),
  ...names('encodeURIComponent btoa atob', ({ args: [of] }) => ({ text: 9 * textOf(of) })),
  ...{ sequence, timeSequence: times, utcSequence: times, pad: padded, replace: replaced, split, join: joined },
  ...{ test: tested, regexp: pattern },
  ...names(
    'scale invert',
    named(({ args: [, of = scalar] }) => ({ text: Math.max(textOf(of), 200), items: of.items })),
  ),
  ...names(
    'domain range',
    named(() => list(limits.items, 1)),
  ),
  ...names('geoBounds geoCentroid geoTranslate', () => list(4)),
  ...names('containerSize windowSize screen', () => ({ ...list(2), low: 0, high: 9_000 })),
  ...names('data', named(rowsOf)),
  ...names('vlSelectionTest vlSelectionIdTest', named(selected)),
  ...names('vlSelectionResolve', named(rowsOf)),
  ...names('panLinear panLog panPow panSymlog zoomLinear zoomLog zoomPow zoomSymlog', () => list(2)),
  ...names('if', ({ args: [, ...branches] }) => either(...branches)),
  ...names('item group xy', inHandler(opaque)),
  ...names('x y', inHandler(number)),
  ...names('modify', inHandler(named(stored))),
  ...names('lassoAppend', () => list(limits.items)),
  ...names('lassoPath', () => ({ text: 20_000 })),
  ...names(
    'intersect intersectLasso vlSelectionTuples',
    inHandler(() => list(limits.items)),
  ),
};

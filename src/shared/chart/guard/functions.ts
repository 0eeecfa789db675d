import { atMost, limits, refuse } from '../limits.ts';
import { either, scalar, type Bounds } from './bounds.ts';
import { patternSteps } from './pattern.ts';

/** The value of an argument where it is a literal. */
export type Literal = string | number | boolean | { source: string } | null | undefined;

/** A call in an expression. */
interface Call {
  name: string;
  args: readonly Bounds[];
  literals: readonly Literal[];
  /** Whether the expression handles an event. */
  handler: boolean;
  /** Rows of a data set, as a list. */
  rows: (name: string) => Bounds;
  /** Counts microseconds. */
  spend: (time: number) => void;
}
type Bound = (call: Call) => Partial<Bounds>;

const textOf = (bounds: Bounds = scalar): number => bounds.text || 32;
const list = (items: number, text = 32): Partial<Bounds> => ({ items, text: items * text });
const number: Bound = () => ({});
const flag: Bound = () => ({ low: 0, high: 1, distinct: 2 });
const unknown: Bound = () => ({ distinct: Infinity });
const small: Bound = () => ({ low: -999, high: 9_999 });
const near: Bound = ({ args: [of = scalar] }) => ({ low: of.low - 1, high: of.high + 1 });
/** Returns an argument, a part of one, or its elements in another order. */
const like: Bound = ({ args, spend }) => {
  spend((args[0]?.items ?? 0) / 30);
  return either(...args);
};
/** Texts of all arguments one after the other, and a little more. */
const joinedTexts: Bound = ({ args }) => ({ text: 350 + args.reduce((sum, one) => sum + textOf(one), 0) });

/** A sequence needs bounds that are known, or those of bins, which are few. */
const sequence: Bound = ({ args: [start = scalar, stop = start, step], name }) => {
  const isBins = start.bins !== undefined && stop.bins !== undefined && (step ?? start).bins !== undefined;
  const from = stop === start ? { low: 0, high: 0 } : start;
  const by = step === undefined ? 1 : step.low === step.high ? Math.abs(step.low) : NaN;
  const span = Math.max(stop.high - from.low, from.high - stop.low, 0);
  const items = isBins ? Math.max(start.bins ?? 0, stop.bins ?? 0) + 2 : Math.ceil(span / by);
  atMost(items, limits.rows, name);
  return {
    ...list(items),
    low: Math.min(from.low, stop.low),
    high: Math.max(from.high, stop.high),
    distinct: Infinity,
  };
};

const unitTime: Readonly<Record<string, number>> = { milliseconds: 1, seconds: 1e3, minutes: 6e4, hours: 36e5 };
const times: Bound = ({ args: [, start = scalar, stop = scalar], literals: [unit, , , step = 1], name }) => {
  const items = Math.ceil((stop.high - start.low) / ((unitTime[String(unit)] ?? 864e5) * Number(step)));
  atMost(items, limits.rows, name);
  return list(items);
};

/** A width in a format pads the number, so the format has to be known. */
const formatted: Bound = (call) => {
  const { args, literals, name } = call;
  const [, format] = literals;
  if (typeof format !== 'string' && args[1] && args[1].text > 0 && args[1].distinct > 100) refuse(name);
  if (/\d{4}/.test(String(format))) atMost(Infinity, 999, name);
  return { text: 350 + 32 * textOf(args[1]) };
};

/** Counts the steps of matching a text against a pattern, which has to be a literal. */
function match({ literals, spend, name }: Call, at: number, length: number): boolean {
  const pattern = literals[at];
  const isPattern = typeof pattern === 'object' && pattern !== null;
  const source = isPattern ? pattern.source : pattern;
  if (typeof source !== 'string') return refuse(name);
  spend(patternSteps(source, length) / 200);
  return isPattern;
}

const replaced: Bound = (call) => {
  const [text, by] = [textOf(call.args[0]), textOf(call.args[2])];
  const isPattern = match(call, 1, text);
  const literal = call.literals[2];
  // `$` inserts what stands before or after.
  const inserts = typeof literal !== 'string' || literal.includes('$');
  return { text: text + (isPattern ? text + 1 : 1) * (literal === '' ? 0 : by + (inserts ? text : 0)) };
};

const padded: Bound = ({ args: [text, length = scalar, filler], name }) => {
  atMost(length.high, 1_000, name);
  return { text: textOf(text) + length.high * textOf(filler) };
};

const split: Bound = (call) => {
  const text = textOf(call.args[0]);
  match(call, 1, text);
  return { items: text + 1, text: 2 * text + 1 };
};

const joined: Bound = ({ args: [values = scalar, between] }) => ({
  text: values.text + values.items * textOf(between),
});

const tested: Bound = (call) => {
  match(call, 0, textOf(call.args[1]));
  return { distinct: 2 };
};

const pattern: Bound = (call) => {
  match(call, 0, 0);
  return {};
};

/** Vega looks these up by a name that has to be a literal. */
const named =
  (bound: Bound): Bound =>
  (call) => {
    if (typeof call.literals[0] !== 'string') refuse(call.name);
    return bound(call);
  };
const inHandler =
  (bound: Bound): Bound =>
  (call) =>
    call.handler ? bound(call) : refuse(call.name);

const lookedUp: Bound = ({ literals, rows }) => rows(String(literals[0]));
/** A selection is looked for among all that are stored. */
const selected: Bound = ({ literals, rows, spend }) => {
  spend(rows(String(literals[0])).items * 0.3);
  return { low: 0, high: 1, distinct: 2 };
};
const stored: Bound = ({ literals, name }) => (String(literals[0]).endsWith('_store') ? { distinct: 2 } : refuse(name));

/** Everything that an expression may call, by what bounds the result. Nothing else is ever called. */
const table: readonly [Bound, string][] = [
  [flag, 'isArray isBoolean isDate isDefined isFinite isNaN isNumber isObject isRegExp isString isTuple isValid'],
  [flag, 'inrange inScope indata toBoolean random'],
  [number, 'abs acos asin atan atan2 cos exp hypot log pow sin sqrt tan bandspace bandwidth parseFloat parseInt'],
  [number, 'cumulativeNormal cumulativeLogNormal cumulativeUniform densityNormal densityLogNormal densityUniform'],
  [number, 'quantileNormal quantileLogNormal quantileUniform luminance contrast indexof lastindexof geoArea geoScale'],
  [number, 'span time timeOffset utcOffset timeParse utcParse year utcyear datetime utc'],
  [unknown, 'sampleNormal sampleLogNormal sampleUniform now'],
  [small, 'date day hours minutes seconds milliseconds month quarter week isoweek dayofyear timezoneoffset'],
  [small, 'utcdate utcday utchours utcminutes utcseconds utcmilliseconds utcmonth utcquarter utcweek utcisoweek'],
  [small, 'utcdayofyear'],
  [near, 'ceil floor round toDate toNumber'],
  [({ args: [of = scalar] }) => ({ low: 0, high: of.items || of.text }), 'length'],
  [({ args: [, low = scalar, high = scalar] }) => ({ low: low.low, high: high.high }), 'clamp'],
  [
    ({ args }) => ({ low: Math.min(...args.map((one) => one.low)), high: Math.min(...args.map((one) => one.high)) }),
    'min',
  ],
  [
    like,
    'max toString upper lower trim substring reverse sort slice peek extent clampRange lerp interpolateLinear flush',
  ],
  [like, 'pluck if'],
  [
    joinedTexts,
    'monthFormat monthAbbrevFormat dayFormat dayAbbrevFormat rgb lab hcl hsl timeUnitSpecifier merge truncate',
  ],
  [({ args: [of] }) => ({ text: 9 * textOf(of) }), 'encodeURIComponent btoa atob'],
  [formatted, 'format timeFormat utcFormat'],
  [sequence, 'sequence'],
  [times, 'timeSequence utcSequence'],
  [padded, 'pad'],
  [replaced, 'replace'],
  [split, 'split'],
  [joined, 'join'],
  [tested, 'test'],
  [pattern, 'regexp'],
  [named(({ args: [, of = scalar] }) => ({ text: Math.max(textOf(of), 200), items: of.items })), 'scale invert'],
  [named(() => list(limits.rows, 1)), 'domain range'],
  [named(lookedUp), 'data vlSelectionResolve'],
  [named(selected), 'vlSelectionTest vlSelectionIdTest'],
  [() => ({ ...list(4), low: 0, high: 9_000 }), 'containerSize windowSize screen'],
  [
    () => list(4),
    'panLinear panLog panPow panSymlog zoomLinear zoomLog zoomPow zoomSymlog geoBounds geoCentroid geoTranslate',
  ],
  [() => list(limits.rows), 'lassoAppend'],
  [() => ({ text: 20_000 }), 'lassoPath'],
  [inHandler(() => ({ opaque: true })), 'item group xy'],
  [inHandler(number), 'x y'],
  [inHandler(named(stored)), 'modify'],
  [inHandler(() => list(limits.rows)), 'intersect intersectLasso vlSelectionTuples'],
];
const functions = new Map(table.flatMap(([bound, names]) => names.split(' ').map((name) => [name, bound] as const)));

/** @throws ChartProblem when the function is not known, or an argument is not bounded */
export function call(of: Call): Bounds {
  const bound = functions.get(of.name) ?? refuse(of.name);
  const distinct = of.args.reduce((product, one) => product * one.distinct, 1);
  return { ...scalar, distinct, ...bound(of) };
}

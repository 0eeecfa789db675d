/** The functions that an expression may call, and the bounds of their results. */
import { t } from '../../text/l10n.ts';
import { atMost, ChartProblem, limits, refuse } from '../limits.ts';
import { either, scalar, type Bounds } from './bounds.ts';

/** The value of an argument, if it is a literal. */
export type Literal = string | number | boolean | { source: string } | null | undefined;

interface Call {
  name: string;
  args: readonly Bounds[];
  literals: readonly Literal[];
  handler: boolean;
  rows: (name: string) => Bounds;
  /** Adds microseconds to the estimate. */
  spend: (time: number) => void;
}
type Bound = (call: Call) => Partial<Bounds>;

const textOf = (bounds: Bounds = scalar): number => bounds.text || 32;
const list = (items: number, text = 32): Partial<Bounds> => ({ items, text: items * text });
const plain: Bound = () => ({});
const flag: Bound = () => ({ distinct: 2 });
const unknown: Bound = () => ({ distinct: Infinity });
/** Bounds of an argument, a part of it, or its reordered elements. */
const like: Bound = ({ args, spend }) => {
  spend((args[0]?.items ?? 0) / 30);
  return either(...args);
};
const joinedTexts: Bound = ({ args }) => ({ text: 350 + args.reduce((sum, one) => sum + textOf(one), 0) });

const sequence: Bound = ({ args: [first = scalar, last, step], name }) => {
  const [start, stop] = last ? [first, last] : [{ ...scalar, low: 0, high: 0 }, first];
  const by = step === undefined ? 1 : step.low === step.high ? Math.abs(step.low) : NaN;
  const items = Math.ceil(Math.max(stop.high - start.low, start.high - stop.low, 0) / by);
  atMost(items, limits.rows, name);
  const [low, high] = [Math.min(start.low, stop.low), Math.max(start.high, stop.high)];
  return { ...list(items), low, high, distinct: Infinity };
};

const dated: Bound = ({ args: [, format = scalar], spend }) => {
  // One directive such as `%c` formats many parts of the date.
  spend(format.text * 0.4);
  return { text: 350 + 32 * textOf(format) };
};
const parsed: Bound = ({ args: [, format = scalar], spend }) => {
  spend(format.text * 0.1);
  return {};
};
/** The formats of at most eleven units, or those given for them. */
const timeFormats: Bound = ({ args: [, formats = scalar] }) => ({ text: 110 + formats.text });

/** A number is padded to the width in its format, so the format must be a literal. */
const formatted: Bound = (call) => {
  const [, format] = call.literals;
  if (typeof format !== 'string' || /\d{4}/.test(format)) refuse(call.name);
  return dated(call);
};

const mostSteps = 10_000_000;

/**
 * Estimates the steps to match a text with a pattern, which must be a literal. A backtracking matcher can start at
 * every character and end every loop at every later character, and each optional part doubles that.
 * @returns whether the pattern is a regular expression rather than a text
 */
function match({ literals, spend, name }: Call, at: number, length: number): boolean {
  const pattern = literals[at];
  const isPattern = typeof pattern === 'object' && pattern !== null;
  const source = isPattern ? pattern.source : pattern;
  if (typeof source !== 'string') return refuse(name);
  const parts = source
    .slice(0, 200)
    // A back-reference can match as much as a loop; other escapes and classes match one character.
    .replace(/\\(?:[1-9]|k<)/g, 'a*')
    .replace(/\\./gs, 'a')
    .replace(/\[[^\][]{0,200}\]/g, 'a')
    .replace(/\(\?(?:[:=!]|<[=!])/g, '(')
    .replace(/([*+?}])\?/g, '$1');
  const loops = parts.match(/[*+{]/g)?.length ?? 0;
  const options = parts.match(/[?|]/g)?.length ?? 0;
  const steps = (length + 1) ** (loops + 1) * 2 ** options;
  const repeatsGroup = /\)[*+{]/.test(parts) && loops + options > 1;
  if (source.length > 200 || repeatsGroup || steps > mostSteps)
    throw new ChartProblem('refused', t('The chart uses a regular expression that could take too long.'));
  spend(steps / 200);
  return isPattern;
}

const replaced: Bound = (call) => {
  const [text, by] = [textOf(call.args[0]), textOf(call.args[2])];
  const times = match(call, 1, text) ? text + 1 : 1;
  const literal = call.literals[2];
  // `$` inserts the text before or after the match.
  const inserts = typeof literal !== 'string' || literal.includes('$');
  return { text: text + times * (literal === '' ? 0 : by + (inserts ? text : 0)) };
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
  match(call, 0, textOf(call.args[1] ?? { ...scalar, text: 1 }));
  return flag(call);
};

/** Vega looks these up by name, so the name must be a literal. */
const named =
  (bound: Bound): Bound =>
  (call) =>
    typeof call.literals[0] === 'string' ? bound(call) : refuse(call.name);
const inHandler =
  (bound: Bound): Bound =>
  (call) =>
    call.handler ? bound(call) : refuse(call.name);

const lookedUp: Bound = ({ literals, rows }) => rows(String(literals[0]));
/** The test of a selection searches all of its stored tuples. */
const selected: Bound = ({ literals, rows, spend }) => {
  spend(rows(String(literals[0])).items * 0.3);
  return { distinct: 2 };
};
const stored: Bound = ({ literals, name }) => (String(literals[0]).endsWith('_store') ? {} : refuse(name));

/** The functions that an expression may call, by the rule that bounds their results. All others are rejected. */
const table: readonly [Bound, string][] = [
  [flag, 'isArray isBoolean isDate isDefined isFinite isNaN isNumber isObject isRegExp isString isTuple isValid'],
  [flag, 'inrange inScope indata toBoolean'],
  [plain, 'abs acos asin atan atan2 cos exp hypot log pow sin sqrt tan parseInt'],
  [plain, 'parseFloat bandspace bandwidth luminance contrast indexof lastindexof span geoArea geoScale'],
  [plain, 'cumulativeNormal cumulativeLogNormal cumulativeUniform densityNormal densityLogNormal densityUniform'],
  [plain, 'quantileNormal quantileLogNormal quantileUniform time timeOffset utcOffset datetime utc'],
  [plain, 'year quarter month week isoweek dayofyear date day hours minutes seconds milliseconds timezoneoffset'],
  [plain, 'utcyear utcquarter utcmonth utcweek utcisoweek utcdayofyear utcdate utcday utchours utcminutes utcseconds'],
  [plain, 'utcmilliseconds'],
  [unknown, 'random sampleNormal sampleLogNormal sampleUniform now'],
  [like, 'if ceil floor round toDate toNumber toString clamp min max upper lower trim substring reverse sort slice'],
  [like, 'peek extent clampRange lerp interpolateLinear flush pluck'],
  [joinedTexts, 'monthFormat monthAbbrevFormat dayFormat dayAbbrevFormat rgb lab hcl hsl merge'],
  [joinedTexts, 'truncate'],
  [({ args: [of = scalar] }) => ({ low: 0, high: of.items || of.text }), 'length'],
  [({ args: [of] }) => ({ text: 9 * textOf(of) }), 'encodeURIComponent btoa atob'],
  [formatted, 'format'],
  [dated, 'timeFormat utcFormat'],
  [parsed, 'timeParse utcParse'],
  [timeFormats, 'timeUnitSpecifier'],
  [sequence, 'sequence'],
  [padded, 'pad'],
  [replaced, 'replace'],
  [split, 'split'],
  [joined, 'join'],
  [tested, 'test regexp'],
  [named(({ args: [, of = scalar] }) => ({ text: Math.max(textOf(of), 200), items: of.items })), 'scale invert'],
  [named(() => list(limits.rows, 1)), 'domain range'],
  [named(lookedUp), 'data vlSelectionResolve'],
  [named(selected), 'vlSelectionTest vlSelectionIdTest'],
  [() => ({ ...list(4), low: 0, high: 9_000 }), 'containerSize windowSize screen'],
  [() => list(4), 'panLinear panLog panPow panSymlog zoomLinear zoomLog zoomPow zoomSymlog geoBounds geoCentroid'],
  [() => list(4), 'geoTranslate'],
  [() => ({ ...list(limits.rows), text: 20_000 }), 'lassoAppend lassoPath'],
  [inHandler(() => ({ opaque: true })), 'item group xy'],
  [inHandler(plain), 'x y'],
  [inHandler(named(stored)), 'modify'],
  [inHandler(() => list(limits.rows)), 'intersect intersectLasso vlSelectionTuples'],
];
const functions = new Map(table.flatMap(([bound, names]) => names.split(' ').map((name) => [name, bound] as const)));

/**
 * @returns the bounds of the result of a call
 * @throws ChartProblem if the function may not be called, or not with these arguments
 */
export function boundsOfCall(call: Call): Bounds {
  const bound = functions.get(call.name) ?? refuse(call.name);
  const distinct = call.args.reduce((product, one) => product * one.distinct, 1);
  return { ...scalar, distinct, ...bound(call) };
}

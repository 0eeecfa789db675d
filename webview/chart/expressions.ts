import { expressionFunction, randomLCG, setRandom } from 'vega';
import { limits } from '../../src/shared/chart/limits.ts';
import { atMost, type Budget } from './budget.ts';
import { evaluator, type Context, type Meter, type Node, type Scope } from './evaluator.ts';
import { readDatesLocally } from './dates.ts';
import { checkPattern } from './patterns.ts';
import { checkJoin, checkReplace } from './texts.ts';

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;
interface Encoding {
  marktype: string;
  channels: Record<string, { ast: Node }>;
}

interface MouseItem {
  item?: { datum?: unknown };
}

/** @returns what Vega evaluates expressions with, counting against a budget */
export function countingInterpreter(budget: Budget): unknown {
  const meter = meterOf(budget);
  const counted =
    (evaluate: AnyFunction): AnyFunction =>
    (...args) => {
      budget.tick();
      return evaluate(...args);
    };
  const evaluate = (context: Context, { ast }: { ast: Node }) => evaluator(ast, context, meter);
  type Parameters = Scope['parameters'];
  return {
    event: (context: Context, expression: { ast: Node }) => {
      const of = evaluate(context, expression);
      return counted((event) => of({ event }));
    },
    handler: (context: Context, expression: { ast: Node }) => {
      const of = evaluate(context, expression);
      return counted((parameters, event) =>
        of({ parameters: parameters as Parameters, event, datum: (event as MouseItem).item?.datum }),
      );
    },
    operator: (context: Context, expression: { ast: Node }) => {
      const of = evaluate(context, expression);
      return counted((parameters) => of({ parameters: parameters as Parameters }));
    },
    parameter: (context: Context, expression: { ast: Node }) => {
      const of = evaluate(context, expression);
      return counted((datum, parameters) => of({ datum, parameters: parameters as Parameters }));
    },
    encode: (context: Context, encoding: Encoding) => counted(markEncoder(context, encoding, meter)),
  };
}

/** Functions that look for a pattern; how long that takes cannot be told from what they make. */
const seeking = new Set(['test', 'replace', 'split', 'regexp']);

/** @returns what counts the work and the texts of expressions, also between the parts of one */
export function meterOf(budget: Budget): Meter {
  const sizeOf = (value: unknown): number => (typeof value === 'string' || Array.isArray(value) ? value.length : 0);
  return (name, values, made) => {
    if (typeof made === 'string') budget.text(made);
    if (seeking.has(name)) budget.check();
    else budget.tick(1 + (sizeOf(made) + values.reduce((sum: number, value) => sum + sizeOf(value), 0)) / 100);
  };
}

type Item = Record<string, unknown> & { datum?: unknown };

/** @returns a function that sets the channels of a mark and tells whether any is another than before */
function markEncoder(context: Context, { marktype, channels }: Encoding, meter: Meter): AnyFunction {
  const setters = Object.entries(channels).map(([name, { ast }]) => ({
    name,
    evaluate: evaluator(ast, context, meter),
  }));
  const swaps = marktype === 'group' || marktype === 'image' || marktype === 'rect';
  const place = marktype === 'rule' ? undefined : placer(channels, swaps);
  return (target, parameters) => {
    const item = target as Item;
    const scope: Scope = { datum: item.datum, item, parameters: parameters as Scope['parameters'] };
    let changed = false;
    for (const { name, evaluate } of setters) {
      const value = evaluate(scope);
      if (item[name] === value) continue;
      item[name] = value;
      changed = true;
    }
    place?.(item);
    return changed;
  };
}

/** Marks that are given by two ends or by their middle get the place and extent by which they are drawn. */
function placer(channels: Encoding['channels'], swaps: boolean): ((item: Item) => void) | undefined {
  const axes = [
    { start: 'x', end: 'x2', middle: 'xc', extent: 'width' },
    { start: 'y', end: 'y2', middle: 'yc', extent: 'height' },
  ].filter(({ end, middle }) => channels[end] || channels[middle]);
  if (axes.length === 0) return undefined;
  return (item) => {
    for (const { start, end, middle, extent } of axes) {
      if (channels[end] && channels[start]) {
        const [from, to] = [Number(item[start]), Number(item[end])];
        if (swaps && from > to) [item[start], item[end]] = [to, from];
        item[extent] = swaps ? Math.abs(to - from) : to - from;
      } else if (channels[end]) {
        item[start] = Number(item[end]) - (Number(item[extent]) || 0);
      }
      if (channels[middle]) item[start] = Number(item[middle]) - (Number(item[extent]) || 0) / 2;
    }
  };
}

/** Puts a check in front of a function that specifications may call. */
function guard(name: string, check: (args: readonly unknown[]) => void): void {
  const original = expressionFunction(name) as unknown as AnyFunction;
  const guarded: AnyFunction = function (...args) {
    check(args);
    return original.apply(this, args);
  };
  expressionFunction(name, guarded);
}

const unitLength: Readonly<Record<string, number>> = {
  milliseconds: 1,
  seconds: 1e3,
  minutes: 6e4,
  hours: 36e5,
};

function checkSequence(args: readonly unknown[]): void {
  const [start, stop, step] = args.length < 2 ? [0, args[0], 1] : [args[0], args[1], args[2] ?? 1];
  atMost(Math.abs((Number(stop) - Number(start)) / Number(step)), limits.generated);
}

function checkTimes([unit, start, stop, step = 1]: readonly unknown[]): void {
  atMost((Number(stop) - Number(start)) / ((unitLength[String(unit)] ?? 864e5) * Number(step)), limits.generated);
}

function checkFormat([, specifier]: readonly unknown[]): void {
  const width = typeof specifier === 'string' ? /\d{4,}/.exec(specifier)?.[0] : undefined;
  if (width !== undefined) atMost(Number(width), 999);
}

/** The time that charts take for now; a worker is told what it is on the page. */
export const clock = { now: Date.now() };

function boundPatterns(): void {
  guard('replace', (args) => {
    checkPattern(args[1], args[0]);
    checkReplace(args);
  });
  const checked = (pattern: unknown, flags: unknown): RegExp => {
    checkPattern(pattern, '');
    return new RegExp(pattern as string, flags as string | undefined);
  };
  const test = (pattern: unknown, text: unknown): boolean => {
    checkPattern(pattern, text);
    return new RegExp(pattern as string).test(String(text));
  };
  const split = (text: unknown, separator: unknown, limit: unknown): string[] => {
    if (separator instanceof RegExp) checkPattern(separator, text);
    const parts = String(text).split(separator as string, limit as number | undefined);
    atMost(parts.length, limits.generated);
    return parts;
  };
  expressionFunction('regexp', checked);
  expressionFunction('test', test);
  expressionFunction('split', split);
}

/**
 * Bounds the functions that make something out of nothing, and makes those that look at the surroundings give the
 * same answer everywhere, so that what was tried is what is drawn. To be called once.
 */
export function boundExpressions(): void {
  guard('sequence', checkSequence);
  guard('timeSequence', checkTimes);
  guard('utcSequence', checkTimes);
  guard('pad', ([, length]) => atMost(Number(length), limits.generated));
  guard('join', checkJoin);
  for (const name of ['format', 'timeFormat', 'utcFormat']) guard(name, checkFormat);
  for (const name of ['screen', 'windowSize', 'containerSize']) {
    expressionFunction(name, () => (name === 'screen' ? { width: 800, height: 600 } : [800, 600]));
  }
  expressionFunction('now', () => clock.now);
  readDatesLocally();
  setRandom(randomLCG(0.5));
  boundPatterns();
}

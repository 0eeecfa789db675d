import { expressionFunction, randomLCG, setRandom } from 'vega';
import { expressionInterpreter } from 'vega-interpreter';
import { limits } from '../../src/shared/chart/limits.ts';
import { atMost, type Budget } from './budget.ts';
import { checkPattern } from './patterns.ts';

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;
type Interpreter = Record<string, (context: unknown, expression: unknown) => AnyFunction>;

interface Encoding {
  marktype: string;
  channels: Record<string, { ast: { type: string; value?: unknown; regex?: unknown } }>;
}

/** @returns the expression interpreter, counting against a budget */
export function countingInterpreter(budget: Budget): unknown {
  const interpreter = expressionInterpreter as unknown as Interpreter;
  const counting = Object.entries(interpreter).map(([kind, interpret]) => [
    kind,
    (context: unknown, expression: unknown): AnyFunction => {
      const evaluate = interpret(context, expression);
      return (...args) => {
        budget.tick();
        return evaluate(...args);
      };
    },
  ]);
  return { ...Object.fromEntries(counting), encode: encodeWith(interpreter, budget) };
}

/** Channels that depend on one another, so that they are worked out together. */
const spatial = new Set(['x', 'x2', 'xc', 'width', 'y', 'y2', 'yc', 'height']);

/** Sets the channels that are the same for all marks without asking the interpreter for each. */
function encodeWith(interpreter: Interpreter, budget: Budget) {
  return (context: unknown, { marktype, channels }: Encoding): AnyFunction => {
    const entries = Object.entries(channels);
    const isConstant = ([name, { ast }]: (typeof entries)[number]): boolean =>
      ast.type === 'Literal' && ast.regex === undefined && !spatial.has(name);
    const constants = entries.filter(isConstant).map(([name, { ast }]): [string, unknown] => [name, ast.value]);
    const rest = Object.fromEntries(entries.filter((entry) => !isConstant(entry)));
    const encode = interpreter.encode?.(context, { marktype, channels: rest });
    return (item, parameters) => {
      budget.tick();
      const target = item as Record<string, unknown>;
      let changed = false;
      for (const [name, value] of constants) {
        if (target[name] === value) continue;
        target[name] = value;
        changed = true;
      }
      return encode?.(item, parameters) || changed;
    };
  };
}

/** Puts a check in front of a function that specifications may call. */
function guard(name: string, check: (args: readonly unknown[]) => void): void {
  const original = expressionFunction(name) as unknown as AnyFunction;
  const guarded: AnyFunction = function (...args) {
    check(args);
    return original.apply(this, args);
  };
  expressionFunction(name, guarded as never);
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
  guard('replace', ([text, pattern]) => checkPattern(pattern, text));
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
    return String(text).split(separator as string, limit as number | undefined);
  };
  expressionFunction('regexp', checked as never);
  expressionFunction('test', test as never);
  expressionFunction('split', split as never);
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
  for (const name of ['format', 'timeFormat', 'utcFormat']) guard(name, checkFormat);
  for (const name of ['screen', 'windowSize', 'containerSize']) {
    expressionFunction(name, (() => (name === 'screen' ? { width: 800, height: 600 } : [800, 600])) as never);
  }
  expressionFunction('now', (() => clock.now) as never);
  setRandom(randomLCG(0.5));
  boundPatterns();
}

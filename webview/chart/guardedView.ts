import { View, type Runtime, type Spec } from 'vega';
import { limits } from '../../src/shared/chart/limits.ts';
import type { ChartProblem } from '../../src/shared/chart/problem.ts';
import { atMost, Budget } from './budget.ts';
import { runtimeOf, unclear } from './compile.ts';
import { boundExpressions, countingInterpreter } from './expressions.ts';
import { boundTransforms } from './transformGuards.ts';

interface Pulse {
  add: readonly unknown[];
  source?: readonly unknown[];
}
interface Operator {
  run(pulse: Pulse): unknown;
}
interface Scene {
  items?: readonly Scene[];
}
/** The part of the dataflow that is not in the published types. */
interface DataflowParts {
  _pulse: unknown;
  _viewWidth: number;
  _viewHeight: number;
  _getPulse(op: Operator, encode?: string): Pulse;
  evaluate(encode?: string, prerun?: unknown, postrun?: unknown): Promise<unknown>;
}
type ViewClass = new (runtime: Runtime, options: object) => View & DataflowParts;

boundExpressions();
boundTransforms();

/** Nothing is ever loaded: no data, no image, no link. */
const loader = {
  options: {},
  load: () => Promise.reject(new Error('Nothing is loaded')),
  sanitize: () => Promise.reject(new Error('Nothing is loaded')),
  http: () => Promise.reject(new Error('Nothing is loaded')),
  file: () => Promise.reject(new Error('Nothing is loaded')),
};

export interface ViewOptions {
  renderer: 'svg' | 'canvas' | 'none';
  locale?: object;
  tooltip?: unknown;
  /** Milliseconds of work after which other work of the page gets its turn. */
  slice?: number;
  /** Told when a run goes wrong, also one that a pointer event began. */
  onProblem: (problem: ChartProblem) => void;
}

/** A Vega view whose dataflow is bounded in rows and time and lets the page breathe between its steps. */
export class GuardedView extends (View as unknown as ViewClass) {
  readonly #budget: Budget;
  readonly #slice: number;
  #sliceEnd = 0;
  #stepStart = 0;
  /** Whether the first run is over; those that follow answer the pointer, and quickly. */
  drawn = false;
  /** Milliseconds of the longest step so far. */
  longestStep = 0;
  #running: Promise<unknown> = Promise.resolve();

  constructor(runtime: Runtime, { onProblem, slice = Number.POSITIVE_INFINITY, ...options }: ViewOptions) {
    const budget = new Budget();
    const quiet = () => logger;
    const logger = {
      level: quiet,
      warn: quiet,
      info: quiet,
      debug: quiet,
      error: (error: unknown) => {
        onProblem(unclear(error));
        return logger;
      },
    };
    super(runtime, { ...options, loader, logger, expr: countingInterpreter(budget), logLevel: 1 });
    this.#budget = budget;
    this.#slice = slice;
  }

  /** An event that comes while a run pauses waits for its turn. */
  override run(): this {
    if (!this._pulse) return super.run();
    void this.settled().then(() => this.run());
    return this;
  }

  override evaluate(encode?: string, prerun?: unknown, postrun?: unknown): Promise<unknown> {
    this.#budget.start(this.drawn ? limits.answer : limits.time);
    this.#stepStart = performance.now();
    this.#sliceEnd = this.#stepStart + this.#slice;
    const evaluated = super.evaluate(encode, prerun, postrun);
    this.#running = Promise.allSettled([this.#running, evaluated]);
    return evaluated;
  }

  /** Resolves when this run and those it gave rise to are over. */
  async settled(): Promise<void> {
    for (let seen; seen !== this.#running;) {
      seen = this.#running;
      await seen;
    }
  }

  override _getPulse(op: Operator, encode?: string): Pulse {
    const now = performance.now();
    this.longestStep = Math.max(this.longestStep, now - this.#stepStart);
    this.#stepStart = now;
    this.#budget.check();
    const pulse = super._getPulse(op, encode);
    atMost(Math.max(pulse.add?.length ?? 0, pulse.source?.length ?? 0), limits.rows);
    if (now > this.#sliceEnd) this.#pauseAfter(op);
    return pulse;
  }

  /** The dataflow waits for an operator that answers with a promise; so this one does, once. */
  #pauseAfter(op: Operator): void {
    op.run = (pulse) => {
      delete (op as Partial<Operator>).run;
      const result = op.run(pulse) as { then?: unknown; async?: unknown };
      if (result.then !== undefined || result.async !== undefined) return result;
      return nextTask().then(() => {
        this.#stepStart = performance.now();
        this.#sliceEnd = this.#stepStart + this.#slice;
        return result;
      });
    };
  }

  /** Pixels of the picture at its longest. */
  get longestSide(): number {
    const { left = 0, right = 0, top = 0, bottom = 0 } = Object(this.padding()) as Record<string, number>;
    return Math.max(this._viewWidth + left + right, this._viewHeight + top + bottom);
  }

  /** How many marks there are to draw. */
  markCount(): number {
    const count = (scene: Scene): number =>
      (scene.items ?? []).reduce((sum, item) => sum + 1 + (item.items ? count(item) : 0), 0);
    return count((this.scenegraph() as unknown as { root: Scene }).root);
  }
}

/** Resolves in a task of its own, after what is waiting for its turn. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}

/**
 * Makes a view that only works a chart out, and runs it for the first time.
 * @throws ChartProblem as {@link firstRun}
 */
export function openView(compiled: Spec, options: ViewOptions): Promise<GuardedView> {
  return firstRun(options, async (given) => {
    const view = new GuardedView(runtimeOf(compiled), given);
    await view.runAsync();
    return view;
  });
}

/**
 * Waits until a view has run for the first time, with all that this gives rise to.
 * @param options `onProblem` hears of what goes wrong afterwards, when a pointer event makes it run again
 * @param open makes the view with the options that it is given, and runs it
 * @throws ChartProblem when the first run goes wrong
 */
export async function firstRun(
  options: ViewOptions,
  open: (options: ViewOptions) => Promise<GuardedView>,
): Promise<GuardedView> {
  let opened = false;
  let problem: ChartProblem | undefined;
  const onProblem = (found: ChartProblem): void => {
    if (opened) options.onProblem(found);
    problem ??= found;
  };
  try {
    const view = await open({ ...options, onProblem });
    await view.settled();
    opened = view.drawn = true;
    if (problem === undefined) return view;
    view.finalize();
  } catch (error) {
    problem ??= unclear(error);
  }
  throw problem;
}

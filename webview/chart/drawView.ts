/** Draws a compiled chart with Vega, which can load nothing, run no code, and listen outside of it only to a drag. */
import { expressionFunction, type Config, type Loader, type Spec, type View } from 'vega';
import embed from 'vega-embed';
import { expressionInterpreter } from 'vega-interpreter';
import { calendarDate } from '../../src/shared/chart/cellReader.ts';
import { ChartProblem } from '../../src/shared/chart/limits.ts';
import { isNull } from '../../src/shared/results/cells.ts';
import { messageOf, type Fields } from '../../src/shared/text/checks.ts';
import { t } from '../../src/shared/text/l10n.ts';
import { tooltipNumber } from './vegaConfig.ts';

/** Milliseconds after which a drawing is given up. The largest charts take two seconds on a slow, busy computer. */
const deadline = 5_000;
/** Maximum side of a canvas in pixels; a larger one may stay blank. */
export const longestSide = 16_384;

/** A drag may end outside the chart; no other events outside are listened to. */
const events = {
  bind: 'none',
  window: ['pointermove', 'pointerup'],
  selector: false,
  timer: false,
} as unknown as Config['events'];

const refuse = (): Promise<never> => Promise.reject(new Error('Charts load nothing'));
/** A loader that rejects everything: data, images and links. */
const loader = { options: {}, load: refuse, sanitize: refuse, http: refuse, file: refuse } as unknown as Loader;

export interface ViewOptions {
  renderer: 'svg' | 'canvas';
  /** Number and time locale, as Vega's `config.locale`. */
  locale: Fields;
  tooltip: (handler: unknown, event: MouseEvent, item: unknown, value: unknown) => void;
  /** Called if a later run fails, after an event or a resize. */
  onProblem: (problem: ChartProblem) => void;
}

/**
 * Draws a compiled chart into an element with vega-embed.
 * @throws ChartProblem if drawing fails or times out
 */
export async function drawView(host: HTMLElement, compiled: Fields, options: ViewOptions): Promise<View> {
  let failure: ChartProblem | undefined;
  let report = (problem: ChartProblem): void => {
    failure ??= problem;
  };
  const drawing = embed(host, compiled as unknown as Spec, {
    mode: 'vega',
    ast: true,
    expr: expressionInterpreter,
    actions: false,
    defaultStyle: false,
    hover: true,
    renderer: options.renderer,
    loader,
    tooltip: options.tooltip,
    logger: loggerOf((error) => report(problemOf(error))),
    config: { events, locale: options.locale },
  });
  const start = performance.now();
  const late = new Promise<never>((_, reject) => setTimeout(() => reject(tooSlow()), deadline));
  try {
    const { view } = await Promise.race([drawing, late]);
    const canvas = host.querySelector('canvas');
    if (canvas && Math.max(canvas.width, canvas.height) > longestSide) await view.renderer('svg').runAsync();
    // The timer can't fire while a drawing runs in a single task.
    if (performance.now() - start > deadline) throw tooSlow();
    if (failure) throw failure;
    report = options.onProblem;
    return view;
  } catch (error) {
    drawing.then((drawn) => drawn.finalize()).catch(() => undefined);
    throw problemOf(error);
  }
}

/** A part of Vega's scene graph: a mark, whose items can be groups of marks. */
interface Scene {
  role?: string;
  marktype?: string;
  items?: Scene[];
}

/** @returns whether a chart has any mark besides its axes, legends and titles */
export function drawsData(view: View): boolean {
  const isDrawn = ({ role, marktype, items = [] }: Scene): boolean => {
    if (marktype !== undefined && !/^(mark|scope|frame)$/.test(role ?? '')) return false;
    return marktype === 'group' || marktype === undefined ? items.some(isDrawn) : items.length > 0;
  };
  return isDrawn((view.scenegraph() as unknown as { root: Scene }).root);
}

const tooSlow = (): ChartProblem => new ChartProblem('tooSlow', t('The chart took too long to draw.'));

/** Vega reports errors of its dataflow only to a logger. */
export function loggerOf(error: (error: unknown) => void) {
  const silent = (): unknown => logger;
  const logger = {
    level: silent,
    warn: silent,
    info: silent,
    debug: silent,
    error(found: unknown) {
      error(found);
      return logger;
    },
  };
  return logger as never;
}

/** @returns the chart problem for an error of Vega or Vega-Lite */
export function problemOf(error: unknown): ChartProblem {
  if (error instanceof ChartProblem) return error;
  return new ChartProblem(
    'invalid',
    t('The chart’s specification can’t be drawn: {0}', messageOf(error).slice(0, 300)),
  );
}

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

const local = (value: unknown): unknown => (typeof value === 'string' ? (calendarDate(value) ?? value) : value);
const dateOf = (value: unknown): Date => new Date((isNull(value) ? NaN : local(value)) as string);

/**
 * In expressions, as in columns, a date without a zone is a calendar day: makes all functions parse it in local time,
 * where JavaScript uses UTC. The parts of null are null; JavaScript returns those of 1970.
 */
function readDatesLocally(): void {
  // The interpreter treats a single number as a year.
  expressionFunction('datetime', (...parts: [number]) => (parts.length > 1 ? new Date(...parts) : dateOf(parts[0])));
  const parts = {
    year: 'getFullYear',
    month: 'getMonth',
    date: 'getDate',
    day: 'getDay',
    hours: 'getHours',
    minutes: 'getMinutes',
    seconds: 'getSeconds',
    milliseconds: 'getMilliseconds',
    time: 'getTime',
  } as const;
  for (const [name, part] of Object.entries(parts))
    expressionFunction(name, (value: unknown) => (isNull(value) ? null : dateOf(value)[part]()));
  for (const name of ['toDate', 'timeFormat', 'quarter', 'week', 'dayofyear']) {
    const original = expressionFunction(name) as unknown as AnyFunction;
    const read: AnyFunction = function (value, ...rest) {
      return isNull(value) && name !== 'timeFormat' ? null : original.call(this, local(value), ...rest);
    };
    expressionFunction(name, read);
  }
}
readDatesLocally();

/** In tooltips, whole numbers keep all digits, such as those of ids. */
function showWholeNumbers(): void {
  const original = expressionFunction('format') as unknown as AnyFunction;
  const format: AnyFunction = function (value, pattern) {
    const isWhole = pattern === tooltipNumber && Number.isSafeInteger(value);
    return original.call(this, value, isWhole ? ',d' : pattern);
  };
  expressionFunction('format', format);
}
showWholeNumbers();

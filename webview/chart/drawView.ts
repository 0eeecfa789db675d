/** Draws a compiled chart with Vega, which can load nothing, run no code, and listen outside of it only to a drag. */
import { parse, View, type Config, type Loader, type Spec } from 'vega';
import { ChartProblem } from '../../src/shared/chart/limits.ts';
import { messageOf, type Fields } from '../../src/shared/text/checks.ts';
import { t } from '../../src/shared/text/l10n.ts';
import { interpreter, markCount } from './caps.ts';
import { fitLegends, improved, pictureHeight, pictureWidth, unmeasured, type Fit } from './fit.ts';
import './functions.ts';

/** Milliseconds in which a chart must be drawn. */
const deadline = 2_000;
/** Number of marks from which they are drawn on a canvas. */
const canvasFrom = 2_000;
/** How often a chart is drawn until it fits. */
const mostPasses = 4;
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
  /** The width of the picture, in pixels. */
  width: number;
  /** Whether the chart is a single plot. */
  isSingle: boolean;
  /** Number and time locale, as Vega's `config.locale`. */
  locale: Fields;
  tooltip: (handler: unknown, event: MouseEvent, item: unknown, value: unknown) => void;
  /** Called if a later run fails, after an event or a resize. */
  onProblem: (problem: ChartProblem) => void;
}

/**
 * Draws a chart, and again until it fits, without rendering it.
 * @param compile compiles the chart's specification for what the drawing before has measured
 * @param host the element to draw into; undefined to create only the view, for an exported picture
 * @throws ChartProblem if drawing fails or takes too long
 */
export async function drawView(
  host: HTMLElement | undefined,
  compile: (fit: Fit) => Promise<Fields>,
  options: ViewOptions,
): Promise<View> {
  let failure: ChartProblem | undefined;
  let report = (problem: ChartProblem): void => {
    failure ??= problem;
  };
  const start = performance.now();
  const check = (): void => {
    if (failure) throw failure;
    if (performance.now() - start > deadline) throw tooSlow();
  };
  const config = { events, locale: options.locale } as Config;
  let view: View | undefined;
  let fit: Fit | undefined = unmeasured(options.width);
  let passes = 0;
  try {
    do {
      view?.finalize();
      view = new View(parse((await compile(fit)) as unknown as Spec, config, { ast: true }), {
        expr: interpreter,
        loader,
        logger: loggerOf((error) => report(problemOf(error))),
        tooltip: options.tooltip,
        renderer: 'none',
      });
      await view.hover().runAsync();
      // Vega fits a plot by its labels before, which the new width can change.
      if (pictureWidth(view) > options.width) await view.resize().runAsync();
      check();
      await fitLegends(view, options.width);
      fit = improved(fit, view, options);
      passes += 1;
      // A chart that takes long is drawn as it is: it scrolls.
    } while (fit && passes < mostPasses && performance.now() - start < deadline / 2);
    if (host) await render(view, host);
    check();
    report = options.onProblem;
    return view;
  } catch (error) {
    view?.finalize();
    throw problemOf(error);
  }
}

async function render(view: View, host: HTMLElement): Promise<void> {
  const side = Math.max(pictureWidth(view), pictureHeight(view)) * devicePixelRatio;
  await view
    .renderer(markCount(view) > canvasFrom && side <= longestSide ? 'canvas' : 'svg')
    .initialize(host)
    .runAsync();
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

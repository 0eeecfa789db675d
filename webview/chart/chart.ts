/** Draws a chart in the theme of VS Code, and exports it. */
import { mergeConfig, type View } from 'vega';
import type { Config } from 'vega-lite';
import { altText, chartTitle } from '../../src/shared/chart/altText.ts';
import { attachData } from '../../src/shared/chart/attachData.ts';
import { mismatchesOf, nothingToDraw } from '../../src/shared/chart/mismatches.ts';
import { fieldsOf, type Fields } from '../../src/shared/text/checks.ts';
import { legalXml } from '../../src/shared/text/plainText.ts';
import { without } from '../../src/shared/chart/json.ts';
import type { ChartProblem } from '../../src/shared/chart/limits.ts';
import { escapeColumns } from '../../src/shared/chart/names.ts';
import { readSpec } from '../../src/shared/chart/readSpec.ts';
import { chartRows, type ChartRow } from '../../src/shared/chart/rows.ts';
import { countDistinct, withFoldedNames } from '../../src/shared/chart/units.ts';
import type { ResultTable } from '../../src/shared/wire/toolPayloads.ts';
import { compileChart } from './compile.ts';
import type { Fit } from './fit.ts';
import { isSingle, layOut } from './layout.ts';
import { markSizes } from './markSizes.ts';
import { readTheme, type ChartTheme } from './theme.ts';
import { vegaConfig, vegaLocale } from './vegaConfig.ts';
import { drawsData, drawView, longestSide, problemOf, type ViewOptions } from './drawView.ts';
import { Tooltip } from './tooltip.ts';

export interface ChartInput {
  spec: string;
  table: ResultTable;
  title: string;
}
export type Background = 'theme' | 'white';
export type ChartHandle = Pick<Chart, 'altText' | 'updateTheme' | 'toSvg' | 'toPng' | 'dispose'>;

/** Width in pixels if the container is not visible yet. */
const unknownWidth = 480;
/** Number of rows from which drawing runs in its own task after compiling. */
const manyRows = 1_000;

/**
 * Draws a chart in VS Code's theme into `container`, which gets the role and name of an image.
 * @returns a handle, once the chart is drawn
 * @throws ChartProblem if the specification is invalid, is rejected or takes too long; the container is then unchanged
 */
export async function drawChart(
  container: HTMLElement,
  input: ChartInput,
  onNotice: (text: string) => void,
): Promise<ChartHandle> {
  const chart = new Chart(container, input, onNotice);
  try {
    await chart.start();
    return chart;
  } catch (error) {
    chart.dispose();
    throw error;
  }
}

class Chart {
  readonly #container: HTMLElement;
  readonly #onNotice: (text: string) => void;
  readonly #input: ChartInput;
  readonly #notices: readonly string[];
  /** The specification for exported pictures. */
  readonly #spec: Fields;
  /** The specification for the page, without a title that the card already shows. */
  readonly #shown: Fields;
  readonly #rows: readonly ChartRow[];
  /** The user's locale, overridden by the specification. */
  readonly #locale: Fields;
  readonly #tooltip: Tooltip;
  readonly #observer = new ResizeObserver(() => void this.#resize().catch((error) => this.#stop(problemOf(error))));
  #host = document.createElement('div');
  #view: View | undefined;
  #width = 0;
  #queue: Promise<void> = Promise.resolve();
  #disposed = false;

  constructor(container: HTMLElement, input: ChartInput, onNotice: (text: string) => void) {
    const { spec, notices } = readSpec(input.spec);
    this.#spec = attachData(escapeColumns(spec, input.table));
    const isTitled = chartTitle(spec).trim().toLowerCase() === input.title.trim().toLowerCase();
    this.#shown = isTitled ? without(this.#spec, 'title') : this.#spec;
    this.#rows = chartRows(this.#spec, input.table);
    this.#notices = [...notices, ...mismatchesOf(this.#spec, this.#rows, input.table)];
    const { locale } = fieldsOf(spec.config);
    this.#locale = { ...vegaLocale(navigator.language), ...fieldsOf(locale) };
    this.#container = container;
    this.#input = input;
    this.#onNotice = onNotice;
    this.#tooltip = new Tooltip(container);
  }

  async start(): Promise<void> {
    await this.#draw();
    // A filter can remove every row, for example if it compares dates with text.
    if (this.#rows.length > 0 && this.#view && !drawsData(this.#view)) throw nothingToDraw();
    // Number formatting is slow in browsers the first time, so wait until the chart is painted.
    requestAnimationFrame(() => requestAnimationFrame(() => this.#name()));
    for (const notice of this.#notices) this.#onNotice(notice);
    this.#observer.observe(this.#container);
  }

  get altText(): string {
    return altText(this.#spec, this.#rows, this.#input);
  }

  updateTheme(): Promise<void> {
    return this.#enqueue(() => this.#draw());
  }

  toSvg(background: Background): Promise<string> {
    return this.#picture(background, async (view) => withoutAddresses(legalXml(await view.toSVG())));
  }

  /**
   * @param scale picture pixels per CSS pixel
   * @returns a PNG file as base64, scaled down if a canvas can't be that large
   */
  toPng(background: Background, scale: number): Promise<string> {
    return this.#picture(background, async (view) => {
      const sizes = [...(await view.toSVG()).matchAll(/ (?:width|height)="([\d.]+)"/g)].slice(0, 2);
      const longest = Math.max(1, ...sizes.map(([, size]) => Number(size)));
      const canvas = await view.toCanvas(Math.min(scale, longestSide / longest));
      return canvas.toDataURL('image/png').split(',')[1] ?? '';
    });
  }

  dispose(): void {
    this.#disposed = true;
    this.#observer.disconnect();
    this.#view?.finalize();
    this.#tooltip.remove();
    this.#host.remove();
    this.#container.removeAttribute('role');
    this.#container.removeAttribute('aria-label');
  }

  #name(): void {
    if (this.#disposed) return;
    this.#container.setAttribute('role', 'img');
    this.#container.setAttribute('aria-label', this.altText);
  }

  #enqueue(change: () => Promise<void>): Promise<void> {
    const done = this.#queue.then(() => (this.#disposed ? undefined : change()));
    this.#queue = done.catch(() => undefined);
    return done;
  }

  #resize(): Promise<void> {
    return this.#enqueue(async () => {
      const { clientWidth } = this.#container;
      if (clientWidth > 0 && clientWidth !== this.#width) await this.#draw();
    });
  }

  /** Draws beside the current chart and replaces it when done, to avoid flicker. */
  async #draw(): Promise<void> {
    this.#width = this.#container.clientWidth;
    const host = document.createElement('div');
    host.style.overflowX = 'auto';
    const view = await this.#drawInto(host, this.#shown, readTheme(this.#container), {
      tooltip: (_, event, item, value) => this.#tooltip.show(event, item, value),
      onProblem: (problem) => this.#stop(problem),
    });
    // The container is the image and has the name.
    for (const name of ['role', 'aria-roledescription', 'aria-label']) host.removeAttribute(name);
    host.setAttribute('aria-hidden', 'true');
    if (this.#disposed) return void view.finalize();
    this.#view?.finalize();
    this.#view = view;
    host.addEventListener('pointermove', (event) => {
      const picture = host.querySelector('svg, canvas');
      if (picture) this.#tooltip.showNearest(event, view, picture);
    });
    host.addEventListener('pointerleave', () => this.#tooltip.hide());
    if (this.#host.isConnected) this.#host.replaceWith(host);
    else this.#container.prepend(host);
    this.#host = host;
  }

  async #drawInto(
    host: HTMLElement | undefined,
    spec: Fields,
    theme: ChartTheme,
    options: Pick<ViewOptions, 'tooltip' | 'onProblem'>,
    more: Config = {},
  ): Promise<View> {
    const { table } = this.#input;
    const width = this.#container.clientWidth || unknownWidth;
    const folded = withFoldedNames(spec, table);
    const count = countDistinct(folded);
    const isOne = isSingle(spec);
    const marks = markSizes(spec, isOne ? width : undefined, folded.rows.length, count);
    const compile = async (fit: Fit): Promise<Fields> => {
      const layout = layOut(spec, width, fit);
      const config = mergeConfig(vegaConfig(theme), marks, layout.config, more) as Config;
      const compiled = compileChart(layout.spec, config, this.#rows, table);
      // Let the page respond between compiling and drawing.
      if (this.#rows.length > manyRows) await new Promise((resolve) => setTimeout(resolve));
      return compiled;
    };
    return drawView(host, compile, { ...options, locale: this.#locale, width, isSingle: isOne });
  }

  /** Freezes the picture: it no longer responds to the pointer. */
  #stop(problem: ChartProblem): void {
    this.#view?.finalize();
    this.#onNotice(problem.message);
  }

  async #picture<Result>(background: Background, encode: (view: View) => Promise<Result>): Promise<Result> {
    const theme = readTheme(this.#container, background === 'white');
    const { title = this.#input.title } = this.#spec;
    const spec = title === '' ? this.#spec : { ...this.#spec, title };
    const ignored = { tooltip: () => undefined, onProblem: () => undefined };
    const config = { background: theme.background, padding: 12 };
    const view = await this.#drawInto(undefined, spec, theme, ignored, config);
    try {
      return await encode(view);
    } finally {
      view.finalize();
    }
  }
}

/**
 * An expression or a cell can be a paint or a style that refers to a URL. In the page the Content Security Policy blocks
 * it, but not in a saved file, which would load it when it is opened. Vega's own styles call no functions.
 */
function withoutAddresses(svg: string): string {
  return svg.replace(/ (fill|stroke|style)="([^"]*)"/g, (attribute, name: string, value: string) => {
    const isAddress = name === 'style' ? value.includes('(') : /url\s*\(|\\/i.test(value) && !value.startsWith('url(#');
    return isAddress ? ` ${name}="none"` : attribute;
  });
}

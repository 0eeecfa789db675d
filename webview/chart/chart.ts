import type { View } from 'vega';
import { altText, titleOf } from '../../src/shared/chart/altText.ts';
import { attachData } from '../../src/shared/chart/attachData.ts';
import { escapeColumns } from '../../src/shared/chart/escape.ts';
import { isFields, without, type Fields } from '../../src/shared/chart/json.ts';
import { styleOutlines } from '../../src/shared/chart/outlines.ts';
import { missingFields } from '../../src/shared/chart/missing.ts';
import type { ChartProblem } from '../../src/shared/chart/problem.ts';
import { readSpec } from '../../src/shared/chart/readSpec.ts';
import { chartRows, type ChartRow } from '../../src/shared/chart/rows.ts';
import { compileChart, problemOf } from './compile.ts';
import { gapsOf } from './gaps.ts';
import type { Background, ChartHandle, ChartInput, ChartOptions } from './types.ts';
import { isNarrow } from './labels.ts';
import { layOut, type Layout } from './layout.ts';
import { vegaLocale } from './locale.ts';
import { onWhite, type ChartTheme } from './theme.ts';
import { Tooltip } from './tooltip.ts';
import { vegaConfig } from './vegaConfig.ts';
import { drawView, longestSide } from './view.ts';

/** Width in pixels for a container that is not shown yet. */
const unknownWidth = 480;
/** Estimated microseconds of a drawing that gets a task of its own, after compiling. */
const longDrawing = 50_000;
/** Beyond so many marks, one canvas is lighter than an SVG element for each. */
const canvasFrom = 2_000;

export class Chart implements ChartHandle {
  readonly #container: HTMLElement;
  readonly #notices: readonly string[];
  readonly #options: ChartOptions;
  /** As it was read. */
  readonly #read: Fields;
  /** As pictures show it. */
  readonly #spec: Fields;
  /** As the page shows it: what stands around the chart names it already. */
  readonly #shown: Fields;
  readonly #rows: readonly ChartRow[];
  readonly #input: ChartInput;
  readonly #tooltip: Tooltip;
  readonly #observer = new ResizeObserver(() => void this.resize().catch((error) => this.#stop(problemOf(error))));
  /** The reader's, and over it what the specification says of its own. */
  readonly #locale: Fields;
  #theme: ChartTheme;
  #host = document.createElement('div');
  #view: View | undefined;
  #width = 0;
  #fits = true;
  /** What else depends on the width. */
  #arrangement = '';
  #queue: Promise<void> = Promise.resolve();
  #disposed = false;

  constructor(container: HTMLElement, input: ChartInput, options: ChartOptions) {
    const { spec: read, notices } = readSpec(input.spec);
    const spec = styleOutlines(escapeColumns(read, input.table));
    this.#spec = attachData(spec);
    const named = titleOf(this.#spec).trim().toLowerCase() === input.title.trim().toLowerCase();
    this.#shown = named ? without(this.#spec, 'title') : this.#spec;
    this.#rows = chartRows(spec, input.table);
    this.#read = spec;
    const { locale } = isFields(spec.config) ? spec.config : {};
    this.#locale = { ...vegaLocale(navigator.language), ...(isFields(locale) ? locale : {}) };
    this.#container = container;
    this.#input = input;
    const missing = missingFields(this.#spec, input.table);
    this.#notices = [...notices, ...gapsOf(missing, spec, this.#rows, input.table)];
    this.#options = options;
    this.#theme = options.theme;
    this.#tooltip = new Tooltip(container);
  }

  /** Draws for the first time. */
  async start(): Promise<void> {
    const layout = this.#layOut();
    this.#container.style.minHeight = `${layout.height}px`;
    await this.#draw(layout);
    this.#container.style.minHeight = '';
    // Numbers in words take the browser long the first time: the picture does not wait for them.
    afterPaint(() => this.#name());
    for (const notice of this.#notices) this.#options.onNotice(notice);
    this.#observer.observe(this.#container);
  }

  get altText(): string {
    return altText(this.#read, this.#rows, this.#input);
  }

  setTheme(theme: ChartTheme): Promise<void> {
    this.#theme = theme;
    return this.#later(() => this.#draw());
  }

  resize(): Promise<void> {
    return this.#later(async () => {
      const width = this.#container.clientWidth;
      if (width === 0 || width === this.#width) return;
      const layout = this.#layOut();
      if (!this.#fits || !this.#view || this.#arrangement !== arrangementOf(layout)) return this.#draw(layout);
      this.#width = width;
      await this.#view.width(width).runAsync();
    });
  }

  async toSvg(background: Background): Promise<string> {
    return this.#picture(background, (view) => view.toSVG());
  }

  async toPng(background: Background, scale: number): Promise<string> {
    return this.#picture(background, async (view) => {
      const [width = 1, height = 1] = [...(await view.toSVG()).matchAll(/ (?:width|height)="([\d.]+)"/g)].map((found) =>
        Number(found[1]),
      );
      const canvas = await view.toCanvas(Math.min(scale, longestSide / Math.max(width, height)));
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
    this.#container.style.minHeight = '';
  }

  #name(): void {
    if (this.#disposed) return;
    this.#container.setAttribute('role', 'img');
    this.#container.setAttribute('aria-label', this.altText);
  }

  /** One change after the other. */
  #later(change: () => Promise<void>): Promise<void> {
    const done = this.#queue.then(() => (this.#disposed ? undefined : change()));
    this.#queue = done.catch(() => undefined);
    return done;
  }

  #layOut(spec = this.#shown): Layout {
    return layOut(spec, this.#input.table, this.#room);
  }

  /** Pixels that the chart may take in width. */
  get #room(): number {
    return this.#container.clientWidth || unknownWidth;
  }

  /** Draws beside what is there and takes its place when it is done, so that nothing flickers. */
  async #draw(layout = this.#layOut()): Promise<void> {
    const { spec, fits, hints } = layout;
    this.#width = this.#container.clientWidth;
    this.#fits = fits;
    this.#arrangement = arrangementOf(layout);
    const config = vegaConfig(this.#theme, this.#room, hints);
    const { compiled, estimate } = compileChart(spec, config, this.#rows);
    if (estimate.time > longDrawing) await nextTask();
    const host = document.createElement('div');
    host.style.overflowX = 'auto';
    const view = await drawView(host, compiled, {
      renderer: estimate.items > canvasFrom ? 'canvas' : 'svg',
      locale: this.#locale,
      tooltip: (_, event, __, value) => this.#tooltip.show(event, value),
      onProblem: (problem) => this.#stop(problem),
    });
    // The container is the image and has the name; what is inside is of no interest of its own.
    for (const name of ['role', 'aria-roledescription', 'aria-label']) host.removeAttribute(name);
    host.setAttribute('aria-hidden', 'true');
    if (this.#disposed) return void view.finalize();
    this.#view?.finalize();
    this.#view = view;
    this.#tooltip.setTheme(this.#theme);
    if (this.#host.isConnected) this.#host.replaceWith(host);
    else this.#container.prepend(host);
    this.#host = host;
  }

  /** The picture stays; it answers the pointer no more. */
  #stop(problem: ChartProblem): void {
    this.#view?.finalize();
    this.#options.onNotice(problem.message);
  }

  async #picture<Result>(background: Background, take: (view: View) => Promise<Result>): Promise<Result> {
    const theme = background === 'white' ? onWhite(this.#theme) : this.#theme;
    const { title } = this.#input;
    const { spec, hints } = this.#layOut(
      this.#spec.title === undefined && title !== '' ? { ...this.#spec, title } : this.#spec,
    );
    const config = { ...vegaConfig(theme, this.#room, hints), background: theme.background, padding: 12 };
    const { compiled } = compileChart(spec, config, this.#rows);
    const view = await drawView(document.createElement('div'), compiled, {
      renderer: 'svg',
      locale: this.#locale,
      tooltip: () => undefined,
      onProblem: () => undefined,
    });
    try {
      return await take(view);
    } finally {
      view.finalize();
    }
  }
}

/** A page that is not shown paints nothing; what it owes its readers waits until then. */
function afterPaint(act: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(act));
}

/** @returns a text that is another one when labels or legends are to be arranged anew */
function arrangementOf({ spec, hints: { xLabels, legends } }: Layout): string {
  return JSON.stringify([xLabels, legends, isNarrow(Number(spec.width))]);
}

/** Resolves in a later task, so that the page can answer between compiling and drawing. */
const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

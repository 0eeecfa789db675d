import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { mapped, type Parts } from '../result.ts';
import { collectGarbage, mainThread, type Split } from '../support/site.ts';
import type { Answer } from './answers.ts';
import type { MarkdownBenchPage } from './page.ts';
import { bundle } from './peers.ts';

/** The cost of streaming some updates. */
export interface Cost {
  /** Seconds of processor time on the page's main thread, without the load of other programs. */
  task: number;
  /** The same by kind of work. */
  parts: Parts;
  /** Milliseconds of wall-clock time of the work for each frame: update, layout and paint. */
  frames: number[];
}

/** One renderer with one answer in its own page. */
export interface Run {
  readonly page: Page;
  /** Streams the updates between two parts of the answer and paints each. */
  stream(from: number, to: number): Promise<Cost>;
  /** Shows the answer up to a part of it with one update. */
  jump(to: number): Promise<void>;
  close(): Promise<void>;
}

/** Renderers that are built into the page. */
const own = new Set(['ours', 'ready elements', 'limit', 'bare words']);

/** Prepares a renderer in a page where it has already rendered a short answer. */
export async function newRun(browser: Browser, name: string, answer: Answer, warmUp: Answer): Promise<Run> {
  const css = await readFile(new URL('../../../webview/markdown/markdown.css', import.meta.url), 'utf8');
  const page = await browser.newPage({ viewport: { width: 500, height: 800 } });
  await page.setContent(`<!doctype html><style>${css}</style><body>`);
  await page.evaluate(await bundle('page.ts'));
  if (!own.has(name)) await page.evaluate(await bundle('peers.js'));
  const busy = await mainThread(page);
  await start(page, name, warmUp);
  await measure(page, busy, 0, warmUp.deltas);
  await start(page, name, answer);
  const cdp = await page.context().newCDPSession(page);
  const delta = (part: number): number => Math.round(part * answer.deltas);
  return {
    page,
    stream: (from, to) => measure(page, busy, delta(from), delta(to)),
    async jump(to) {
      await page.evaluate((at) => window.markdownBench.stream(at - 1, at), delta(to));
      // The frames that are measured next don't pay for what was skipped.
      await collectGarbage(cdp);
    },
    close: () => page.close(),
  };
}

const start = (page: Page, name: string, answer: Answer): Promise<void> =>
  page.evaluate(([renderer, { text, deltas }]) => window.markdownBench.start(renderer, text, deltas), [
    name,
    answer,
  ] as const);

async function measure(page: Page, busy: () => Promise<Split>, from: number, to: number): Promise<Cost> {
  await busy();
  const frames = await page.evaluate(([first, last]) => window.markdownBench.stream(first, last), [from, to] as const);
  const { total, parts } = await busy();
  return { task: total / 1000, parts: mapped(parts, (ms) => ms / 1000), frames };
}

declare global {
  interface Window {
    markdownBench: MarkdownBenchPage;
  }
}

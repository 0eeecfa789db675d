import { readFile } from 'node:fs/promises';
import { chromium, type Browser, type CDPSession, type Page } from 'playwright-core';
import { installChromium } from '../../vscode/chromium.ts';
import type { Answer } from './answers.ts';
import type { MarkdownBenchPage } from './page.ts';
import { bundle } from './peers.ts';

/** What streaming some updates has cost. */
export interface Cost {
  /** Seconds of processor time on the page's main thread; other programs' load is not in it. */
  task: number;
  /** Milliseconds of each frame's work, from the update to its paint, by the clock. */
  frames: number[];
}

/** A browser whose frames come as fast as they can. */
export async function openBrowser(): Promise<Browser> {
  const quiet = ['--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update'];
  const fast = ['--disable-gpu', '--disable-frame-rate-limit', '--disable-gpu-vsync'];
  return chromium.launch({ executablePath: await installChromium(), args: ['--no-sandbox', ...quiet, ...fast] });
}

/** One renderer with one answer, in a page of its own. */
export interface Run {
  /** Streams the updates between two parts of the answer, each painted. */
  stream(from: number, to: number): Promise<Cost>;
  /** Shows the answer up to a part of it in one update. */
  jump(to: number): Promise<void>;
  close(): Promise<void>;
}

/** Prepares a renderer, in a page where it has already drawn a short answer. */
export async function newRun(browser: Browser, name: string, answer: Answer, warmUp: Answer): Promise<Run> {
  const css = await readFile(new URL('../../../webview/markdown/markdown.css', import.meta.url), 'utf8');
  const page = await browser.newPage({ viewport: { width: 500, height: 800 } });
  await page.setContent(`<!doctype html><style>${css}</style><body>`);
  await page.evaluate(await bundle('page.ts'));
  await page.evaluate(await bundle('peers.js'));
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  await start(page, name, warmUp);
  await measure(page, cdp, 0, warmUp.deltas);
  await start(page, name, answer);
  const delta = (part: number): number => Math.round(part * answer.deltas);
  return {
    stream: (from, to) => measure(page, cdp, delta(from), delta(to)),
    async jump(to) {
      await page.evaluate((at) => window.markdownBench.stream(at - 1, at), delta(to));
    },
    close: () => page.close(),
  };
}

const start = (page: Page, name: string, answer: Answer): Promise<void> =>
  page.evaluate(([renderer, { text, deltas }]) => window.markdownBench.start(renderer, text, deltas), [
    name,
    answer,
  ] as const);

async function measure(page: Page, cdp: CDPSession, from: number, to: number): Promise<Cost> {
  const before = await busy(cdp);
  const frames = await page.evaluate(([first, last]) => window.markdownBench.stream(first, last), [from, to] as const);
  return { task: (await busy(cdp)) - before, frames };
}

async function busy(cdp: CDPSession): Promise<number> {
  const { metrics } = await cdp.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
}

declare global {
  interface Window {
    markdownBench: MarkdownBenchPage;
  }
}

/**
 * Opens a thread of a thousand messages: our webview as shipped, compared with a list that renders everything, the same
 * with `content-visibility: auto`, and the limit: a thread that contains only the last screen.
 */
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import type { ViewContext, ToWebview } from '../../../src/shared/protocol/chat.ts';
import type { Thread } from '../../../src/shared/thread/model.ts';
import { compared, median, profileOf, type Parts, type Result } from '../result.ts';
import { builtFiles, heapUsed, mainThread, openBrowser, openPage, shippedFiles, type Files } from '../support/site.ts';
import { standIn } from './host.ts';
import { END, longThread } from './thread.ts';

const MESSAGES = 1000;
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
/** Contenders that take half a minute are measured once. */
const SLOW_ROUNDS = 1;
const WIDTHS = [320, 420, 320, 420, 320, 420];
const SLOW_WIDTHS = WIDTHS.slice(0, 2);
/** Number of items in the turns that fill a screen. */
const LAST_SCREEN = 8;

const viewContext: ViewContext = {
  ...{
    connected: true,
    connection: '',
    branch: 'main',
    isDefaultBranch: true,
    mainBranch: 'main',
    offeredBranch: '',
    identity: 'bench',
  },
  ...{ sendKey: 'enter', showThinking: 'collapsed', readOnly: false, lifetime: 0, examples: [] },
  ...{ guardFormulas: true, timeZones: {}, certified: [], chartSpecs: [] },
};

interface Contender {
  files: Files;
  entry: string;
  thread: Thread;
  css?: string;
  slow?: boolean;
}

const metrics = {
  'end shown': 'ms',
  'chart at the end shown': 'ms',
  'main thread, until the end and its chart': 'ms',
  resize: 'ms',
  'DOM nodes': 'nodes',
  memory: 'MB',
} as const;
type Metric = keyof typeof metrics;

/** @returns the medians of all rounds; contenders alternate */
export default async function bench(): Promise<Result[]> {
  const thread = longThread(MESSAGES);
  const screen = { ...thread, turns: thread.turns.slice(-LAST_SCREEN / 2) };
  const plain = { files: await builtFiles(fileURLToPath(new URL('page.tsx', import.meta.url))), entry: 'page' };
  const everything = '.turn{content-visibility:visible}';
  const contenders: Record<string, Contender> = {
    ours: { files: shippedFiles(), entry: 'main', thread },
    limit: { ...plain, thread: screen, css: everything },
    'content-visibility': { ...plain, thread, slow: true },
    'plain list': { ...plain, thread, css: everything, slow: true },
  };
  const samples = Object.fromEntries(Object.keys(metrics).map((name) => [name, {}])) as Record<
    Metric,
    Record<string, number[]>
  >;
  const parts: Record<string, Parts[]> = {};
  const browser = await openBrowser();
  try {
    for (let round = -1; round < ROUNDS; round += 1)
      for (const [name, contender] of Object.entries(contenders)) {
        if (contender.slow && (round < 0 || round >= SLOW_ROUNDS)) continue;
        const { work, ...measured } = await measure(browser, contender);
        if (round < 0) continue;
        (parts[name] ??= []).push(work);
        for (const metric of Object.keys(metrics) as Metric[]) (samples[metric][name] ??= []).push(measured[metric]);
      }
  } finally {
    await browser.close();
  }
  const profile = profileOf('ms on the main thread, until the end and its chart', parts);
  return Object.entries(metrics).map(([name, unit]) => {
    const result = compared(`${name}, ${MESSAGES} messages`, unit, samples[name as Metric]);
    return unit === 'ms' && name !== 'resize' ? { ...result, profile } : result;
  });
}

type Measured = Record<Metric, number> & { work: Parts };

async function measure(browser: Browser, { thread, slow, ...contender }: Contender): Promise<Measured> {
  // Tall enough to show the end of the thread together with the chart above it.
  const viewport = { width: 420, height: 1000 };
  const page = await openPage(browser, { ...contender, viewport, before: standIn, strict: true });
  const busy = await mainThread(page);
  await page.waitForFunction(() => window.openBench.isReady);
  const draft = { text: '', images: [] };
  const snapshot: ToWebview = { type: 'snapshot', seq: 0, thread, viewContext, draft, l10n: {} };
  // Not measured: in VS Code, the message also arrives from another process.
  const held = await page.evaluateHandle((value) => value, snapshot);
  await busy();
  const { end, chart } = await held.evaluate((value, text) => window.openBench.open(value, text), END);
  const { total, parts } = await busy();
  await held.dispose();
  const resizes: number[] = [];
  for (const width of slow ? SLOW_WIDTHS : WIDTHS)
    resizes.push(await page.evaluate((to) => window.openBench.resize(to), width));
  const cdp = await page.context().newCDPSession(page);
  const { total: memory } = await heapUsed(cdp);
  const { nodes } = await cdp.send('Memory.getDOMCounters');
  await page.close();
  return {
    'end shown': end,
    'chart at the end shown': chart,
    'main thread, until the end and its chart': total,
    work: parts,
    resize: median(resizes),
    'DOM nodes': nodes,
    memory,
  };
}

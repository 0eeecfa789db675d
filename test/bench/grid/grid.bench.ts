/** Compares the results grid with other grids and with the limit: drawing only the visible cells. */
import { build } from 'esbuild';
import { fileURLToPath } from 'node:url';
import type { CDPSession, Page } from 'playwright-core';
import { compared, mapped, profileOf, type Parts, type Result } from '../result.ts';
import { collectGarbage, heapUsed, mainThread, openBrowser, since, type Split } from '../support/site.ts';
import { inTurn } from '../support/turns.ts';
import { PEERS_MOST_COLUMNS, SCROLL_FRAMES } from './data.ts';
import type { Shape } from './page.ts';

const SHAPES: readonly Shape[] = [
  { rows: 100, columns: 20 },
  { rows: 10_000, columns: 20 },
  { rows: 100_000, columns: 20 },
  { rows: 100_000, columns: 50 },
];

/** Number of measurements of each close grid in each size, after one warm-up; peers warm up only in the first size. */
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);

/** Milliseconds after which only one round of each size is measured. */
const ROUNDS_MS = (process.env.BENCH_SIZE === 'full' ? 100 : 1) * 4 * 60_000;

/**
 * Number of additional sorts and filters of each close grid in a round: with few, the difference between two runs is
 * larger than that between two grids.
 */
const MORE = 2;

/** Grids without virtualization; above this number of rows they take minutes. */
const MOST_ROWS: Record<string, number> = { toolkit: 100, plainTable: 1000 };

const NAMES = ['ours', 'limit', 'whole cells', 'agGrid', 'clusterize', 'toolkit', 'plainTable'];
const METRICS = [
  'ready',
  'ready work',
  'scroll frame p95',
  'scroll work',
  'sort',
  'sort work',
  'filter',
  'filter work',
  'memory',
] as const;
type Metric = (typeof METRICS)[number];

/** Our grid and its closest peers, measured at every size and with a breakdown of their time. */
const CLOSE = ['ours', 'limit', 'whole cells'];
/** Where agGrid is nearly as fast as ours, it is measured as often; other peers once in each size. */
const isClose = (name: string, { rows }: Shape): boolean => CLOSE.includes(name) || (name === 'agGrid' && rows <= 100);

/** Measured values by metric and grid, with a breakdown. */
type Samples = Record<Metric, { values: Record<string, number[]>; parts: Record<string, Parts[]> }>;

/** The page, with probes for its memory and processor time. */
interface Watched {
  page: Page;
  cdp: CDPSession;
  busy: () => Promise<Split>;
}

/** Milliseconds until it was painted, and their breakdown. */
interface Timed {
  painted: number;
  work: Split;
}

/** Runs the benchmark in one browser; all grids in turn, round after round. */
export default async function gridBench(report: (results: readonly Result[]) => void): Promise<Result[]> {
  const started = performance.now();
  const page = await openPage();
  try {
    const watched = { page, cdp: await page.context().newCDPSession(page), busy: await mainThread(page) };
    for (const [at, shape] of SHAPES.entries()) {
      const isLate = (): boolean => performance.now() - started > (ROUNDS_MS * (at + 1)) / SHAPES.length;
      await page.evaluate((wanted) => window.gridBench.prepare(wanted), shape);
      const names = NAMES.filter((name) => isMeasured(name, shape));
      const samples = Object.fromEntries(METRICS.map((metric) => [metric, { values: {}, parts: {} }])) as Samples;
      // On a slow machine, rather fewer rounds of each size than none of the largest.
      for (let round = 0; round <= ROUNDS && (round < 2 || !isLate()); round++) {
        const all = round === 1 || (round === 0 && shape === SHAPES[0]);
        for (const name of inTurn(names, round))
          if (all || isClose(name, shape)) await measure(watched, name, round === 0 ? undefined : samples);
      }
      report(
        METRICS.map((metric) => {
          const unit = metric === 'memory' ? 'MB' : 'ms';
          const { values, parts } = samples[metric];
          const name = `${metric}, ${shape.rows} rows of ${shape.columns}`;
          return { ...compared(name, unit, values), profile: profileOf(unit, parts) };
        }),
      );
    }
  } finally {
    await page.context().browser()?.close();
  }
  return [];
}

async function measure({ page, cdp, busy }: Watched, name: string, samples: Samples | undefined): Promise<void> {
  const note = (metric: Metric, value: number, parts: Parts): void => {
    if (!samples) return;
    (samples[metric].values[name] ??= []).push(value);
    if (CLOSE.includes(name)) (samples[metric].parts[name] ??= []).push(parts);
  };
  const timed = async (act: () => Promise<number>): Promise<Timed> => {
    await busy();
    const painted = await act();
    return { painted, work: await busy() };
  };
  /** Like a user with a menu; some grids don't support this. */
  const done = async (what: 'sort' | 'filter'): Promise<boolean> => {
    // Otherwise, the browser may do it during the measurement; with large tables, it takes longer than a filter.
    await collectGarbage(cdp);
    if (!(await page.evaluate((at) => window.gridBench.aim(at), what))) return false;
    const { painted, work } = await timed(() => page.evaluate(() => window.gridBench.act()));
    note(what, painted, work.parts);
    note(`${what} work`, work.total, work.parts);
    return true;
  };
  const mount = async (): Promise<void> => {
    // Collect garbage, so that a grid doesn't pay for its predecessor.
    await collectGarbage(cdp);
    const { painted, work } = await timed(() => page.evaluate((grid) => window.gridBench.ready(grid), name));
    note('ready', painted, work.parts);
    note('ready work', work.total, work.parts);
  };
  await mount();
  const scroll = await timed(() => page.evaluate(() => window.gridBench.scroll()));
  const eachFrame = mapped(scroll.work.parts, (ms) => ms / SCROLL_FRAMES);
  note('scroll frame p95', scroll.painted, eachFrame);
  note('scroll work', scroll.work.total / SCROLL_FRAMES, eachFrame);
  await page.evaluate(() => window.gridBench.check());
  // A part of filtering that the limits don't have.
  if (await page.evaluate(() => window.gridBench.aim('menu'))) {
    const { work } = await timed(() => page.evaluate(() => window.gridBench.act()));
    if (samples) (samples['filter work'].parts[`${name}, closing the menu alone`] ??= []).push(work.parts);
  }
  const filtered = await done('filter');
  const held = await heapUsed(cdp);
  await page.evaluate(() => window.gridBench.dispose());
  const memory = since(await heapUsed(cdp), held);
  note('memory', memory.total, memory.parts);
  // Mount the grid again before sorting, because the filter has removed rows.
  if (filtered) await mount();
  await done('sort');
  await page.evaluate(() => window.gridBench.dispose());
  if (!CLOSE.includes(name)) return;
  for (let again = 0; again < MORE; again++) {
    for (const what of ['filter', 'sort'] as const) {
      await mount();
      await done(what);
      await page.evaluate(() => window.gridBench.dispose());
    }
  }
}

const isMeasured = (name: string, { rows, columns }: Shape): boolean =>
  CLOSE.includes(name) || (columns <= PEERS_MOST_COLUMNS && rows <= (MOST_ROWS[name] ?? Infinity));

async function openPage(): Promise<Page> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('page.ts', import.meta.url))],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2024',
    outdir: 'site',
    write: false,
    legalComments: 'none',
    loader: { '.ttf': 'dataurl' },
  });
  const code = outputFiles.find(({ path }) => path.endsWith('.js'))!.text;
  const css = outputFiles.find(({ path }) => path.endsWith('.css'))!.text;
  const browser = await openBrowser();
  const page = await browser.newPage({ viewport: { width: 1280, height: 420 } });
  await page.setContent(`<!doctype html><title>Grids</title><style>${css}
    body{margin:0;font:13px sans-serif} main{width:1260px;height:300px} main>.scrolling{height:300px;overflow:auto}
    td{height:20px;padding:0 4px;white-space:nowrap} table{border-spacing:0;border-collapse:collapse}</style><main></main>`);
  await page.addScriptTag({ type: 'module', content: code });
  await page.waitForFunction(() => 'gridBench' in window);
  return page;
}

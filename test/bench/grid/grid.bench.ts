/** The results grid beside other grids and beside the limit: only the visible cells, drawn and nothing else. */
import { build } from 'esbuild';
import { fileURLToPath } from 'node:url';
import type { CDPSession, Page } from 'playwright-core';
import { compared, type Result } from '../result.ts';
import { collectGarbage, heapUsed, mainThread, openBrowser } from '../support/site.ts';
import { SCROLL_FRAMES } from './data.ts';
import type { Shape } from './page.ts';

const SHAPES: readonly Shape[] = [
  { rows: 100, columns: 20 },
  { rows: 10_000, columns: 20 },
  { rows: 100_000, columns: 20 },
  { rows: 100_000, columns: 50 },
];

/** How many times each grid is measured at each shape, after one time to warm up. */
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);

/** What draws every row at once: beyond this many rows one waits for a minute and more. */
const MOST_ROWS: Record<string, number> = { toolkit: 100, plainTable: 1000 };

const NAMES = ['ours', 'limit', 'whole cells', 'agGrid', 'clusterize', 'toolkit', 'plainTable'];
const METRICS = [
  'ready',
  'scroll frame p95',
  'scroll work',
  'sort',
  'sort work',
  'filter',
  'filter work',
  'memory',
] as const;
type Metric = (typeof METRICS)[number];

/** Measured values by metric and grid. */
type Samples = Record<Metric, Record<string, number[]>>;

/** The page, and what tells of its memory and of the milliseconds that it has computed. */
interface Watched {
  page: Page;
  cdp: CDPSession;
  busy: () => Promise<number>;
}

/** Runs the benchmark in one browser; every grid in turn, round after round. */
export default async function gridBench(): Promise<Result[]> {
  const page = await openPage();
  const results: Result[] = [];
  try {
    const watched = { page, cdp: await page.context().newCDPSession(page), busy: await mainThread(page) };
    for (const shape of SHAPES) {
      await page.evaluate((wanted) => window.gridBench.prepare(wanted), shape);
      const names = NAMES.filter((name) => shape.rows <= (MOST_ROWS[name] ?? Infinity));
      const samples = Object.fromEntries(METRICS.map((metric) => [metric, {}])) as Samples;
      for (let round = 0; round <= ROUNDS; round++) {
        for (const name of rotated(names, round)) await measure(watched, name, round === 0 ? undefined : samples);
      }
      for (const metric of METRICS) {
        const unit = metric === 'memory' ? 'MB' : 'ms';
        results.push(compared(`${metric}, ${shape.rows} rows of ${shape.columns}`, unit, samples[metric]));
      }
    }
  } finally {
    await page.context().browser()?.close();
  }
  return results;
}

async function measure({ page, cdp, busy }: Watched, name: string, samples: Samples | undefined): Promise<void> {
  // Nobody pays for what the one before has left behind.
  await collectGarbage(cdp);
  const ready = await page.evaluate((grid) => window.gridBench.ready(grid), name);
  const busyBefore = await busy();
  const frame = await page.evaluate(() => window.gridBench.scroll());
  const work = ((await busy()) - busyBefore) / SCROLL_FRAMES;
  await page.evaluate(() => window.gridBench.check());
  const [filter, filterWork] = await timed('filter', page, busy);
  const held = await heapUsed(cdp);
  await page.evaluate(() => window.gridBench.dispose());
  const memory = held - (await heapUsed(cdp));
  // Sorted from a fresh start: the filter has left fewer rows.
  if (filter !== undefined) await page.evaluate((grid) => window.gridBench.ready(grid), name);
  const [sort, sortWork] = await timed('sort', page, busy);
  await page.evaluate(() => window.gridBench.dispose());
  const values = {
    ...{ ready, 'scroll frame p95': frame, 'scroll work': work, memory },
    ...{ sort, 'sort work': sortWork, filter, 'filter work': filterWork },
  };
  for (const metric of METRICS) {
    const value = values[metric];
    if (samples && value !== undefined) (samples[metric][name] ??= []).push(value);
  }
}

/** @returns milliseconds until it is painted, and those that the page has computed for it; neither for one that cannot */
async function timed(
  what: 'sort' | 'filter',
  page: Page,
  busy: Watched['busy'],
): Promise<[number, number] | [undefined, undefined]> {
  if (!(await page.evaluate((at) => window.gridBench.aim(at), what))) return [undefined, undefined];
  const before = await busy();
  const painted = await page.evaluate(() => window.gridBench.act());
  return [painted, (await busy()) - before];
}

const rotated = (names: readonly string[], by: number): string[] => [
  ...names.slice(by % names.length),
  ...names.slice(0, by % names.length),
];

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

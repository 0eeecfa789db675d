/**
 * Measures charts as the conversation draws them, under its content security policy, compared with vega-embed as
 * documented and with a bare Vega view as the limit. Both of these compile expressions, which needs `unsafe-eval`;
 * vega-embed with the interpreter of expressions shows what it costs to do without.
 */
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { compared, mapped, profileOf, type Result } from '../result.ts';
import { builtFiles, mainThread, openBrowser, openPage, together, type Files, type Split } from '../support/site.ts';
import { inTurn } from '../support/turns.ts';
import { calculatedChart, largeChart, smallChart, type BenchChart } from './charts.ts';

/**
 * Number of first charts, each in its own page, because only the first chart of a page loads the code. Most of that time
 * is spent in other processes and differs between runs, so the other charts need fewer pages.
 */
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 12);
/** The other charts, and the ways that have no goal, are measured in every third round. */
const OTHERS = 3;
const NEXT = 8;

const names = ['ours', 'vega-embed', 'interpreted', 'limit'];
const isDue = (name: string, round: number): boolean => ['ours', 'vega-embed'].includes(name) || round % OTHERS === 0;
const workloads = {
  code: 'loading the code for the first chart',
  drawing: 'drawing the first chart of 100 rows, once the code is there',
  first: 'first chart of 100 rows',
  next: 'next chart of 100 rows',
  large: 'chart of 5,000 rows',
  expression: 'chart with an expression',
};
type Workload = keyof typeof workloads;
interface Sample {
  time: number;
  work: Split;
}
type Samples = Record<Workload, Record<string, Sample[]>>;

/** @returns the medians of all rounds, each way in turn */
export default async function bench(): Promise<Result[]> {
  const files = await builtFiles(fileURLToPath(new URL('page.ts', import.meta.url)));
  const samples: Samples = { code: {}, drawing: {}, first: {}, next: {}, large: {}, expression: {} };
  const browser = await openBrowser();
  try {
    for (let round = 0; round <= ROUNDS; round += 1)
      for (const name of inTurn(names, round))
        if (isDue(name, round)) await measure(browser, files, { name, round }, samples);
  } finally {
    await browser.close();
  }
  const of = <T>(workload: Workload, what: (sample: Sample) => T): Record<string, T[]> =>
    mapped(samples[workload], (all) => all.map(what));
  return (Object.keys(workloads) as Workload[]).flatMap((workload) => {
    const times = of(workload, ({ time }) => time);
    const totals = of(workload, ({ work }) => work.total);
    const parts = of(workload, ({ time, work }) => ({
      ...work.parts,
      'waiting, other threads': Math.max(0, time - work.total),
    }));
    return [
      { ...compared(workloads[workload], 'ms', times), profile: profileOf('ms', parts) },
      compared(`main thread, ${workloads[workload]}`, 'ms', totals),
    ];
  });
}

/** Round 0 warms up and is not counted. */
async function measure(
  browser: Browser,
  files: Files,
  { name, round }: { name: string; round: number },
  samples: Samples,
): Promise<void> {
  const page = await openPage(browser, { files, entry: 'page', strict: name === 'ours' });
  await page.waitForFunction(() => 'chartBench' in window);
  const busy = await mainThread(page);
  const timed = async (act: () => Promise<number>): Promise<Sample> => {
    await busy();
    const time = await act();
    return { time, work: await busy() };
  };
  const keep = (workload: Workload, sample: Sample): void => {
    if (round > 0) (samples[workload][name] ??= []).push(sample);
  };
  const draw = (chart: BenchChart): Promise<Sample> =>
    timed(() => page.evaluate(([way, what]) => window.chartBench.draw(way, what), [name, chart] as const));

  const code = await timed(() => page.evaluate((way) => window.chartBench.load(way), name));
  const drawing = await draw(smallChart(0));
  keep('code', code);
  keep('drawing', drawing);
  keep('first', { time: code.time + drawing.time, work: together(code.work, drawing.work) });
  if (round % OTHERS === 0) {
    for (let at = 1; at <= NEXT; at += 1) keep('next', await draw(smallChart(at)));
    keep('large', await draw(largeChart()));
    keep('expression', await draw(calculatedChart()));
  }
  if (name === 'ours') await checkPolicy(page);
  await page.close();
}

/** Fails unless the policy is enforced and the charts did not violate it. */
async function checkPolicy(page: Page): Promise<void> {
  const { evalBlocked, violations } = await page.evaluate(() => ({
    evalBlocked: window.chartBench.evalBlocked,
    violations: window.chartBench.violations,
  }));
  // The first violation is that of the control.
  if (!evalBlocked || violations.length > 1) throw new Error(`The policy was not kept: ${violations.join()}`);
}

/** Breaks down the work of a page with the browser's own trace, which names the steps between layout and screen. */
import type { Browser, CDPSession } from 'playwright-core';
import type { Parts } from '../result.ts';

/** An event of the trace; `tdur` is the processor time of its thread, in microseconds. */
interface Traced {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  dur?: number;
  tdur?: number;
}

/** The steps after layout, by the name of their events. */
const steps: Record<string, string> = {
  PrePaint: 'of it, pre-paint',
  Paint: 'of it, paint',
  Layerize: 'of it, layerize',
};

/** @returns milliseconds of processor time in each step of painting while `act` runs, on the busiest main thread */
export async function paintSteps(browser: Browser, act: () => Promise<unknown>): Promise<Parts> {
  const cdp = await browser.newBrowserCDPSession();
  const events: Traced[] = [];
  cdp.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as Traced[])));
  await cdp.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['devtools.timeline'], excludedCategories: ['*'] },
  });
  await act();
  await ended(cdp);
  await cdp.detach();
  const main = busiest(events.filter(({ name }) => name === 'PrePaint'));
  const spent: Record<string, number> = Object.fromEntries(Object.values(steps).map((step) => [step, 0]));
  for (const event of events) {
    const step = steps[event.name];
    if (step === undefined || event.ph !== 'X' || threadOf(event) !== main) continue;
    spent[step] = (spent[step] ?? 0) + (event.tdur ?? event.dur ?? 0) / 1000;
  }
  return spent;
}

function ended(cdp: CDPSession): Promise<void> {
  return new Promise((resolve, reject) => {
    cdp.once('Tracing.tracingComplete', () => resolve());
    cdp.send('Tracing.end').catch(reject);
  });
}

const threadOf = ({ pid, tid }: Traced): string => `${pid}:${tid}`;

/** @returns the thread with most of the events */
function busiest(events: readonly Traced[]): string | undefined {
  const counts = Map.groupBy(events, threadOf);
  return [...counts].sort(([, one], [, other]) => other.length - one.length)[0]?.[0];
}

/** Breaks down the script of a page with the browser's profiler. */
import type { Page } from 'playwright-core';
import type { Parts } from '../result.ts';

/** A part of the script: the work of a function of this name and of all that it calls. */
export type ScriptSteps = Readonly<Record<string, RegExp>>;

/**
 * @param steps each part's name and the pattern of its function's name; the innermost function counts
 * @returns milliseconds in each part while `act` runs; the profiler adds some to each
 */
export async function scriptSteps(page: Page, steps: ScriptSteps, act: () => Promise<unknown>): Promise<Parts> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Profiler.enable');
  await cdp.send('Profiler.setSamplingInterval', { interval: 100 });
  await cdp.send('Profiler.start');
  await act();
  const { profile } = await cdp.send('Profiler.stop');
  await cdp.detach();
  const names = Object.keys(steps);
  const stepOf = new Map<number, string>();
  const spent: Record<string, number> = Object.fromEntries(names.map((name) => [name, 0]));
  // A node comes before its children.
  for (const { id, callFrame, children = [] } of profile.nodes) {
    const own = names.find((name) => steps[name]?.test(callFrame.functionName));
    const step = own ?? stepOf.get(id);
    if (step === undefined) continue;
    for (const node of [id, ...children]) stepOf.set(node, step);
  }
  for (const [index, id] of (profile.samples ?? []).entries()) {
    const step = stepOf.get(id);
    if (step !== undefined) spent[step] = (spent[step] ?? 0) + (profile.timeDeltas?.[index] ?? 0) / 1000;
  }
  return spent;
}

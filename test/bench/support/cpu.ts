/** Finds the functions in which a piece of work spends its time. */
import { Session } from 'node:inspector/promises';
import { basename } from 'node:path';
import type { Parts } from '../result.ts';

/** Maximum number of functions to list. */
const NAMED = 8;
/** Time spent by the profiler itself. */
const profiler = /^\((idle|program)\)|inspector\)/;

/** @returns microseconds for each `unit` of work in the most expensive functions, and in all others together */
export async function inFunctions(work: () => number): Promise<Parts> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 200 });
  await session.post('Profiler.start');
  const units = work();
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  const names = new Map(profile.nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
  const own = new Map<string, number>();
  const { samples = [], timeDeltas = [] } = profile;
  for (const [at, id] of samples.entries()) {
    const name = names.get(id) ?? '';
    own.set(name, (own.get(name) ?? 0) + (timeDeltas[at] ?? 0) / units);
  }
  const sorted = [...own].filter(([name]) => !profiler.test(name)).sort(([, one], [, other]) => other - one);
  const others = sorted.slice(NAMED).reduce((sum, [, time]) => sum + time, 0);
  return { ...Object.fromEntries(sorted.slice(0, NAMED)), 'all others': others };
}

const nameOf = ({ functionName, url }: { functionName: string; url: string }): string =>
  url === '' ? functionName || 'native code' : `${functionName || 'unnamed'} (${basename(url)})`;

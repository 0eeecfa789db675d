/** Compares streaming Markdown with other renderers and with the limit: appending finished blocks. */
import type { Browser } from 'playwright-core';
import { compared, mapped, profileOf, quantile, type Parts, type Result } from '../result.ts';
import { openBrowser } from '../support/site.ts';
import { paintSteps } from '../support/trace.ts';
import { answer, giantFence, giantTable, type Answer } from './answers.ts';
import { installPeers } from './peers.ts';
import { newRun, type Cost } from './run.ts';

/** Measures every frame of every steady renderer, which takes hours. */
const isFull = process.env['BENCH_SIZE'] === 'full';
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3);
/** Rounds for the tenths of an answer; with fewer rounds, other load on the machine would dominate. */
const FLAT_ROUNDS = 2;
/** Number of frames whose painting is traced. */
const TRACED = 100;

const steady = ['ours', 'ready elements', 'limit', 'bare words', 'streaming-markdown'];
/** Peers whose updates get slower with the length of the answer; only some frames of a long answer are measured. */
const growing = ['incremark', 'marked, memo blocks', 'streamdown', 'markdown-it + DOMPurify', 'react-markdown'];

const warmUp = answer(5000, 100);
const long = answer(100_000, 5000);
const longest = answer(500_000, 20_000);
const flat: Record<string, Answer> = {
  '10 KB': answer(10_000, 500),
  '100 KB': long,
  '1 MB': answer(1_000_000, 10_000),
  'one code block of 500 KB': giantFence(500_000, 5000),
  'one table of 500 KB': giantTable(500_000, 5000),
};

/** Runs the benchmark in one browser; all renderers in turn, round after round. */
export default async function markdownBench(): Promise<Result[]> {
  await installPeers();
  const browser = await openBrowser();
  try {
    const results = await compareLong(browser);
    for (const [name, text] of Object.entries(flat)) results.push(await flatness(browser, name, text));
    return results;
  } finally {
    await browser.close();
  }
}

/** The frames that are sampled. */
interface Sampling {
  places: number;
  /** Number of consecutive frames at each sample. */
  frames: number;
}
const all = 'all';

async function compareLong(browser: Browser): Promise<Result[]> {
  const few = { places: 10, frames: 10 };
  const fewest = { places: 4, frames: 4 };
  // Many places, because the cost depends on the kind of block that is open.
  const close = isFull ? all : { places: 40, frames: 50 };
  // Every frame, because the slowest ones count too.
  const shorter = await compare(browser, '100 KB in 5,000 deltas', long, {
    ours: all,
    'ready elements': all,
    'bare words': all,
    steady: isFull ? all : { places: 10, frames: 50 },
    growing: isFull ? all : fewest,
  });
  const some = isFull ? all : { places: 10, frames: 25 };
  const longer = await compare(browser, '500 KB in 20,000 deltas', longest, {
    ours: close,
    'ready elements': close,
    'bare words': close,
    steady: some,
    growing: isFull ? few : fewest,
  });
  const p99 = { name: 'frame of 100 KB, p99', value: quantile(shorter.frames, 0.99), unit: 'ms' };
  return [shorter.result, longer.result, p99];
}

type Which = Sampling | typeof all;

/** Seconds of main-thread work for a whole answer, and milliseconds of each of our frames. */
async function compare(
  browser: Browser,
  name: string,
  text: Answer,
  of: { ours: Which; 'ready elements': Which; 'bare words': Which; steady: Which; growing: Which },
): Promise<{ result: Result; frames: number[] }> {
  const seconds: Record<string, number[]> = {};
  const parts: Record<string, Parts[]> = {};
  const frames: number[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const peer of steady) {
      const which = of[peer as keyof typeof of] ?? of.steady;
      const found = await cost(browser, peer, text, which);
      (seconds[peer] ??= []).push(found.task);
      (parts[peer] ??= []).push(found.parts);
      if (peer === 'ours') frames.push(...found.frames);
    }
    if (round > 0) continue;
    for (const peer of growing) seconds[peer] = [(await cost(browser, peer, text, of.growing)).task];
  }
  for (const peer of ['ours', 'bare words']) {
    const painting = await paintingOf(browser, peer, text);
    parts[peer] = (parts[peer] ?? []).map((each) => ({ ...each, ...painting }));
  }
  const sampled = Object.entries(of).map(
    ([who, which]) => `${who} ${which === all ? all : which.places * which.frames}`,
  );
  const row = `main thread, ${name} (frames measured: ${sampled.join(', ')})`;
  return { result: { ...compared(row, 's', seconds), profile: profileOf('s', parts) }, frames };
}

/** @returns seconds in each step of painting, extrapolated from the middle of the answer; tracing adds some to each */
async function paintingOf(browser: Browser, name: string, text: Answer): Promise<Parts> {
  const run = await newRun(browser, name, text, warmUp);
  try {
    await run.jump(0.5);
    const steps = await paintSteps(browser, () => run.stream(0.5, 0.5 + TRACED / text.deltas));
    return mapped(steps, (ms) => ((ms / 1000) * text.deltas) / TRACED);
  } finally {
    await run.close();
  }
}

/** @returns the cost of all frames, extrapolated from the sampled ones */
async function cost(browser: Browser, name: string, text: Answer, which: Which): Promise<Cost> {
  const run = await newRun(browser, name, text, warmUp);
  try {
    if (which === all) return await run.stream(0, 1);
    const { places, frames } = which;
    const samples: Cost[] = [];
    for (let place = 0; place < places; place++) {
      const part = (place + 0.5) / places;
      await run.jump(part);
      samples.push(await run.stream(part, part + frames / text.deltas));
    }
    const scale = text.deltas / (places * frames);
    const sum = (of: (sample: Cost) => number): number =>
      samples.reduce((total, sample) => total + of(sample), 0) * scale;
    return {
      task: sum(({ task }) => task),
      parts: mapped(samples[0]?.parts ?? {}, (_, part) => sum(({ parts }) => parts[part] ?? Number.NaN)),
      frames: samples.flatMap((sample) => sample.frames),
    };
  } finally {
    await run.close();
  }
}

/** The cost of the last tenth of an answer divided by the cost of its first tenth; 1 means constant cost. */
async function flatness(browser: Browser, name: string, text: Answer): Promise<Result> {
  const ratios: Record<string, number[]> = {};
  const tenths: Record<string, Parts[]> = {};
  for (let round = 0; round < FLAT_ROUNDS; round++) {
    for (const peer of ['ours', 'streaming-markdown']) {
      if (peer !== 'ours' && (round > 0 || text.text.length > 100_000)) continue;
      const run = await newRun(browser, peer, text, warmUp);
      const first = await run.stream(0, 0.1);
      await run.jump(0.9);
      const last = await run.stream(0.9, 1);
      await run.close();
      (ratios[peer] ??= []).push(last.task / first.task);
      (tenths[`${peer}, first tenth`] ??= []).push(first.parts);
      (tenths[`${peer}, last tenth`] ??= []).push(last.parts);
    }
  }
  return { ...compared(`last tenth ÷ first tenth, ${name}`, '×', ratios), profile: profileOf('s', tenths) };
}

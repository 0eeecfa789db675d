/** Compares streaming Markdown with other renderers and with the limit: appending finished blocks. */
import type { Browser } from 'playwright-core';
import { compared, mapped, profileOf, quantile, type Parts, type Result } from '../result.ts';
import { openBrowser } from '../support/site.ts';
import { scriptSteps, type ScriptSteps } from '../support/scriptSteps.ts';
import { paintSteps } from '../support/trace.ts';
import { inTurn } from '../support/turns.ts';
import { answer, evenAnswer, giantFence, giantTable, type Answer } from './answers.ts';
import { installPeers } from './peers.ts';
import { newRun, type Cost, type Run } from './run.ts';

/** Measures every frame of every steady renderer, which takes hours. */
const isFull = process.env['BENCH_SIZE'] === 'full';
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3);
/** Number of frames in which painting, and then script, is broken down. */
const TRACED = 200;
/** Number of parts in which all frames of an answer are measured. */
const PARTS = 20;

/** Measured by turns, part by part, so that a slow minute of the machine slows down all of them. */
const close = ['ours', 'ready elements', 'bare words'];
const steady = ['limit', 'streaming-markdown'];
/** Peers whose updates get slower with the length of the answer; only some frames of a long answer are measured. */
const growing = ['incremark', 'marked, memo blocks', 'streamdown', 'markdown-it + DOMPurify', 'react-markdown'];

const warmUp = answer(5000, 100);
const long = answer(100_000, 5000);
const longest = answer(500_000, 20_000);

/** Answers whose tenths are compared, with the number of rounds: with few frames, one round is by chance. */
const flat: Record<string, { text: Answer; rounds: number }> = {
  '10 KB': { text: evenAnswer(500), rounds: 10 },
  '100 KB': { text: long, rounds: 2 },
  '1 MB': { text: answer(1_000_000, 10_000), rounds: 2 },
  'one code block of 500 KB': { text: giantFence(500_000, 5000), rounds: 2 },
  'one table of 500 KB': { text: giantTable(500_000, 5000), rounds: 2 },
};

/** Runs the benchmark in one browser; all renderers in turn, round after round. */
export default async function markdownBench(): Promise<Result[]> {
  await installPeers();
  const browser = await openBrowser();
  try {
    const results = await compareLong(browser);
    for (const [name, { text, rounds }] of Object.entries(flat))
      results.push(await flatness(browser, name, text, rounds));
    return results;
  } finally {
    await browser.close();
  }
}

/** The frames that are measured. */
interface Sampling {
  places: number;
  /** Number of consecutive frames at each place. */
  frames: number;
}

async function compareLong(browser: Browser): Promise<Result[]> {
  const few = { places: 10, frames: 10 };
  const fewest = { places: 4, frames: 4 };
  // Every frame, because the slowest ones count too.
  const shorter = await compare(browser, '100 KB in 5,000 deltas', long, {
    close: all(long),
    steady: isFull ? all(long) : { places: 10, frames: 50 },
    growing: isFull ? all(long) : fewest,
  });
  const longer = await compare(browser, '500 KB in 20,000 deltas', longest, {
    // Enough frames at each place for every kind of block, because the cost depends on the one that is open.
    close: isFull ? all(longest) : { places: 10, frames: 200 },
    steady: isFull ? all(longest) : { places: 10, frames: 25 },
    growing: isFull ? few : fewest,
  });
  const p99 = { name: 'frame of 100 KB, p99', value: quantile(shorter.frames, 0.99), unit: 'ms' };
  return [shorter.result, longer.result, p99];
}

const all = ({ deltas }: Answer): Sampling => ({ places: PARTS, frames: deltas / PARTS });

/** Seconds of main-thread work for a whole answer, and milliseconds of each of our frames. */
async function compare(
  browser: Browser,
  name: string,
  text: Answer,
  of: { close: Sampling; steady: Sampling; growing: Sampling },
): Promise<{ result: Result; frames: number[] }> {
  const seconds: Record<string, number[]> = {};
  const parts: Record<string, Parts[]> = {};
  const frames: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const found = await costs(browser, close, text, of.close);
    for (const peer of steady) Object.assign(found, await costs(browser, [peer], text, of.steady));
    for (const [peer, cost] of Object.entries(found)) {
      (seconds[peer] ??= []).push(cost.task);
      (parts[peer] ??= []).push(cost.parts);
    }
    frames.push(...(found['ours']?.frames ?? []));
    if (round > 0) continue;
    for (const peer of growing)
      seconds[peer] = [(await costs(browser, [peer], text, of.growing))[peer]?.task ?? Number.NaN];
  }
  for (const peer of ['ours', 'bare words']) {
    const steps = await stepsOf(browser, peer, text);
    parts[peer] = (parts[peer] ?? []).map((each) => ({ ...each, ...steps }));
  }
  const sampled = Object.entries(of).map(([who, { places, frames: each }]) => `${who} ${places * each}`);
  const row = `main thread, ${name} (frames measured: ${sampled.join(', ')})`;
  return { result: { ...compared(row, 's', seconds), profile: profileOf('s', parts) }, frames };
}

/** The parts of our script, by the name of a function. */
const scripts: ScriptSteps = {
  'of script, sanitizer': /^DOMPurify\.sanitize$/,
  'of script, Markdown parser': /^(renderBlocks|outline)$/,
  'of script, garbage collector': /^\(garbage collector\)$/,
};

/** @returns seconds in each step, extrapolated from the middle of the answer; measuring it adds some to each */
async function stepsOf(browser: Browser, name: string, text: Answer): Promise<Parts> {
  const run = await newRun(browser, name, text, warmUp);
  const half = TRACED / text.deltas;
  try {
    await run.jump(0.5 - half);
    const painting = await paintSteps(browser, () => run.stream(0.5 - half, 0.5));
    const script = await scriptSteps(run.page, scripts, () => run.stream(0.5, 0.5 + half));
    return mapped({ ...painting, ...script }, (ms) => ((ms / 1000) * text.deltas) / TRACED);
  } finally {
    await run.close();
  }
}

/** @returns the cost of all frames for each renderer, extrapolated from the measured ones */
async function costs(
  browser: Browser,
  names: readonly string[],
  text: Answer,
  { places, frames }: Sampling,
): Promise<Record<string, Cost>> {
  const share = frames / text.deltas;
  const runs: Record<string, Run> = {};
  const found: Record<string, Cost[]> = {};
  try {
    for (const name of names) runs[name] = await newRun(browser, name, text, warmUp);
    for (let place = 0; place < places; place++) {
      const from = (place + 0.5) / places - share / 2;
      for (const name of inTurn(names, place)) {
        const run = runs[name]!;
        if (places * frames < text.deltas) await run.jump(from);
        (found[name] ??= []).push(await run.stream(from, from + share));
      }
    }
  } finally {
    for (const run of Object.values(runs)) await run.close();
  }
  return mapped(found, (samples) => sumOf(samples, 1 / (places * share)));
}

function sumOf(samples: readonly Cost[], scale: number): Cost {
  const sum = (of: (sample: Cost) => number): number =>
    samples.reduce((total, sample) => total + of(sample), 0) * scale;
  return {
    task: sum(({ task }) => task),
    parts: mapped(samples[0]?.parts ?? {}, (_, part) => sum(({ parts }) => parts[part] ?? Number.NaN)),
    frames: samples.flatMap((sample) => sample.frames),
  };
}

/** The cost of the last tenth of an answer divided by the cost of its first tenth; 1 means constant cost. */
async function flatness(browser: Browser, name: string, text: Answer, rounds: number): Promise<Result> {
  const ratios: Record<string, number[]> = {};
  const tenths: Record<string, Parts[]> = {};
  for (let round = 0; round < rounds; round++) {
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

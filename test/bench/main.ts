/**
 * Runs the benchmarks, `node test/bench/main.ts [NAME…]`, one after the other, each with its peers in the same run.
 * Prints one table; a run of all benchmarks is saved in `RESULTS.md`. BENCH_SIZE=full uses the sizes of the goals.
 */
import { fork } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { basename, join } from 'node:path';
import { installChromium } from '../vscode/chromium.ts';
import { circumstances, misses, profiles, table, type Outcome } from './report.ts';
import type { Reported } from './child.ts';
import type { Result } from './result.ts';

const folder = import.meta.dirname;
const isFull = process.env['BENCH_SIZE'] === 'full';
/** The full size of this benchmark takes hours. */
const LIMIT_MS = (isFull ? 600 : 6) * 60_000;

/** Sizes with which all benchmarks take less than a quarter of an hour on two cores. */
const everyday: Record<string, Record<string, string>> = {
  markdown: { BENCH_ROUNDS: '1' },
  grid: { BENCH_ROUNDS: '2' },
  open: { BENCH_ROUNDS: '2' },
  chart: { BENCH_ROUNDS: '12' },
  export: { BENCH_ROUNDS: '1' },
  cold: { BENCH_ROUNDS: '4' },
  start: { BENCH_WINDOWS: '2' },
  evals: { BENCH_QUESTIONS: '40' },
};

function runOne(bench: string): Promise<Outcome> {
  const start = performance.now();
  const seconds = (): number => (performance.now() - start) / 1000;
  const child = fork(join(folder, 'child.ts'), [join(folder, bench, `${bench}.bench.ts`)], {
    execArgv: ['--expose-gc'],
    env: { ...(isFull ? {} : everyday[bench]), ...process.env },
  });
  return new Promise((resolve) => {
    const results: Result[] = [];
    const end = (failure?: string): void => {
      clearTimeout(timer);
      resolve({ bench, results, failure, seconds: seconds(), load: loadavg()[0] ?? 0 });
    };
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      end(`not all done after ${LIMIT_MS / 60_000} minutes`);
    }, LIMIT_MS);
    child.on('message', (message) => {
      const part = message as Reported;
      results.push(...part.results);
      if (part.isLast) end();
    });
    child.once('exit', (code) => end(`failed (exit code ${code})`));
  });
}

const all = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.bench.ts'))
  .map((path) => basename(path, '.bench.ts'))
  .sort();
const named = process.argv.slice(2);
const unknown = named.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}; there are ${all.join(', ')}.`);
  process.exit(2);
}
// All of Chromium, whose windows are drawn like those of VS Code: the headless build of the tests draws a frame with less
// overhead, which changes the ratios.
process.env['CHROMIUM_PATH'] ||= await installChromium('whole');
const loadBefore = loadavg()[0] ?? 0;
const outcomes: Outcome[] = [];
for (const bench of named.length > 0 ? named : all) {
  outcomes.push(await runOne(bench));
  console.error(`${bench}: ${Math.round(outcomes.at(-1)?.seconds ?? 0)} s`);
}
console.log([table(outcomes), profiles(outcomes)].join('\n\n'));
if (named.length === 0) {
  const words =
    'The last run of `npm run bench`. Only ratios within one run mean anything: the machine is a shared one.';
  const parts = ['# Results', words, circumstances(outcomes, loadBefore), table(outcomes)];
  const [missed, known] = [misses(outcomes), profiles(outcomes)];
  if (missed !== '') parts.push('## Missed', missed);
  if (known !== '') parts.push('## Where it goes in those', known);
  writeFileSync(join(folder, 'RESULTS.md'), `${parts.join('\n\n')}\n`);
}
process.exitCode = outcomes.some(({ failure }) => failure !== undefined) ? 1 : 0;

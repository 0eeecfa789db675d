/** Formats the table of results for the terminal and for `RESULTS.md`. */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { chromiumPath } from '../vscode/chromium.ts';
import { judge, short } from './goals.ts';
import type { Profile, Result } from './result.ts';

/** The results of one benchmark, and the reason if they are not all. */
export interface Outcome {
  bench: string;
  results: readonly Result[];
  failure?: string;
  seconds: number;
  /** Average number of busy or waiting processes in its last minute, those of the benchmark included. */
  load: number;
}

const heads = ['Row', 'Workload', 'Value', 'Ratios', 'Goal', 'Met'];

/** @returns all results as one aligned Markdown table */
export function table(outcomes: readonly Outcome[]): string {
  const rows = outcomes.flatMap(({ bench, results, failure }) => [
    ...results.map((result) => cells(bench, result)),
    ...(failure === undefined ? [] : [[bench, failure, '', '', '', 'no']]),
  ]);
  return aligned(heads, rows);
}

function aligned(heads: readonly string[], rows: readonly string[][]): string {
  const widths = heads.map((head, at) => Math.max(...[head, ...rows.map((row) => row[at] ?? '')].map(widthOf)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, at) => cell + ' '.repeat((widths[at] ?? 0) - widthOf(cell))).join(' | ')} |`;
  return [line(heads), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

const widthOf = (text: string): number => [...text].length;

function cells(bench: string, result: Result): string[] {
  const ratios = Object.entries(result.ratios ?? {}).map(([peer, ratio]) => `${short(ratio)}× ${peer}`);
  if (result.ratio !== undefined) ratios.unshift(`${short(result.ratio)}×`);
  const judgements = judge(bench, result);
  return [
    bench,
    result.name,
    `${short(result.value)} ${result.unit}`,
    ratios.join(', '),
    judgements.map(({ goal }) => goal).join(', '),
    judgements.map(({ met }) => (met ? 'yes' : 'no')).join(', '),
  ];
}

/** @returns a list of the missed goals with their reasons; empty if there are none */
export function misses(outcomes: readonly Outcome[]): string {
  return outcomes
    .flatMap(({ bench, results }) =>
      results.flatMap((result) =>
        judge(bench, result)
          .filter(({ met }) => !met)
          .map(({ goal, why }) => `- ${bench}, ${result.name} (${goal})${why === undefined ? '' : `: ${why}`}`),
      ),
    )
    .join('\n');
}

/** @returns the breakdowns of the results that miss a goal, as tables; empty if there are none */
export function profiles(outcomes: readonly Outcome[]): string {
  return outcomes
    .flatMap(({ bench, results }) =>
      results
        .filter((result) => judge(bench, result).some(({ met }) => !met))
        .flatMap(({ name, profile }) =>
          profile ? [`${bench}, ${name} (${profile.unit})`, profileTable(profile)] : [],
        ),
    )
    .join('\n\n');
}

function profileTable({ of }: Profile): string {
  const parts = [...new Set(Object.values(of).flatMap((each) => Object.keys(each)))];
  const rows = parts.map((part) => [part, ...Object.values(of).map((each) => shortOr(each[part]))]);
  return aligned(['', ...Object.keys(of)], rows);
}

const shortOr = (value: number | undefined): string => (value === undefined ? '' : short(value));

/**
 * @param loadBefore load of the machine in the minute before the run
 * @returns the date, the load, the versions and the kind of machine of the run
 */
export function circumstances(outcomes: readonly Outcome[], loadBefore: number): string {
  const minutes = outcomes.reduce((sum, { seconds }) => sum + seconds, 0) / 60;
  const slowest = outcomes.toSorted((one, other) => other.seconds - one.seconds);
  const each = slowest.map(({ bench, seconds }) => `${bench} ${Math.round(seconds)} s`).join(', ');
  const loads = slowest.slice(0, 6).map(({ bench, load }) => `${bench} ${short(load)}`);
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const versions = libraries.map((name) => `${name} ${versionOf(name)}`);
  const browser = execFileSync(chromiumPath() ?? 'chromium', ['--version'], { encoding: 'utf8', stdio: 'pipe' }).trim();
  return [
    `- ${new Date().toISOString().slice(0, 10)}, in ${short(minutes)} minutes: ${each}`,
    `- load of the minute before the run ${short(loadBefore)}, and of the last minute of ${loads.join(', ')}`,
    `- ${cpus().length} cores, ${gigabytes} GB of memory, ${process.platform} ${process.arch}, Node ${process.versions.node}`,
    `- ${browser}, VS Code ${editorVersion()}`,
    `- ${versions.join(', ')}`,
  ].join('\n');
}

/** The version of VS Code that the benchmarks run in. */
function editorVersion(): string {
  const [product] = globSync('.vscode-test/code-server-*/node_modules/code-server/lib/vscode/package.json');
  if (product === undefined) return 'not installed';
  return (JSON.parse(readFileSync(product, 'utf8')) as { version: string }).version;
}

/** The installed version; some peers are installed only for their benchmark. */
function versionOf(name: string): string {
  const folder = ['node_modules', '.vscode-test/bench/markdown/node_modules'].find((one) =>
    existsSync(`${one}/${name}`),
  );
  if (folder === undefined) return 'not installed';
  return (JSON.parse(readFileSync(`${folder}/${name}/package.json`, 'utf8')) as { version: string }).version;
}

/** Libraries whose versions affect the ratios. */
const libraries = [
  ...['split2', 'ndjson', 'ndjson-readablestream', 'stream-chain', 'ag-grid-community', 'clusterize.js'],
  ...['@vscode/webview-ui-toolkit', 'vega', 'vega-lite', 'vega-embed', 'csv-stringify', 'papaparse'],
  ...['markdown-it', 'dompurify', 'react-markdown', 'streamdown', '@incremark/react', 'streaming-markdown', 'marked'],
  'playwright-core',
];

/**
 * Runs the checks and tests of the project: all lanes, or those that are named as arguments. `--full` repeats tests with
 * random input more often. Prints progress by file, the slowest tests, the time of each lane, and `N passed, N failed` for
 * all of them. The exit code is 0 if all passed.
 */
import { spawn } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, statfsSync, statSync } from 'node:fs';
import { availableParallelism, constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { installChromium } from '../vscode/chromium.ts';
import { LANE_NAME, readResults, RESULTS_FILE, slowestOf, type LaneResults, type TestTime } from './results.ts';

const root = join(import.meta.dirname, '..', '..');
const cache = join(root, 'node_modules', '.cache');
const reporter = join(import.meta.dirname, 'reporter.ts');
/**
 * Editors and browsers use much memory and CPU: more of them in parallel slow each other down. One more than the cores,
 * because tests wait for answers, frames and the editor at times.
 */
const JOBS = Math.min(4, availableParallelism()) + 1;

const args = process.argv.slice(2);
const asked = args.filter((arg) => arg !== '--full');
const isFull = args.includes('--full');
if (isFull) process.env['TEST_FULL'] = '1';

type Command = readonly [program: string, ...args: string[]];

const bin = (name: string): string => join(root, 'node_modules', '.bin', name);
const mocha = (config: string, files: string): Command => [
  bin('mocha'),
  ...['--config', config, '--reporter', reporter, '--parallel', '--jobs', String(JOBS)],
  ...(isFull ? ['--timeout', '0'] : []),
  ...largestFirst(files),
];

/** @returns the matching files; the longest tests start first, so that none of them runs alone at the end */
function largestFirst(pattern: string): string[] {
  const files = globSync(pattern, { cwd: root });
  const sizes = new Map(files.map((file) => [file, statSync(join(root, file)).size]));
  return files.sort((a, b) => (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0));
}

const typescript = join(root, 'node_modules', 'typescript-7', 'bin', 'tsc');

/** The commands of each lane, which run one after the other. */
const lanes: Record<string, readonly Command[]> = {
  types: [
    [process.execPath, typescript, '--noEmit', '--incremental', '--tsBuildInfoFile', join(cache, 'types.tsbuildinfo')],
  ],
  lint: [
    [bin('eslint'), '.', '--cache', '--cache-location', join(cache, 'eslint')],
    [bin('prettier'), '--check', '.', '--log-level', 'warn', '--cache', '--cache-location', join(cache, 'prettier')],
    // Checks that the linter has no rules for.
    mocha('.mocharc.json', 'test/lint/*.test.ts'),
  ],
  unit: [mocha('.mocharc.json', 'test/unit/**/*.test.ts')],
  browser: [mocha('test/browser/.mocharc.json', 'test/browser/**/*.test.ts')],
  integration: [[process.execPath, join(root, 'test', 'vscode', 'integration', 'main.ts')]],
  e2e: [mocha('test/e2e/.mocharc.json', 'test/e2e/**/*.test.ts')],
};
/** These run beside the groups with a low priority: they use what the tests leave while they wait. */
const background = ['types', 'lint'];
/** The lanes of one group run side by side. */
const groups = [['unit'], ['browser', 'integration'], ['e2e']];
/** Lanes that start many Node.js processes with the same modules, which Node.js compiles once and keeps in a cache. */
const manyProcesses = ['unit', 'integration', 'e2e'];
/** Lanes that start a browser. */
const needBrowser = ['browser', 'integration', 'e2e'];
/** Lanes that test the build. */
const needBuild = ['unit', 'browser', 'integration', 'e2e'];

/** @returns the folder for temporary files; one in memory, where most of Linux has it: unit tests write thousands of them */
function temporaryFolder(): string {
  const folder = '/dev/shm';
  try {
    const [, options = 'noexec'] = / \/dev\/shm tmpfs (\S+)/.exec(readFileSync('/proc/mounts', 'utf8')) ?? [];
    const { bavail, bsize } = statfsSync(folder);
    return options.includes('noexec') || bavail * bsize < 2 ** 30 ? tmpdir() : folder;
  } catch {
    return tmpdir();
  }
}

interface Outcome extends LaneResults {
  readonly lane: string;
  readonly seconds: number;
}

/** @returns the exit code; the output goes to this process's */
function execute([program, ...args]: Command, env: NodeJS.ProcessEnv = {}, priority = 0): Promise<number> {
  const child = spawn(program, args, { cwd: root, env: { ...process.env, ...env }, stdio: 'inherit' });
  if (child.pid !== undefined && priority > 0) setPriority(child.pid, priority);
  return new Promise((resolve, reject) => child.on('error', reject).on('close', (code) => resolve(code ?? 1)));
}

/** Runs a lane. A lane without tests of its own counts as one. */
async function run(lane: string, folder: string): Promise<Outcome> {
  const started = performance.now();
  const file = join(folder, `${lane}.json`);
  const env = {
    [RESULTS_FILE]: file,
    [LANE_NAME]: lane,
    FORCE_COLOR: '0',
    ...(lane === 'unit' && { TMPDIR: folder }),
    ...(manyProcesses.includes(lane) && { NODE_COMPILE_CACHE: join(cache, 'node') }),
  };
  const priority = background.includes(lane) ? constants.priority.PRIORITY_BELOW_NORMAL : 0;
  let code = 0;
  for (const command of lanes[lane] ?? []) code ||= await execute(command, env, priority);
  const seconds = (performance.now() - started) / 1000;
  // Types report no tests: they count as one.
  const results = readResults(file) ?? {
    passed: code === 0 && !needBuild.includes(lane) ? 1 : 0,
    failed: 0,
    skipped: 0,
    slowest: [],
  };
  // A lane can fail without a failing test, for example if it finds no files or is interrupted.
  const failed = code === 0 && results.passed > 0 ? results.failed : Math.max(1, results.failed);
  console.log(`${lane}: ${failed === 0 ? 'passed' : 'FAILED'} in ${seconds.toFixed(0)} s`);
  return { ...results, lane, failed, seconds };
}

function printSummary(outcomes: readonly Outcome[]): void {
  const times = outcomes.flatMap(({ lane, slowest }) =>
    slowest.map((time): TestTime & { lane: string } => ({ ...time, lane })),
  );
  if (times.length > 0) console.log('\nSlowest tests');
  for (const { lane, title, milliseconds } of slowestOf(times))
    console.log(`  ${(milliseconds / 1000).toFixed(1).padStart(6)} s  ${lane}: ${title}`);
  console.log('\nLanes');
  for (const { lane, passed, failed, skipped, seconds } of outcomes) {
    const notRun = skipped > 0 ? `, ${skipped} SKIPPED` : '';
    console.log(`  ${seconds.toFixed(0).padStart(6)} s  ${lane}: ${passed} passed, ${failed} failed${notRun}`);
  }
  const sum = (count: (outcome: Outcome) => number) => outcomes.reduce((total, outcome) => total + count(outcome), 0);
  console.log(`\n${sum(({ passed }) => passed)} passed, ${sum(({ failed }) => failed)} failed`);
}

const unknown = asked.filter((name) => !(name in lanes));
if (unknown.length > 0) {
  console.error(`There is no lane ${unknown.join(', ')}: choose from ${Object.keys(lanes).join(', ')}.`);
  process.exit(2);
}
const chosen = asked.length > 0 ? asked : Object.keys(lanes);
if (chosen.some((lane) => needBuild.includes(lane)) && (await execute([process.execPath, 'esbuild.mjs'])) !== 0)
  process.exit(1);
const folder = mkdtempSync(join(temporaryFolder(), 'test-lanes-'));
try {
  const runAll = (group: readonly string[]): Promise<Outcome[]> =>
    Promise.all(group.filter((lane) => chosen.includes(lane)).map((lane) => run(lane, folder)));
  const beside = runAll(background);
  // Lanes side by side would install it at the same time. If it fails, they try again and report why.
  const browser = chosen.some((lane) => needBrowser.includes(lane)) && installChromium().catch(() => undefined);
  const outcomes: Outcome[] = [];
  for (const group of groups) {
    if (group.some((lane) => needBrowser.includes(lane))) await browser;
    outcomes.push(...(await runAll(group)));
  }
  outcomes.unshift(...(await beside));
  printSummary(outcomes);
  process.exitCode = outcomes.every(({ failed }) => failed === 0) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

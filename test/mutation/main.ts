/**
 * Measures how many small faults the unit tests of a room notice: `npm run mutation -- ROOM [FILES] [--percent N]
 * [--seed TEXT]`. `FILES` is a glob in the room. Prints the mutants that no test noticed, and the score of each file.
 */
import { Stryker } from '@stryker-mutator/core';
import type { MutantResult, PartialStrykerOptions } from '@stryker-mutator/api/core';
import { globSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { tested } from './plugins.ts';
import { sourceOf } from './sample.ts';

/** Tests that start processes or repeat random input for long: other tests pin the same rules. */
const slow = /(?:soak|processes|everyByte|againstSandbox|curl|size)\.test\.ts$/;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    percent: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    concurrency: { type: 'string', default: '2' },
    static: { type: 'boolean', default: false },
  },
});
const [room, files = '**/*.ts'] = positionals;
const specs = globSync(`test/unit/${room}/**/*.test.ts`).filter((file) => !slow.test(file));
if (room === undefined || specs.length === 0) {
  console.error(
    'Name a folder of src/ that has tests in test/unit/: api, chat, compare, evals, insert, model or shared.',
  );
  process.exit(2);
}
const sample = { percent: Number(values.percent), seed: values.seed };

const options = {
  plugins: [import.meta.resolve('./plugins.ts')],
  testRunner: 'unit',
  checkers: ['sample'],
  ignorers: ['ui text', 'pattern of strings'],
  mutate: [`src/${room}/${files}`],
  specs,
  sample,
  coverageAnalysis: 'perTest',
  // Code that runs when a module is loaded needs a process for each mutant.
  ignoreStatic: !values.static,
  concurrency: Number(values.concurrency),
  // All tests of a room, on a busy machine.
  dryRunTimeoutMinutes: 20,
  // Not below `node_modules`, where Node.js does not strip types.
  tempDirName: 'out/mutation',
  ignorePatterns: ['.vscode-test', '.git', 'dist', 'out', 'media'],
  reporters: ['sample'],
  allowConsoleColors: false,
  warnings: false,
  logLevel: 'warn',
};

/** Statuses of mutants that count; others were not in the sample or could not run. */
const noticed = ['Killed', 'Timeout'];
const missed = ['Survived', 'NoCoverage'];

function printScore(label: string, mutants: readonly MutantResult[]): void {
  const count = mutants.filter(({ status }) => noticed.includes(status)).length;
  const percent = (100 * count) / Math.max(1, mutants.length);
  // On a busy machine, a test may also be slow for other reasons than the mutant.
  const slow = mutants.filter(({ status }) => status === 'Timeout').length;
  const timeouts = slow === 0 ? '' : `, ${slow} by time-out`;
  console.log(`${percent.toFixed(0).padStart(4)}%  ${count} of ${mutants.length}${timeouts}  ${label}`);
}

function printReport(): void {
  const counted = tested.filter(({ status }) => noticed.includes(status) || missed.includes(status));
  for (const [file, mutants] of Map.groupBy(counted, sourceOf)) {
    printScore(file, mutants);
    for (const { status, location, mutatorName, replacement = '' } of mutants) {
      const { line, column } = location.start;
      const text = replacement.replaceAll(/\s+/g, ' ').slice(0, 80);
      if (missed.includes(status))
        console.log(`         ${status}: ${file}:${line}:${column}  ${mutatorName}: ${text}`);
    }
  }
  printScore(`src/${room}, ${sample.percent}% of the mutants, seed ${sample.seed}`, counted);
}

process.on('SIGINT', () => {
  console.log('Interrupted. The score so far:');
  printReport();
  process.exit(1);
});
process.env['TEST_BRIEF'] = '1';
await new Stryker(options as object as PartialStrykerOptions).runMutationTest();
printReport();

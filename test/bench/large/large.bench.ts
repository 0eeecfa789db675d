/**
 * Types words into a file of a workspace with 10,000 model files, whose names are checked after each word, in the real VS
 * Code; compared with an empty workspace.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openFile } from '../../e2e/support/editor.ts';
import { closeAll, launch } from '../../e2e/support/launch.ts';
import { startServer } from '../../vscode/server.ts';
import { repoRoot } from '../../vscode/paths.ts';
import { watch } from '../flood/watch.ts';
import { compared, type Result } from '../result.ts';
import { pack } from '../support/pack.ts';

const FILES = Number(process.env['BENCH_FILES'] ?? 10_000);
const KEYS = 80;
const KEY_MS = 60;
/** Keys of a word, after which the user pauses for as long as starts a check: the next keys are typed during it. */
const WORD = 8;
const PAUSE_MS = 500;
const OPEN = 'eval_questions.yml';

/** @returns the 95th percentile of milliseconds from key press to paint, and those to the first problem */
export default async function bench(): Promise<Result[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-large-'));
  const ours = join(folder, 'ours.vsix');
  pack(repoRoot, ours);
  const server = await startServer({ dataDir: join(folder, 'data'), packages: [ours] });
  try {
    const keys: Record<string, number[]> = {};
    let toProblem = Number.NaN;
    for (const [name, count] of [
      ['empty workspace', 0],
      ['ours', FILES],
    ] as const) {
      const { page, stop } = await launch({ workspace: workspaceOf(folder, count), server, extensions: [] });
      await openFile(page, OPEN);
      await page.evaluate(watch);
      const start = performance.now();
      const shown = count > 0 ? problem(page).then(() => (toProblem = performance.now() - start)) : undefined;
      keys[name] = await typed(page);
      await shown;
      await stop();
    }
    return [
      compared(`key to paint with ${FILES} model files, p95`, 'ms', keys, 0.95),
      { name: `first problem with ${FILES} model files, from the opening of its file`, value: toProblem, unit: 'ms' },
    ];
  } finally {
    await closeAll();
    await server.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

/** The mark of the unknown name in the open file. */
const problem = (page: Page): Promise<void> => page.locator('.squiggly-error, .squiggly-warning').first().waitFor();

async function typed(page: Page): Promise<number[]> {
  await page.locator('.editor-group-container.active .view-lines').click();
  await page.keyboard.press('Control+End');
  for (let at = 1; at <= KEYS; at += 1)
    await page.keyboard.type('abcdefgh'[at % 8] ?? '', { delay: at % WORD === 0 ? PAUSE_MS : KEY_MS });
  await page.waitForFunction((count) => window.floodWatch.keys.length >= count, KEYS);
  return page.evaluate(() => window.floodWatch.keys);
}

/** @param count number of model files; the open file names a measure that none of them has */
function workspaceOf(folder: string, count: number): string {
  const path = join(folder, `workspace-${count}`);
  mkdirSync(join(path, 'model', 'cubes'), { recursive: true });
  mkdirSync(join(path, 'agents'));
  for (let at = 0; at < count; at += 1) writeFileSync(join(path, 'model', 'cubes', `cube_${at}.yml`), cube(at));
  const sql = count > 0 ? 'SELECT MEASURE(cube_1.missing) FROM cube_1' : 'SELECT 1';
  const question = `  - name: total\n    question: What is the total?\n    sql: ${sql}\n# `;
  writeFileSync(join(path, 'agents', OPEN), `eval_questions:\n${question}`);
  return path;
}

const cube = (at: number): string => `cubes:
  - name: cube_${at}
    sql_table: public.table_${at}
    measures:
      - name: total
        sql: "{CUBE.amount}"
        type: sum
    dimensions:
      - name: amount
        sql: amount
        type: number
`;

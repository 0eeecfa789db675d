/**
 * Finds the questions that use a changed measure in a repository of 6,000 model files; asking them is not counted. The
 * limit reads each changed file and parses it once with `yaml`, and finds the names in the other files with one read.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { openRepositories } from '../../../src/cli/check/git.ts';
import { readProjects } from '../../../src/cli/projectFiles.ts';
import { versionsSince } from '../../../src/evals/check/gitVersions.ts';
import { planCheck } from '../../../src/evals/check/plan.ts';
import { AGENTS_PATH } from '../../../src/shared/text/agentsPath.ts';
import { compared, type Result } from '../result.ts';

const FILES = Number(process.env['BENCH_FILES'] ?? 6000);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const QUESTIONS = 200;
const AFFECTED = 3;
const MEASURES = 7;
const DIMENSIONS = 3;
const CHANGED = 'model/cubes/cube_0.yml';

export default async function bench(): Promise<Result[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-check-'));
  const before = process.cwd();
  try {
    makeRepository(folder);
    process.chdir(folder);
    const samples: Record<string, number[]> = { ours: [], limit: [] };
    let memory = 0;
    for (let round = 0; round <= ROUNDS; round += 1)
      for (const [name, work] of [
        ['ours', affectedQuestions],
        ['limit', () => Promise.resolve(namesOf(folder))],
      ] as const) {
        globalThis.gc?.();
        const start = performance.now();
        const count = await work();
        if (name === 'ours' && count !== AFFECTED) throw new Error(`${count} questions are affected.`);
        // The first round compiles the code, and its memory is that of a process that did nothing before.
        if (round > 0) samples[name]?.push(performance.now() - start);
        else if (name === 'ours') memory = process.resourceUsage().maxRSS / 1024;
      }
    const size = `${FILES} model files with ${FILES * (MEASURES + DIMENSIONS)} members`;
    return [
      compared(`affected questions, ${size}`, 'ms', samples),
      { name: `peak memory, ${size}`, value: memory, unit: 'MB' },
    ];
  } finally {
    process.chdir(before);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function affectedQuestions(): Promise<number> {
  const { sources, isInside } = await openRepositories(process.cwd());
  const versions = await versionsSince(sources, isInside, 'main', AGENTS_PATH);
  const { questions } = await readProjects([], AGENTS_PATH);
  if (!versions) throw new Error('There are no versions to compare.');
  const plan = planCheck(
    versions.before,
    versions.after,
    questions.map(({ question }) => question),
  );
  return plan.questions.length;
}

function namesOf(folder: string): number {
  const changed = new Set(git(folder, 'diff', '--name-only', 'main').trim().split('\n'));
  let names = 0;
  for (const file of readdirSync(join(folder, 'model', 'cubes'))) {
    const path = `model/cubes/${file}`;
    const text = readFileSync(join(folder, path), 'utf8');
    if (changed.has(path)) {
      parse(text);
      parse(git(folder, 'show', `main:${path}`));
    }
    for (const _ of text.matchAll(/- name: *(\w+)/g)) names += 1;
  }
  return names;
}

const git = (folder: string, ...words: string[]): string =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...words], {
    cwd: folder,
    encoding: 'utf8',
  });

function makeRepository(folder: string): void {
  mkdirSync(join(folder, 'model', 'cubes'), { recursive: true });
  mkdirSync(join(folder, 'agents'));
  for (let index = 0; index < FILES; index += 1)
    writeFileSync(join(folder, 'model', 'cubes', `cube_${index}.yml`), cube(index));
  writeFileSync(join(folder, 'agents', 'eval_questions.yml'), questionFile());
  git(folder, 'init', '--quiet', '--initial-branch', 'main');
  git(folder, 'add', '.');
  git(folder, 'commit', '--quiet', '--message', 'Model');
  git(folder, 'checkout', '--quiet', '-b', 'dev');
  const path = join(folder, CHANGED);
  writeFileSync(path, readFileSync(path, 'utf8').replace('sum(value_0)', 'sum(value_0 - tax)'));
  git(folder, 'commit', '--quiet', '--all', '--message', 'Net values');
}

/** The first measure of a cube is computed from its columns; the others of every tenth cube use that of the next one. */
function cube(index: number): string {
  const listed = (count: number, of: (at: number) => string[]): string =>
    Array.from({ length: count }, (_, at) =>
      of(at).map((line, first) => `${first === 0 ? '      - ' : '        '}${line}\n`),
    )
      .flat()
      .join('');
  const dimensions = listed(DIMENSIONS, (at) => [`name: dimension_${at}`, `sql: column_${at}`, 'type: string']);
  const measures = listed(MEASURES, (at) => [
    `name: measure_${at}`,
    at > 0 && index % 10 === 1 ? `sql: "{cube_${index + 1}.measure_${at}} / 2"` : `sql: sum(value_${at})`,
    'type: number',
    `description: Values of column ${at} of cube ${index}, before tax`,
  ]);
  const table = `cubes:\n  - name: cube_${index}\n    sql_table: public.table_${index}\n`;
  return `${table}    dimensions:\n${dimensions}    measures:\n${measures}`;
}

function questionFile(): string {
  const entries = Array.from({ length: QUESTIONS }, (_, at) => {
    const [name, measure] =
      at < AFFECTED ? ['cube_0', 'measure_0'] : [`cube_${at * 7 + 3}`, `measure_${at % MEASURES}`];
    return `  - name: question_${at}\n    question: What is number ${at}?\n    sql: SELECT MEASURE(${measure}) FROM ${name}\n`;
  });
  return `eval_questions:\n${entries.join('')}`;
}

/** Runs question tests, four at once on three branches, compared with bare requests for the same questions. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ChatClient } from '../../../src/api/client.ts';
import type { Question } from '../../../src/evals/question.ts';
import { sessionAsk } from '../../../src/evals/run/answer.ts';
import { runQuestions } from '../../../src/evals/run/runner.ts';
import { repoRoot } from '../../vscode/paths.ts';
import { compared, type Result } from '../result.ts';

const QUESTIONS = Number(process.env['BENCH_QUESTIONS'] ?? 100);
const BRANCHES = ['main', 'dev-margin', 'dev-net-revenue'];
const AT_ONCE = 4;
/** Few rounds, the bare requests in the first only: the service writes at a fixed pace, so that they hardly differ. */
const ROUNDS = 2;
const WARM_UP = 12;
const KEY = 'bench-key';
const texts = ['revenue by month', 'number of orders by year', 'revenue by region', 'units sold by category'];
const position = { line: 0, character: 0 };
const questions = Array.from({ length: QUESTIONS }, (_, index): Question => ({
  name: `q${index}`,
  text: `${texts[index % texts.length]} in ${2023 + (index % 2)}`,
  path: 'agents/eval_questions.yml',
  range: { start: position, end: position },
}));

/** @returns milliseconds for all branches together, and live memory in MB after each round */
export default async function bench(): Promise<Result[]> {
  const sandbox = spawn(process.execPath, [join(repoRoot, 'test', 'sandbox', 'main.ts'), '--pace', '5', '--key', KEY]);
  try {
    let said = '';
    while (!said.includes('API key')) said += String((await once(sandbox.stdout, 'data'))[0]);
    const url = /Chat API URL +(\S+)/.exec(said)?.[1] ?? '';
    const samples = { ours: [] as number[], 'bare fetch': [] as number[] };
    const memory: number[] = [];
    for (let round = -1; round < ROUNDS; round += 1) {
      const some = questions.slice(0, round < 0 ? WARM_UP : QUESTIONS);
      const ours = await timed(() => asked(url, some));
      const bare = round <= 0 ? await timed(() => fetched(url, some)) : undefined;
      globalThis.gc?.();
      if (round < 0) continue;
      samples.ours.push(ours);
      if (bare !== undefined) samples['bare fetch'].push(bare);
      memory.push(process.memoryUsage().heapUsed / 2 ** 20);
    }
    const [first = Number.NaN] = memory;
    const last = memory.at(-1) ?? Number.NaN;
    return [
      compared(`${QUESTIONS} questions on ${BRANCHES.length} branches, ${AT_ONCE} at once`, 'ms', samples),
      { name: 'live memory after the last run ÷ after the first', value: last, unit: 'MB', ratio: last / first },
    ];
  } finally {
    sandbox.kill();
  }
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function asked(chatApiUrl: string, some: readonly Question[]): Promise<void> {
  for (const branch of BRANCHES) {
    const client = new ChatClient({ chatApiUrl, credential: { kind: 'apiKey', value: KEY } });
    const context = { branch, isDefaultBranch: branch === 'main', identity: 'bench' };
    const ask = sessionAsk(() =>
      Promise.resolve({ client, context, sessionSettings: { externalId: 'bench' }, stallTimeout: 60_000 }),
    );
    const { signal } = new AbortController();
    const { counts } = await runQuestions(some, {
      ask: ({ text }, cancel) => ask(text, cancel),
      concurrency: AT_ONCE,
      signal,
    });
    if (counts.skipped !== some.length) throw new Error('Not every question was answered.');
  }
}

async function fetched(url: string, some: readonly Question[]): Promise<void> {
  for (const branch of BRANCHES) {
    const queue = some.values();
    const work = async (): Promise<void> => {
      for (const { text } of queue) {
        const response = await fetch(url, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', Authorization: `Api-Key ${KEY}` },
          body: JSON.stringify({
            input: text,
            sessionSettings: { externalId: 'bench' },
            activeBranchName: branch,
            isDefaultBranch: branch === 'main',
          }),
        });
        if (!(await response.text()).includes('__state__')) throw new Error('A request has no answer.');
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }
}

/** Runs question tests, four at once on three branches, compared with bare requests for the same questions. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ChatClient } from '../../../src/api/client.ts';
import type { TestQuestion } from '../../../src/evals/question.ts';
import { sessionAsk } from '../../../src/evals/matrix/answer.ts';
import { expected } from '../../../src/evals/matrix/expected.ts';
import { runMatrix } from '../../../src/evals/matrix/runMatrix.ts';
import { repoRoot } from '../../vscode/paths.ts';
import { compared, type Result } from '../result.ts';

const QUESTIONS = Number(process.env['BENCH_QUESTIONS'] ?? 100);
const BRANCHES = ['main', 'dev-margin', 'dev-net-revenue'];
const AT_ONCE = 4;
/** Number of questions asked before anything is measured. */
const WARM_UP = 12;
const KEY = 'bench-key';
const texts = ['revenue by month', 'number of orders by year', 'revenue by region', 'units sold by category'];
const position = { line: 0, character: 0 };
const questions = Array.from({ length: QUESTIONS }, (_, index): TestQuestion => ({
  name: `q${index}`,
  text: `${texts[index % texts.length]} in ${2023 + (index % 2)}`,
  path: 'agents/eval_questions.yml',
  range: { start: position, end: position },
}));

/** @returns milliseconds for all branches together, and live memory in MB */
export default async function bench(): Promise<Result[]> {
  const sandbox = spawn(process.execPath, [join(repoRoot, 'test', 'sandbox', 'main.ts'), '--pace', '5', '--key', KEY]);
  try {
    let said = '';
    while (!said.includes('API key')) said += String((await once(sandbox.stdout, 'data'))[0]);
    const url = /Chat API URL +(\S+)/.exec(said)?.[1] ?? '';
    await asked(url, questions.slice(0, WARM_UP));
    await fetched(url, questions.slice(0, WARM_UP));
    const before = liveMemory();
    // Once each: the service writes at a fixed pace, so that rounds hardly differ.
    const ours = await timed(() => asked(url, questions));
    const bare = await timed(() => fetched(url, questions));
    const after = liveMemory();
    const samples = { ours: [ours], 'bare fetch': [bare] };
    return [
      compared(`${QUESTIONS} questions on ${BRANCHES.length} branches, ${AT_ONCE} at once`, 'ms', samples),
      {
        name: 'live memory after the last question ÷ after the warm-up',
        value: after,
        unit: 'MB',
        ratio: after / before,
      },
    ];
  } finally {
    sandbox.kill();
  }
}

/** @returns live memory in MB */
function liveMemory(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function asked(chatApiUrl: string, some: readonly TestQuestion[]): Promise<void> {
  for (const branch of BRANCHES) {
    const client = new ChatClient({ chatApiUrl, credential: { kind: 'apiKey', value: KEY } });
    const context = { branch, isDefaultBranch: branch === 'main', identity: 'bench' };
    const ask = sessionAsk(() =>
      Promise.resolve({ client, context, sessionSettings: { externalId: 'bench' }, stallTimeout: 60_000 }),
    );
    const { signal } = new AbortController();
    const places = [{ label: branch, branch, identity: 'bench' }];
    const { counts } = await runMatrix(some, () => places, expected(), {
      ask: ({ text }, _context, cancel) => ask(text, cancel),
      concurrency: AT_ONCE,
      signal,
    });
    if (counts.skipped !== some.length) throw new Error('Not every question was answered.');
  }
}

async function fetched(url: string, some: readonly TestQuestion[]): Promise<void> {
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

/**
 * Runs question tests on three branches, and compares two branches with an agent that errs in one answer of ten. Both
 * are compared with as many bare requests for the same questions.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ChatClient } from '../../../src/api/client.ts';
import { sessionAsk } from '../../../src/evals/matrix/answer.ts';
import { expected } from '../../../src/evals/matrix/expected.ts';
import { runMatrix } from '../../../src/evals/matrix/runMatrix.ts';
import { same } from '../../../src/evals/matrix/same.ts';
import type { TestQuestion } from '../../../src/evals/question.ts';
import { repoRoot } from '../../vscode/paths.ts';
import { compared, type Result } from '../result.ts';

const QUESTIONS = Number(process.env['BENCH_QUESTIONS'] ?? 100);
const BRANCHES = ['main', 'dev-margin', 'dev-net-revenue'];
const AT_ONCE = 4;
/** The questions of the comparison, and how many of them are asked at once. */
const COMPARED = QUESTIONS * 6;
const COMPARED_AT_ONCE = 16;
const ATTEMPTS = 3;
/** Number of questions asked before anything is measured. */
const WARM_UP = 12;
const KEY = 'bench-key';
const texts = ['revenue by month', 'number of orders by year', 'revenue by region', 'units sold by category'];
const position = { line: 0, character: 0 };
const questionsOf = (count: number): TestQuestion[] =>
  Array.from({ length: count }, (_, index) => ({
    name: `q${index}`,
    text: `${texts[index % texts.length]} in ${2023 + (index % 2)}`,
    path: 'agents/eval_questions.yml',
    range: { start: position, end: position },
  }));

/** @returns milliseconds for all branches together, live memory in MB, and the requests of the comparison */
export default async function bench(): Promise<Result[]> {
  return [...(await inSandbox([], tests)), ...(await inSandbox(['--errors', '0.1', '--seed', '1'], comparison))];
}

async function inSandbox(options: string[], measure: (url: string) => Promise<Result[]>): Promise<Result[]> {
  const main = join(repoRoot, 'test', 'sandbox', 'main.ts');
  const sandbox = spawn(process.execPath, [main, '--pace', '5', '--key', KEY, ...options]);
  try {
    let said = '';
    while (!said.includes('API key')) said += String((await once(sandbox.stdout, 'data'))[0]);
    return await measure(/Chat API URL +(\S+)/.exec(said)?.[1] ?? '');
  } finally {
    sandbox.kill();
  }
}

async function tests(url: string): Promise<Result[]> {
  const run = async (some: readonly TestQuestion[]): Promise<void> => {
    for (const branch of BRANCHES) {
      const { counts } = await runMatrix(some, () => [placeOf(branch)], expected(), matrixOptions(url, AT_ONCE));
      if (counts.skipped !== some.length) throw new Error('Not every question was answered.');
    }
  };
  const bare = async (some: readonly TestQuestion[]): Promise<void> => {
    for (const branch of BRANCHES) await fetched(url, some, branch, AT_ONCE);
  };
  const questions = questionsOf(QUESTIONS);
  await run(questions.slice(0, WARM_UP));
  await bare(questions.slice(0, WARM_UP));
  const before = liveMemory();
  // Once each: the service writes at a fixed pace, so that rounds hardly differ.
  const samples = { ours: [await timed(() => run(questions))], 'bare fetch': [await timed(() => bare(questions))] };
  return [
    compared(`${QUESTIONS} questions on ${BRANCHES.length} branches, ${AT_ONCE} at once`, 'ms', samples),
    memoryResult('live memory after the last question ÷ after the warm-up', before),
  ];
}

async function comparison(url: string): Promise<Result[]> {
  const places = ['main', 'dev-margin'].map(placeOf);
  const run = (count: number): ReturnType<typeof runMatrix> =>
    runMatrix(questionsOf(count), () => places, same(), {
      ...matrixOptions(url, COMPARED_AT_ONCE),
      attempts: ATTEMPTS,
    });
  await run(WARM_UP);
  const before = liveMemory();
  let requests = 0;
  const ours = await timed(async () => ({ requests } = await run(COMPARED)));
  const memory = memoryResult('live memory after a comparison ÷ before', before);
  const bare = await timed(() => fetched(url, questionsOf(requests), 'main', COMPARED_AT_ONCE));
  const name = `${COMPARED} questions compared, 1 of 10 answers wrong, ${COMPARED_AT_ONCE} at once`;
  const announced = COMPARED * places.length * ATTEMPTS;
  return [
    compared(name, 'ms', { ours: [ours], 'bare fetch': [bare] }),
    { name: 'requests of a comparison ÷ announced', value: requests, unit: 'requests', ratio: requests / announced },
    memory,
  ];
}

interface Place {
  label: string;
  branch: string;
  identity: string;
}

const placeOf = (branch: string): Place => ({ label: branch, branch, identity: 'bench' });

function matrixOptions(chatApiUrl: string, concurrency: number) {
  const client = new ChatClient({ chatApiUrl, credential: { kind: 'apiKey', value: KEY } });
  return {
    ask: ({ text }: TestQuestion, { branch, identity }: Place, cancel: AbortSignal) =>
      sessionAsk(() =>
        Promise.resolve({
          client,
          context: { branch, isDefaultBranch: branch === 'main', identity },
          sessionSettings: { externalId: identity },
          stallTimeout: 60_000,
        }),
      )(text, cancel),
    concurrency,
    signal: new AbortController().signal,
  };
}

async function fetched(url: string, some: readonly TestQuestion[], branch: string, atOnce: number): Promise<void> {
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
  await Promise.all(Array.from({ length: atOnce }, work));
}

function memoryResult(name: string, before: number): Result {
  const after = liveMemory();
  return { name, value: after, unit: 'MB', ratio: after / before };
}

/** @returns live memory in MB */
function liveMemory(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

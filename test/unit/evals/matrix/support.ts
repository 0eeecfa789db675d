/** Runs questions without a service: by default, every answer has the expected rows. */
import assert from 'node:assert/strict';
import type { Answer } from '../../../../src/evals/matrix/answer.ts';
import { truthFromFiles, type RunSqlIn } from '../../../../src/evals/matrix/asking.ts';
import { expected } from '../../../../src/evals/matrix/expected.ts';
import { contextsToGrade, type Context, type Verdict } from '../../../../src/evals/matrix/matrix.ts';
import { runMatrix, type MatrixOptions } from '../../../../src/evals/matrix/runMatrix.ts';
import { same } from '../../../../src/evals/matrix/same.ts';
import type { TestQuestion } from '../../../../src/evals/question.ts';
import { answering } from '../support.ts';
import { table } from '../tables.ts';

export const five = table('n:number', [5]);
export const six = table('n:number', [6]);

export const contextOn =
  (branch: string) =>
  (identity: string | undefined): Context => ({ label: branch, branch, identity });

/** @param question with the identity of its context */
type AskAs = (question: TestQuestion, signal: AbortSignal) => Promise<Answer>;

interface GradedRun extends Partial<Omit<MatrixOptions<Context>, 'ask'>> {
  ask?: AskAs;
  /** Answers on main, which are expected. */
  onMain?: AskAs;
  times?: number;
}

/** Grades on `dev`, without repeating failures unless `attempts` says so. */
export async function run(
  questions: readonly TestQuestion[],
  { ask = answering(five), onMain, times, attempts = times ?? 1, precision, ...options }: GradedRun,
) {
  const verdicts: Verdict[] = [];
  const runSql: RunSqlIn | undefined = 'runSql' in options ? options.runSql : () => Promise.resolve(five);
  const summary = await runMatrix(
    questions,
    (question) => contextsToGrade(question, contextOn('dev'), onMain && contextOn('main')),
    expected({ precision, isRepeated: times !== undefined }),
    {
      ask: (question, { branch, identity }, signal) =>
        (branch === 'main' ? onMain! : ask)({ ...question, identity }, signal),
      truth: onMain ? undefined : truthFromFiles(runSql),
      signal: new AbortController().signal,
      ...{ ...options, runSql, attempts, precision },
      onEvent: (event) => {
        options.onEvent?.(event);
        if (event.type === 'judged') verdicts.push(event.verdict);
      },
    },
  );
  return { summary, verdicts, first: verdicts[0] ?? assert.fail(), statuses: verdicts.map(({ status }) => status) };
}

/** Answers in the order of the list; the last one is repeated. */
export const inTurn = (...answers: Answer[]): (() => Promise<Answer>) => {
  let turn = 0;
  return () => Promise.resolve(answers[Math.min(turn++, answers.length - 1)]!);
};

/** @param sides the answers on main and on dev in the order in which they are asked; the last one is repeated */
export async function compare(
  sides: readonly [readonly Answer[], readonly Answer[]],
  options: Partial<MatrixOptions<Context>> = {},
): Promise<Verdict & { asked: number[] }> {
  const asks = new Map([
    ['main', inTurn(...sides[0])],
    ['dev', inTurn(...sides[1])],
  ]);
  let verdict: Verdict | undefined;
  await runMatrix(
    [{ name: 'q', text: 'q?', path: '', range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } } }],
    () => [contextOn('main')(undefined), contextOn('dev')(undefined)],
    same({ precision: options.precision }),
    {
      ask: (_, { branch }) => asks.get(branch)!(),
      signal: new AbortController().signal,
      ...options,
      onEvent: (event) => {
        if (event.type === 'judged') ({ verdict } = event);
      },
    },
  );
  return { ...(verdict ?? assert.fail()), asked: verdict!.cells.map(({ answers }) => answers.length) };
}

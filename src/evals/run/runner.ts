/** Runs question tests with limited concurrency. */
import type { Usage } from '../../shared/wire/streamLines.ts';
import type { Question } from '../question.ts';
import type { Answer } from './answer.ts';
import { gradeAnswer } from './attempt.ts';
import { expectAccess, expectTruth, type Expect, type RunSql } from './expectation.ts';
import { Tally, type Attempt, type Summary, type Verdict, type VerdictStatus } from './verdict.ts';

/**
 * Calls `work` for each item, `concurrency` at a time. After the signal aborts, no more items are started.
 * @returns when every started item is done; rejects as soon as one rejects
 */
export async function pool<T>(
  items: Iterable<T>,
  concurrency: number,
  signal: AbortSignal,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let next = queue.next(); !next.done && !signal.aborted; next = queue.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: Math.max(1, concurrency) }, worker));
}

export const DEFAULT_CONCURRENCY = 4;

export interface RunOptions {
  /** Asks as the question's identity, on the branch of the run; see `sessionAsk`. */
  ask: (question: Question, signal: AbortSignal) => Promise<Answer>;
  /** Absent if no data query URL is set. */
  runSql?: RunSql | undefined;
  /** Replaces the expectations in the files; see `expectAnswers`. */
  expect?: Expect | undefined;
  /** Number of questions to ask in parallel. */
  concurrency?: number | undefined;
  /** Number of times to ask each question. */
  times?: number | undefined;
  /** Significant digits at which numbers are equal. */
  precision?: number | undefined;
  /** Cancels the run: running answers are aborted on the service, waiting questions are not asked. */
  signal: AbortSignal;
}

export interface RunEvents {
  onStart?: (question: Question) => void;
  /** Called once for each question that was started. */
  onVerdict?: (verdict: Verdict) => void;
}

/** @returns when every question has its verdict; never rejects */
export async function runQuestions(
  questions: readonly Question[],
  options: RunOptions,
  { onStart, onVerdict }: RunEvents = {},
): Promise<Summary> {
  const start = performance.now();
  const tally = new Tally();
  const { concurrency = DEFAULT_CONCURRENCY, signal } = options;
  await pool(questions, concurrency, signal, async (question) => {
    onStart?.(question);
    const verdict = await runQuestion(question, options);
    tally.add(verdict);
    onVerdict?.(verdict);
  });
  return tally.summary(performance.now() - start);
}

async function runQuestion(question: Question, options: RunOptions): Promise<Verdict> {
  const { ask, runSql, times = 1, precision, signal } = options;
  const { access } = question;
  const expect = access ? expectAccess(access, ask, runSql) : (options.expect ?? expectTruth(runSql));
  const start = performance.now();
  const expecting = expect(question, signal);
  const attempts: Attempt[] = [];
  do attempts.push(await gradeAnswer(question, ask(question, signal), expecting, { precision, runSql, signal }));
  while (attempts.length < times && !signal.aborted);
  const passedAttempts = attempts.filter(({ status }) => status === 'passed').length;
  const attempt = attempts.find(({ status }) => status !== 'passed') ?? attempts.at(-1)!;
  const expectation = await expecting.catch(() => undefined);
  const usage = sumUsage(attempts.flatMap(({ answer }) => answer?.usage ?? []));
  return {
    question,
    status: statusOf(attempts, passedAttempts),
    message: attempt.message,
    ...(expectation ? { expectation } : {}),
    attempt,
    passedAttempts,
    attempts: attempts.length,
    milliseconds: performance.now() - start,
    ...(usage ? { usage } : {}),
  };
}

/** The majority decides; without a passing majority, the worst attempt does. */
function statusOf(attempts: readonly Attempt[], passed: number): VerdictStatus {
  if (passed === attempts.length) return 'passed';
  const worst = (['canceled', 'failed', 'notComparable', 'errored'] as const).find((status) =>
    attempts.some((attempt) => attempt.status === status),
  );
  if (worst !== 'canceled' && passed * 2 > attempts.length) return 'flaky';
  return worst ?? 'skipped';
}

export function sumUsage(usages: readonly Usage[]): Usage | undefined {
  const sum = (field: keyof Usage): number | undefined =>
    usages.some((usage) => usage[field] !== undefined)
      ? usages.reduce((total, usage) => total + (usage[field] ?? 0), 0)
      : undefined;
  if (usages.length === 0) return undefined;
  return { inputTokens: sum('inputTokens'), outputTokens: sum('outputTokens'), totalTokens: sum('totalTokens') };
}

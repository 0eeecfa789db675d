/** Runs question tests with limited concurrency, and grades the answers. */
import type { Question } from '../question.ts';
import type { Answer } from '../matrix/answer.ts';
import {
  type AskQuestion,
  expectAccess,
  expectFromFiles,
  type Expect,
  type RunSql,
  gradableQueries,
  noQueryReason,
  withAllRows,
  type Expectation,
  type GradableQuery,
} from '../matrix/expectation.ts';
import { Tally, tokensOf, type Attempt, type Summary, type Verdict, type VerdictStatus } from '../report/verdict.ts';
import { messageOf } from '../../shared/text/checks.ts';
import { t } from '../../shared/text/l10n.ts';
import { gradeAccess } from '../access/gradeAccess.ts';
import { gradeTable, type Grade } from '../grading/grade.ts';

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
  ask: AskQuestion;
  /** Absent if no data query URL is set. */
  runSql?: RunSql;
  /** Replaces the expectations in the files; see `expectAnswers`. */
  expect?: Expect;
  /** Maximum number of running answers, those to expect included. */
  concurrency?: number;
  /** Number of times to ask each question. */
  times?: number;
  /** Number of significant digits to which numbers are compared. */
  precision?: number;
  /** Cancels the run: running answers are aborted on the service, waiting questions are not asked. */
  signal: AbortSignal;
}

interface RunEvents {
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
  const { ask, runSql, times = 1, signal } = options;
  const { access } = question;
  const expect = access ? expectAccess(access, ask, runSql) : (options.expect ?? expectFromFiles(runSql));
  const start = performance.now();
  const expecting = expect(question, signal);
  // The answer of the other branch or identity is a running answer too, so wait for it before asking.
  if (access || options.expect) await expecting.catch(() => undefined);
  const attempts: Attempt[] = [];
  do attempts.push(await gradeAnswer(question, ask(question, signal), expecting, options));
  while (attempts.length < times && !signal.aborted);
  const passedAttempts = attempts.filter(({ status }) => status === 'passed').length;
  const attempt = attempts.find(({ status }) => status !== 'passed') ?? attempts.at(-1)!;
  const expectation = await expecting.catch(() => undefined);
  return {
    question,
    status: statusOf(attempts, passedAttempts),
    message: attempt.message,
    expectation,
    attempt,
    passedAttempts,
    attempts: attempts.length,
    milliseconds: performance.now() - start,
    tokens: tokensOf(attempts.map(({ answer }) => answer)),
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

export type GradingOptions = Pick<RunOptions, 'runSql' | 'expect' | 'precision' | 'signal'>;

/**
 * Grades an answer once it and the expected result have arrived.
 * @param expecting rejects if the expected result can't be determined
 */
export async function gradeAnswer(
  question: Question,
  asking: Promise<Answer>,
  expecting: Promise<Expectation | undefined>,
  options: GradingOptions,
): Promise<Attempt> {
  const [asked, expected] = await Promise.allSettled([asking, expecting]);
  if (asked.status === 'rejected') return { status: 'errored', message: messageOf(asked.reason) };
  const answer = asked.value;
  // An expected result that was canceled may have only some of its rows.
  if (answer.isStopped || options.signal.aborted) return { status: 'canceled', message: t('Canceled'), answer };
  if (answer.error !== undefined) return { status: 'errored', message: answer.error, answer };
  if (expected.status === 'rejected') return { status: 'errored', message: messageOf(expected.reason), answer };
  try {
    const attempt = await gradeQueries(question, answer, expected.value, options);
    return options.signal.aborted ? { status: 'canceled', message: t('Canceled'), answer } : { ...attempt, answer };
  } catch (failure) {
    return { status: 'errored', message: messageOf(failure), answer };
  }
}

/** The last query with rows counts; an earlier one that matches passes too. */
async function gradeQueries(
  question: Question,
  answer: Answer,
  expectation: Expectation | undefined,
  options: GradingOptions,
): Promise<Attempt> {
  if (question.access) return gradeAccess(question, question.access, answer, expectation, options);
  const queries = gradableQueries(answer);
  const [last] = queries;
  if (expectation === undefined) return { status: 'skipped', message: noExpectation(question, options), actual: last };
  if (last === undefined) return { status: 'failed', message: noQueryReason(answer) };
  let first: Attempt | undefined;
  for (const query of queries) {
    const actual = await withAllRows(question, query, options);
    const attempt = attemptOf(gradeTable(expectation.table, actual.table, options.precision), actual);
    if (attempt.status === 'passed') return attempt;
    first ??= attempt;
  }
  return first!;
}

const attemptOf = (grade: Grade, actual: GradableQuery): Attempt =>
  grade.status === 'passed' ? { status: 'passed', message: '', actual } : { ...grade, actual };

function noExpectation({ expectedSql }: Question, { expect }: GradingOptions): string {
  if (expect) return t('No expected result: the agent ran no query on the other branch.');
  return expectedSql
    ? t('No expected result: set a data query URL to run the expected SQL, or accept a result.')
    : t('No expected result: accept a result first.');
}

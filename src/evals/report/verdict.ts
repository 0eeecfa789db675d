/** The outcome of a question and the summary of a run, as data and as text for the editor. */
import { plural, t } from '../../shared/text/l10n.ts';
import { tokenCount } from '../../shared/wire/streamLines.ts';
import type { Difference } from '../grading/grade.ts';
import type { Question } from '../question.ts';
import type { Answer } from '../matrix/answer.ts';
import type { Expectation, GradableQuery } from '../matrix/expectation.ts';
import type { DiffText } from '../grading/align.ts';

export type VerdictStatus =
  | 'passed'
  | 'failed'
  /** Asked several times; most answers passed, but not all. */
  | 'flaky'
  /** Rows are missing, so the results can't be compared; never passed. */
  | 'notComparable'
  /** The question has no expected result. */
  | 'skipped'
  /** The agent, the connection or the expectation failed, so the answer is unknown. */
  | 'errored'
  | 'canceled';

/** An answer with its grade. */
export interface Attempt {
  status: Exclude<VerdictStatus, 'flaky'>;
  /** The reason why the answer did not pass; empty if it did. */
  message: string;
  answer?: Answer;
  /** The query that was graded. */
  actual?: GradableQuery;
  /** Present if the rows differ. */
  difference?: Difference;
}

export interface Verdict {
  question: Question;
  status: VerdictStatus;
  message: string;
  expectation?: Expectation;
  /** The deciding attempt: the first that did not pass, otherwise the last. */
  attempt: Attempt;
  passedAttempts: number;
  attempts: number;
  milliseconds: number;
  /** Present if the service sends usage. */
  tokens?: number;
}

export interface Summary {
  counts: Readonly<Record<VerdictStatus, number>>;
  milliseconds: number;
  /** Present if the service sends usage. */
  tokens?: number;
}

/** Counts the verdicts of a run, and adds up their tokens. */
export class Tally {
  readonly #counts: Record<VerdictStatus, number> = {
    passed: 0,
    failed: 0,
    flaky: 0,
    notComparable: 0,
    skipped: 0,
    errored: 0,
    canceled: 0,
  };
  #tokens: number | undefined;

  add({ status, tokens }: Pick<Verdict, 'status' | 'tokens'>): void {
    this.#counts[status] += 1;
    if (tokens !== undefined) this.#tokens = (this.#tokens ?? 0) + tokens;
  }

  summary(milliseconds: number): Summary {
    return { counts: this.#counts, milliseconds, tokens: this.#tokens };
  }
}

/** @returns the tokens of all answers; undefined if the service sends no usage */
export function tokensOf(answers: readonly (Answer | undefined)[]): number | undefined {
  const counts = answers.flatMap((answer) => tokenCount(answer?.usage ?? {}) ?? []);
  return counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count);
}

/** @returns a run in one line: `86 % (43/50) · 1 flaky · 52,310 tokens · 1 min 23 s` */
export function summaryText({ counts, milliseconds, tokens }: Summary): string {
  const passed = counts.passed + counts.flaky;
  // An error says nothing about accuracy.
  const graded = passed + counts.failed + counts.notComparable;
  const parts = [
    // Rounded down: 100 % means all.
    graded === 0 ? t('No answers graded') : t('{0} % ({1}/{2})', Math.floor((passed * 100) / graded), passed, graded),
    counts.flaky > 0 ? t('{0} flaky', counts.flaky) : '',
    counts.notComparable > 0 ? t('{0} not comparable', counts.notComparable) : '',
    counts.errored > 0 ? plural(counts.errored, '{0} error|{0} errors') : '',
    counts.skipped > 0 ? t('{0} without expected result', counts.skipped) : '',
    counts.canceled > 0 ? t('{0} canceled', counts.canceled) : '',
    tokens === undefined ? '' : plural(tokens, '{0} token|{0} tokens'),
    duration(milliseconds),
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

/** @returns a text such as `23.4 s` or `1 min 23 s` */
export function duration(milliseconds: number): string {
  if (milliseconds < 60_000) return t('{0} s', (milliseconds / 1000).toFixed(1));
  const seconds = Math.round(milliseconds / 1000);
  return t('{0} min {1} s', Math.floor(seconds / 60), seconds % 60);
}

const marks: Readonly<Record<VerdictStatus, string>> = {
  passed: '✓',
  failed: '✗',
  flaky: '~',
  notComparable: '?',
  skipped: '-',
  errored: '!',
  canceled: '-',
};

/** @returns how many answers passed if the question was asked several times, and why one did not pass */
export function verdictReason({
  status,
  message,
  attempts,
  passedAttempts,
}: Pick<Verdict, 'status' | 'message' | 'attempts' | 'passedAttempts'>): string {
  if (attempts === 1 || status === 'skipped') return message;
  const share =
    status === 'flaky'
      ? t('Flaky: {0} of {1} answers passed', passedAttempts, attempts)
      : t('{0} of {1} answers passed', passedAttempts, attempts);
  return message === '' ? share : `${share}. ${message}`;
}

/** @returns a line for the output of a run */
export function verdictLine(verdict: Verdict): string {
  const reason = verdictReason(verdict);
  const head = `${marks[verdict.status]} ${verdict.question.name}`;
  return `${head}${reason === '' ? '' : `: ${reason}`} (${duration(verdict.milliseconds)})`;
}

/** A message about a failed test, with a diff of the rows or of the SQL. */
interface FailureText {
  message: string;
  /** Texts of the expected and the actual side, for a diff. */
  diff?: DiffText;
}

/** @returns the reason with both results, and, if the rows are not the expected ones, both SQL texts */
export function failureTexts(verdict: Verdict): FailureText[] {
  const message = verdictReason(verdict);
  const { expectation, attempt } = verdict;
  const { actual, difference } = attempt;
  if (!difference) return [{ message }];
  const rows = { message, diff: difference.text };
  // Rows that an identity must not see differ from no other result.
  if (!expectation) return [rows];
  const sql = { expected: expectation.sql.trim(), actual: actual!.sql.trim() };
  return [rows, { message: t('SQL of the agent and of the expected result'), diff: sql }];
}

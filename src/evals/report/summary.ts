/** Counts of a run, as data and in one line. */
import { plural, t } from '../../shared/text/l10n.ts';
import { tokenCount } from '../../shared/wire/streamLines.ts';
import { turnAnswers, type Answer } from '../matrix/answer.ts';
import { VERDICT_STATUSES, type VerdictStatus } from '../../shared/protocol/verdicts.ts';
import { mostRequests, type Context, type Verdict } from '../matrix/matrix.ts';
import type { TestQuestion } from '../question.ts';

export interface RunSummary {
  counts: Readonly<Record<VerdictStatus, number>>;
  /** Whether answers were compared with one another, and not graded. */
  isCompared?: boolean;
  /** Number of failures, among those counted, that an earlier run has too. */
  known?: number;
  /** Number of answers that were asked for. */
  requests: number;
  milliseconds: number;
  /** Present if the service sends usage. */
  tokens?: number;
}

/** What a run costs at most. */
interface Cost {
  questions: readonly TestQuestion[];
  contextsOf: (question: TestQuestion) => readonly Context[];
  attempts: number;
}

/** @param where names of the branches @returns `Asking 12 questions on main and dev, at most 72 requests` */
export function costText({ questions, contextsOf, attempts }: Cost, ...where: readonly string[]): string {
  const most = mostRequests(questions, contextsOf, attempts);
  const places = where.length === 2 ? t('{0} and {1}', ...where) : where.join(', ');
  const asking = plural(
    questions.length,
    'Asking {0} question on {1}|Asking {0} questions on {1}',
    questions.length,
    places,
  );
  return `${asking}, ${plural(most, 'at most {0} request|at most {0} requests')}`;
}

/** Counts the verdicts of a run, and adds up their requests and tokens. */
export class Tally {
  readonly #counts = Object.fromEntries(VERDICT_STATUSES.map((status) => [status, 0])) as Record<VerdictStatus, number>;
  #requests = 0;
  #tokens: number | undefined;
  #isCompared = false;

  add({ status, cells, compared, tokens }: Pick<Verdict, 'status' | 'cells' | 'compared' | 'tokens'>): void {
    this.#counts[status] += 1;
    this.#isCompared ||= compared !== undefined;
    for (const { answers } of cells) this.#requests += answers.flatMap(turnAnswers).length;
    if (tokens !== undefined) this.#tokens = (this.#tokens ?? 0) + tokens;
  }

  summary(milliseconds: number): RunSummary {
    const isCompared = this.#isCompared;
    return { counts: this.#counts, isCompared, requests: this.#requests, milliseconds, tokens: this.#tokens };
  }
}

/** @returns the tokens of all answers; undefined if the service sends no usage */
export function tokensOf(answers: readonly (Answer | undefined)[]): number | undefined {
  const counts = answers.flatMap((answer) => tokenCount(answer?.usage ?? {}) ?? []);
  return counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count);
}

/**
 * @returns a run in one line: `86 % (43/50) · 1 flaky · 52 requests · 52,310 tokens · 1 min 23 s`, or
 * `3 changed · 8 the same · 30 requests · 23.4 s` if answers were compared
 */
export function summaryText({ counts, isCompared, known = 0, requests, milliseconds, tokens }: RunSummary): string {
  const parts = [
    ...(isCompared
      ? comparedParts(counts)
      : [gradedPart(counts), counts.flaky > 0 ? t('{0} flaky', counts.flaky) : '']),
    counts.unstable > 0 ? t('{0} unstable', counts.unstable) : '',
    counts.review > 0 ? t('{0} to review', counts.review) : '',
    known > 0 ? t('{0} known', known) : '',
    counts.errored > 0 ? plural(counts.errored, '{0} error|{0} errors') : '',
    counts.skipped > 0 ? t('{0} without expected result', counts.skipped) : '',
    counts.canceled > 0 ? t('{0} canceled', counts.canceled) : '',
    plural(requests, '{0} request|{0} requests'),
    tokens === undefined ? '' : plural(tokens, '{0} token|{0} tokens'),
    duration(milliseconds),
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

const comparedParts = ({ changed, same }: RunSummary['counts']): string[] => [
  changed > 0 ? t('{0} changed', changed) : '',
  same > 0 ? t('{0} the same', same) : '',
];

function gradedPart(counts: RunSummary['counts']): string {
  const passed = counts.passed + counts.flaky;
  // An error says nothing about accuracy.
  const graded = passed + counts.failed + counts.review;
  // Rounded down: 100 % means all.
  return graded === 0
    ? t('No answers graded')
    : t('{0} % ({1}/{2})', Math.floor((passed * 100) / graded), passed, graded);
}

/** @returns a text such as `23.4 s` or `1 min 23 s` */
export function duration(milliseconds: number): string {
  if (milliseconds < 60_000) return t('{0} s', (milliseconds / 1000).toFixed(1));
  const seconds = Math.round(milliseconds / 1000);
  return t('{0} min {1} s', Math.floor(seconds / 60), seconds % 60);
}

/** Asks the questions of a set on two branches and compares the answers. */
import { plural, t } from '../../shared/text/l10n.ts';
import type { Question } from '../question.ts';
import type { Answer } from '../run/answer.ts';
import { DEFAULT_CONCURRENCY, pool } from '../run/runner.ts';
import { duration, tokensOf } from '../run/verdict.ts';
import {
  compareAnswers,
  type AnswerState,
  type ComparedAnswers,
  type CompareOptions,
  type Sides,
} from './compareAnswers.ts';

export type AskOn = (question: Question, signal: AbortSignal) => Promise<Answer>;

/** The signal cancels: running answers are aborted on the service, waiting questions are not asked. */
export interface BranchesOptions extends CompareOptions {
  /** Asks as the question's identity, on the branch of the side. */
  ask: Sides<AskOn>;
  /** Maximum number of running answers on both sides together. */
  concurrency?: number | undefined;
}

export interface BranchesEvents {
  onStart?: (question: Question) => void;
  /** Called once for each question that was started. */
  onCompared?: (compared: ComparedAnswers) => void;
}

export interface BranchesSummary {
  /** For all questions; those that were not asked count as `canceled`. */
  counts: Readonly<Record<AnswerState, number>>;
  milliseconds: number;
  /** Present if the service sends usage. */
  tokens?: number;
}

/** @returns when every question that was started is compared */
export async function compareOnBranches(
  questions: readonly Question[],
  options: BranchesOptions,
  { onStart, onCompared }: BranchesEvents = {},
): Promise<BranchesSummary> {
  const start = performance.now();
  const counts = { same: 0, changed: 0, notComparable: 0, failed: 0, canceled: 0 };
  let compared = 0;
  let tokens: number | undefined;
  const { ask, concurrency = DEFAULT_CONCURRENCY, signal } = options;
  await pool(questions, Math.floor(concurrency / 2), signal, async (question) => {
    onStart?.(question);
    const asking = ask.left(question, signal);
    if (concurrency < 2) await asking;
    const [left, right] = await Promise.all([asking, ask.right(question, signal)]);
    const result = await compareAnswers(question, { left, right }, options);
    counts[result.state] += 1;
    compared += 1;
    for (const { usage } of [left, right]) if (usage) tokens = (tokens ?? 0) + tokensOf(usage);
    onCompared?.(result);
  });
  counts.canceled += questions.length - compared;
  return { counts, milliseconds: performance.now() - start, ...(tokens === undefined ? {} : { tokens }) };
}

/** `3 changed · 8 the same · 1 failed · 12,310 tokens · 23.4 s` */
export function branchesSummaryText({ counts, milliseconds, tokens }: BranchesSummary): string {
  const parts = [
    counts.changed > 0 ? t('{0} changed', counts.changed) : '',
    counts.same > 0 ? t('{0} the same', counts.same) : '',
    counts.notComparable > 0 ? t('{0} not comparable', counts.notComparable) : '',
    counts.failed > 0 ? t('{0} failed', counts.failed) : '',
    counts.canceled > 0 ? t('{0} canceled', counts.canceled) : '',
    tokens === undefined ? '' : plural(tokens, '{0} token|{0} tokens'),
    duration(milliseconds),
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

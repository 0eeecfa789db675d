/** What came of a question. */
import type { Usage } from '../../shared/wire/streamLines.ts';
import type { Difference } from '../grading/grade.ts';
import type { Question } from '../question.ts';
import type { Answer } from './answer.ts';
import type { Expectation, GradableQuery } from './expectation.ts';

export type VerdictStatus =
  | 'passed'
  | 'failed'
  /** Asked several times, and most answers passed, but not all. */
  | 'flaky'
  /** Only a part of the rows came, so nothing can be said; never passed. */
  | 'notComparable'
  /** No expectation. */
  | 'skipped'
  /** The agent, the connection or the truth failed; nothing is known of the answer. */
  | 'errored'
  | 'cancelled';

/** One answer, graded. */
export interface Attempt {
  status: Exclude<VerdictStatus, 'flaky'>;
  /** Why it did not pass; empty when it did. */
  message: string;
  answer?: Answer;
  /** The query that was graded. */
  actual?: GradableQuery;
  /** Set when it failed by its rows. */
  difference?: Difference;
}

export interface Verdict {
  question: Question;
  status: VerdictStatus;
  message: string;
  expectation?: Expectation;
  /** The attempt that decided: the first that did not pass, else the last. */
  attempt: Attempt;
  passedAttempts: number;
  attempts: number;
  milliseconds: number;
  usage?: Usage;
}

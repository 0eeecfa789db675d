/** The outcome of a question. */
import type { Usage } from '../../shared/wire/streamLines.ts';
import type { Difference } from '../grading/grade.ts';
import type { Question } from '../question.ts';
import type { Answer } from './answer.ts';
import type { Expectation, GradableQuery } from './expectation.ts';

export type VerdictStatus =
  | 'passed'
  | 'failed'
  /** Asked several times; most answers passed, but not all. */
  | 'flaky'
  /** Rows are missing, so the results can't be compared; never passed. */
  | 'notComparable'
  /** No expectation. */
  | 'skipped'
  /** The agent, the connection or the expectation failed, so the answer is unknown. */
  | 'errored'
  | 'cancelled';

/** One answer, graded. */
export interface Attempt {
  status: Exclude<VerdictStatus, 'flaky'>;
  /** Why it did not pass; empty if it did. */
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
  usage?: Usage;
}

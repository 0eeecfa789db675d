/** The verdicts on a question, for runs, reports and pages. */

/** All verdicts, those that need attention first. */
export const VERDICT_STATUSES = [
  'failed',
  /** The answers of two contexts differ, also when the question was asked again. */
  'changed',
  /** The agent, the connection or the expected result failed, so the answer is unknown. */
  'errored',
  /** A person has to look: rows are missing, no query ran, or nothing is proven. Never counts as passed. */
  'review',
  /** The answers in one context differ among themselves, so that a difference from others proves no change. */
  'unstable',
  /** Most answers passed, but not all. */
  'flaky',
  /** The question has no expected result. */
  'skipped',
  'canceled',
  'passed',
  /** The answers of two contexts have the same rows. */
  'same',
] as const;

export type VerdictStatus = (typeof VERDICT_STATUSES)[number];

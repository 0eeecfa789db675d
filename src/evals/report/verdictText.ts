/** A verdict as text for the editor: one line, and both sides of a failure for a diff. */
import { t } from '../../shared/text/l10n.ts';
import type { DiffText } from '../grading/align.ts';
import { duration, type Verdict, type VerdictStatus } from '../run/verdict.ts';

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
export function verdictReason({ status, message, attempts, passedAttempts }: Verdict): string {
  if (attempts === 1) return message;
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
export interface FailureText {
  message: string;
  /** Both sides, for a diff. */
  diff?: DiffText;
}

/** @returns the reason with both results, and, if the rows differ, both SQL texts */
export function failureTexts(verdict: Verdict): FailureText[] {
  const message = verdictReason(verdict);
  const { expectation, attempt } = verdict;
  const { actual, difference } = attempt;
  if (!difference || !expectation || !actual) return [{ message }];
  const sql = { expected: expectation.sql.trim(), actual: actual.sql.trim() };
  return [
    { message, diff: difference.text },
    { message: t('SQL of the agent and of the expected result'), diff: sql },
  ];
}

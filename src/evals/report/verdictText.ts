/** A verdict as text for the editor: one line, and both results with their SQL for a diff. */
import { t } from '../../shared/text/l10n.ts';
import type { DiffText } from '../grading/diffText.ts';
import { duration } from '../run/summary.ts';
import type { Verdict, VerdictStatus } from '../run/verdict.ts';

const marks: Readonly<Record<VerdictStatus, string>> = {
  passed: '✓',
  failed: '✗',
  flaky: '~',
  notComparable: '?',
  skipped: '-',
  errored: '!',
  cancelled: '-',
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

/** @returns the rows and the SQL of both sides; undefined unless the rows differ */
export function verdictDiff({ expectation, attempt: { actual, difference } }: Verdict): DiffText | undefined {
  if (!difference || !expectation || !actual) return undefined;
  const side = (rows: string, sql: string): string => `${rows}\n\n${t('SQL')}:\n${sql.trim()}\n`;
  return {
    expected: side(difference.text.expected, expectation.sql),
    actual: side(difference.text.actual, actual.sql),
  };
}

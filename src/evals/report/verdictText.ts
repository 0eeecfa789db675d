/** A verdict as text for the editor and for reports. */
import { t } from '../../shared/text/l10n.ts';
import type { DiffText } from '../grading/diffTexts.ts';
import type { VerdictStatus } from '../../shared/protocol/verdicts.ts';
import type { Judgment, Verdict } from '../matrix/matrix.ts';
import { duration } from './summary.ts';

const marks: Readonly<Record<VerdictStatus, string>> = {
  passed: '✓',
  failed: '✗',
  flaky: '~',
  review: '?',
  skipped: '-',
  errored: '!',
  canceled: '-',
  same: '=',
  changed: '≠',
  unstable: '~',
};

/** @returns how many answers passed if the question was asked several times, and why one did not pass */
export function verdictReason({ status, message, passes }: Pick<Judgment, 'status' | 'message' | 'passes'>): string {
  if (passes === undefined || passes.of < 2 || status === 'skipped') return message;
  const { count, of } = passes;
  const share =
    status === 'flaky' ? t('Flaky: {0} of {1} answers passed', count, of) : t('{0} of {1} answers passed', count, of);
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

/**
 * @returns the reason with both results, and, if the rows are not the expected ones, both SQL texts. VS Code writes the
 * sides of the first diff into one line, so that of a longer result has one changed row.
 */
export function failureTexts(verdict: Verdict): FailureText[] {
  const message = verdictReason(verdict);
  const { expectation, attempt } = verdict;
  const { actual, difference } = attempt ?? {};
  if (!difference) return [{ message }];
  const row = firstChange(difference.text);
  const rows = row
    ? [
        { message, diff: row },
        { message: t('All rows'), diff: difference.text },
      ]
    : [{ message, diff: difference.text }];
  // Rows that an identity must not see differ from no other result.
  if (!expectation) return rows;
  const sql = { expected: expectation.sql.trim(), actual: actual!.sql.trim() };
  return [...rows, { message: t('SQL of the agent and of the expected result'), diff: sql }];
}

/** @returns the first row that differs; undefined if there is only one */
function firstChange({ expected, actual }: DiffText): DiffText | undefined {
  const [before, after] = [expected, actual].map((text) => text.split('\n')) as [string[], string[]];
  if (before.length <= 2 && after.length <= 2) return undefined;
  const firstOnly = (lines: readonly string[], others: readonly string[]): string =>
    lines.find((line) => !others.includes(line))?.trim() ?? '';
  return { expected: firstOnly(before, after), actual: firstOnly(after, before) };
}

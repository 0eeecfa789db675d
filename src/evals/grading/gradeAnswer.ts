/** Grades one answer to a question. */
import { t } from '../../shared/text/l10n.ts';
import { gradeAccess } from '../access/gradeAccess.ts';
import type { Answer } from '../matrix/answer.ts';
import {
  attemptOf,
  gradableQueries,
  noQueryReason,
  type Attempt,
  type Expectation,
  type GradableQuery,
} from '../matrix/expectation.ts';
import { hasNoResult, type TestQuestion } from '../question.ts';
import { gradeTable } from './grade.ts';
import { gradeBehavior } from './gradeBehavior.ts';

interface GradingOptions {
  /** Number of significant digits to which numbers are compared. */
  precision?: number;
  /** Said of a question that has no expected result. */
  noExpectation: string;
}

/** @param answer with all its rows, as far as they can be loaded */
export function gradeAnswer(
  question: TestQuestion,
  answer: Answer,
  expectation: Expectation | undefined,
  { precision, noExpectation }: GradingOptions,
): Attempt {
  const { access } = question;
  if (access) {
    const attempt = gradeAccess(question, access, answer, expectation, { precision });
    // Rows that must not be seen were seen, even if the answer failed after them.
    const isLeak = attempt.status === 'failed' && access.kind !== 'sameAs';
    const loadError = answer.queries.find((query) => query.loadError !== undefined)?.loadError;
    if (isLeak || answer.error === undefined)
      return attempt.status === 'review' && loadError !== undefined
        ? { ...attempt, status: 'errored', message: loadError, answer }
        : { ...attempt, answer };
  }
  if (answer.error !== undefined) return { status: 'errored', message: answer.error, answer };
  const { behavior } = question;
  const unexpected = behavior && gradeBehavior(behavior, answer);
  if (unexpected) return { ...unexpected, answer };
  const queries = gradableQueries(answer);
  const [last] = queries;
  if (behavior && (expectation === undefined || hasNoResult(question)))
    return { status: 'passed', message: '', answer, actual: last };
  if (expectation === undefined) return { status: 'skipped', message: noExpectation, answer, actual: last };
  if (last === undefined) {
    // Some agents answer in text alone, which may be right. A query that failed is not.
    const status = answer.queries.length === 0 ? 'review' : 'failed';
    return { status, message: noQueryReason(answer), answer };
  }
  return { ...gradeQueries(queries, expectation.table, precision), answer };
}

/** The last query with rows counts; an earlier one that matches passes too. */
function gradeQueries(
  queries: readonly GradableQuery[],
  expected: Expectation['table'],
  precision: number | undefined,
): Attempt {
  let first: Attempt | undefined;
  for (const actual of queries) {
    const attempt: Attempt =
      actual.loadError === undefined
        ? attemptOf(gradeTable(expected, actual.table, precision), actual)
        : { status: 'errored', message: actual.loadError, actual };
    if (attempt.status === 'passed') return attempt;
    first ??= attempt;
  }
  return first!;
}

/** @returns why there is nothing to compare an answer with */
export const missingExpectation = ({ expectedSql }: TestQuestion, isOtherBranch: boolean): string =>
  isOtherBranch
    ? t('No expected result: the agent ran no query on the other branch.')
    : expectedSql
      ? t('No expected result: set a data query URL to run the expected SQL, or accept a result.')
      : t('No expected result: accept a result first.');

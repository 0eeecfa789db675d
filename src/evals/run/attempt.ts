/** Grades one answer against the expectation. */
import { t } from '../../shared/text/l10n.ts';
import { gradeAccess } from '../access/gradeAccess.ts';
import { gradeTable, type Grade } from '../grading/grade.ts';
import type { Question } from '../question.ts';
import type { Answer } from './answer.ts';
import {
  gradableQueries,
  messageOf,
  withAllRows,
  type Expectation,
  type GradableQuery,
  type LoadingOptions,
} from './expectation.ts';
import type { Attempt } from './verdict.ts';

export interface GradingOptions extends LoadingOptions {
  precision: number | undefined;
}

/** @param expectation rejects if the expected result can't be determined */
export async function gradeAnswer(
  question: Question,
  asking: Promise<Answer>,
  expecting: Promise<Expectation | undefined>,
  options: GradingOptions,
): Promise<Attempt> {
  const [asked, expected] = await Promise.allSettled([asking, expecting]);
  if (asked.status === 'rejected') return { status: 'errored', message: messageOf(asked.reason) };
  const answer = asked.value;
  // An expected result that was canceled may have only some of its rows.
  if (answer.isStopped || options.signal.aborted) return { status: 'canceled', message: t('Canceled'), answer };
  if (answer.error !== undefined) return { status: 'errored', message: answer.error, answer };
  if (expected.status === 'rejected') return { status: 'errored', message: messageOf(expected.reason), answer };
  try {
    const attempt = await gradeQueries(question, answer, expected.value, options);
    return options.signal.aborted ? { status: 'canceled', message: t('Canceled'), answer } : { ...attempt, answer };
  } catch (failure) {
    return { status: 'errored', message: messageOf(failure), answer };
  }
}

/** The last query with rows counts; an earlier one that matches passes too. */
async function gradeQueries(
  question: Question,
  answer: Answer,
  expectation: Expectation | undefined,
  options: GradingOptions,
): Promise<Attempt> {
  const decided = question.access && (await gradeAccess(question, question.access, answer, expectation, options));
  if (decided) return decided;
  const queries = gradableQueries(answer);
  const [last] = queries;
  if (expectation === undefined)
    return { status: 'skipped', message: noExpectation(question), ...(last ? { actual: last } : {}) };
  if (last === undefined) {
    const failed = answer.queries.findLast(({ error }) => error !== undefined)?.error;
    const message = failed === undefined ? t('The agent ran no query.') : t('The agent’s query failed: {0}', failed);
    return { status: 'failed', message };
  }
  let first: Attempt | undefined;
  for (const query of queries) {
    const actual = await withAllRows(question, query, options);
    const attempt = attemptOf(gradeTable(expectation.table, actual.table, options.precision), actual);
    if (attempt.status === 'passed') return attempt;
    first ??= attempt;
  }
  return first ?? { status: 'failed', message: '' };
}

const attemptOf = (grade: Grade, actual: GradableQuery): Attempt =>
  grade.status === 'passed' ? { status: 'passed', message: '', actual } : { ...grade, actual };

const noExpectation = ({ expectedSql }: Question): string =>
  expectedSql
    ? t('No expectation: set a data query URL to run the expected SQL, or accept a result.')
    : t('No expectation: accept a result first.');

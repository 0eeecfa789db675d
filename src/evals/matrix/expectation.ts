/** What is graded: the queries of an answer that have results, the expected result, and the grade of one answer. */
import { t } from '../../shared/text/l10n.ts';
import type { ResultTable } from '../../shared/wire/toolPayloads.ts';
import type { Difference, Grade } from '../grading/grade.ts';
import type { Answer, AnsweredQuery } from './answer.ts';

export interface Expectation {
  from: 'sql' | 'certifiedQuery' | 'baseline' | 'branch' | 'identity';
  sql: string;
  table: ResultTable;
}

/** An answer with its grade. */
export interface Attempt {
  status: 'passed' | 'failed' | 'review' | 'skipped' | 'errored';
  /** The reason why the answer did not pass; empty if it did. */
  message: string;
  answer?: Answer;
  /** The query that was graded. */
  actual?: GradableQuery;
  /** Present if the rows differ. */
  difference?: Difference;
  /** Set for a result that lacks rows, and that has another number of them than expected. */
  hasOtherCount?: boolean;
}

/** Whether the service sent neither a result nor an error of a query. */
export const hasNoOutcome = ({ table, error }: AnsweredQuery): boolean => table === undefined && error === undefined;

/** @returns a message with the failure of the last query that failed; undefined if none did */
export function queryFailure({ queries }: Pick<Answer, 'queries'>): string | undefined {
  const error = queries.findLast((query) => query.error !== undefined)?.error;
  return error === undefined ? undefined : t('The agent’s query failed: {0}', error);
}

/** @returns why an answer has no query to grade */
export const noQueryReason = (answer: Pick<Answer, 'queries'>): string =>
  queryFailure(answer) ?? t('The agent ran no query.');

export type GradableQuery = AnsweredQuery & { table: ResultTable };

/**
 * @returns the queries with rows, last one first, then the last query of all if it returned no rows, which may be
 * right; all queries if none has rows. A query that failed may have returned only a part of its rows.
 */
export function gradableQueries({ queries }: Pick<Answer, 'queries'>): GradableQuery[] {
  const run = queries
    .flatMap((query) => (query.table && query.error === undefined ? [{ ...query, table: query.table }] : []))
    .reverse();
  const withRows = run.filter(({ table }) => table.rows.length > 0);
  if (withRows.length === 0) return run;
  return [...withRows, ...run.slice(0, 1).filter(({ table }) => table.rows.length === 0)];
}

/** @returns the grade of the query of an answer; results that can't be compared are for a person to review */
export const attemptOf = (grade: Grade, actual: GradableQuery): Attempt =>
  grade.status === 'passed'
    ? { status: 'passed', message: '', actual }
    : { ...grade, status: grade.status === 'failed' ? 'failed' : 'review', actual };

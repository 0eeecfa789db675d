/** Determines what a question is graded against: its SQL, then its accepted result, otherwise nothing. */
import { queryFailureText } from '../../chat/connection/errorMessages.ts';
import { describeDifference } from '../../compare/answerRows.ts';
import { t } from '../../shared/text/l10n.ts';
import type { ResultTable } from '../../shared/wire/toolPayloads.ts';
import { tableOf } from '../files/baseline.ts';
import { alignResults } from '../grading/align.ts';
import { DEFAULT_PRECISION } from '../grading/grade.ts';
import type { AccessRule, Question } from '../question.ts';
import type { Answer, AnsweredQuery } from './answer.ts';

export interface Expectation {
  from: 'sql' | 'certifiedQuery' | 'baseline' | 'branch' | 'identity';
  sql: string;
  table: ResultTable;
}

/** @returns the expectation, or `undefined` if there is none; rejects if it can't be determined */
export type Expect = (question: Question, signal: AbortSignal) => Promise<Expectation | undefined>;

/** Asks as the question's identity. */
export type AskQuestion = (question: Question, signal: AbortSignal) => Promise<Answer>;

/** Runs SQL through the data query API with the branch and identity of the run, and returns all rows. */
export type RunSql = (sql: string, question: Question, signal: AbortSignal) => Promise<ResultTable>;

/** @param runSql absent if no data query URL is set; then only accepted results count */
export function expectFromFiles(runSql: RunSql | undefined): Expect {
  return async (question, signal) => {
    const { expectedSql, baseline } = question;
    if (expectedSql && runSql) {
      const { sql, certifiedQuery } = expectedSql;
      const table = await runSql(sql, question, signal).catch((failure: unknown) => {
        throw new Error(t('The expected SQL failed: {0}', queryFailureText(failure)), { cause: failure });
      });
      return { from: certifiedQuery === undefined ? 'sql' : 'certifiedQuery', sql, table };
    }
    return baseline && { from: 'baseline', sql: baseline.sql, table: tableOf(baseline) };
  };
}

/**
 * Expects the agent's answer on another branch or as another identity.
 * @param name of that branch or identity, for messages
 * @param runSql loads all rows of a truncated result there; absent if no data query URL is set
 */
export function expectAnswers(name: string, ask: AskQuestion, runSql?: RunSql): Expect {
  return async (question, signal) => {
    const answer = await ask(question, signal);
    if (answer.error !== undefined) throw new Error(`${name}: ${answer.error}`);
    const [query] = gradableQueries(answer);
    if (query === undefined) return undefined;
    const { sql, table } = await withAllRows(question, query, { runSql, signal, name });
    return { from: 'branch', sql, table };
  };
}

/** Expects the rows that the identity in the rule sees; undefined for other rules. */
export function expectAccess(rule: AccessRule, ask: AskQuestion, runSql?: RunSql): Expect {
  if (rule.kind !== 'sameAs') return () => Promise.resolve(undefined);
  const expectOther = expectAnswers(rule.identity, ask, runSql);
  return async (question, signal) => {
    const expectation = await expectOther({ ...question, identity: rule.identity }, signal);
    return expectation && { ...expectation, from: 'identity' };
  };
}

export interface LoadingOptions {
  /** Loads all rows of a truncated result; absent if no data query URL is set. */
  runSql?: RunSql;
  signal: AbortSignal;
  /** Name of the branch or identity, for the message of a failure; absent if there is only one. */
  name?: string;
  /** Number of significant digits to which numbers are compared. */
  precision?: number;
}

/**
 * @returns the query with all its rows, if there is a data query URL
 * @throws Error if they can't be loaded, or are not those of the answer
 */
export async function withAllRows(
  question: Question,
  query: GradableQuery,
  { runSql, signal, name, precision }: LoadingOptions,
): Promise<GradableQuery> {
  const load = (run: RunSql): Promise<ResultTable> =>
    run(query.sql, question, signal)
      .then((loaded) => {
        if (!signal.aborted) requireRowsOf(query.table, loaded, precision);
        return loaded;
      })
      .catch((failure: unknown) => {
        const message = t('Can’t load all rows: {0}', queryFailureText(failure));
        throw new Error(name === undefined ? message : `${name}: ${message}`, { cause: failure });
      });
  const table = await allRowsOf(query.table, runSql && (() => load(runSql)));
  return table === query.table ? query : { ...query, table };
}

/**
 * @param load runs the query again; absent if no data query URL is set
 * @returns all rows; if some can't be loaded, because of a limit or a cancellation, `totalRows` still counts them
 */
export async function allRowsOf(
  table: ResultTable,
  load: (() => Promise<ResultTable>) | undefined,
): Promise<ResultTable> {
  if (table.rows.length >= table.totalRows || load === undefined) return table;
  const loaded = await load();
  return { ...loaded, totalRows: Math.max(loaded.totalRows, table.totalRows) };
}

/**
 * A data query API that ignores the branch or the identity returns rows of another answer.
 * @throws Error unless all rows of the answer are among the loaded ones
 */
export function requireRowsOf(answer: ResultTable, loaded: ResultTable, precision = DEFAULT_PRECISION): void {
  const compared = answer.rows.length;
  const missing = compared - alignResults(answer, loaded, precision).counts.same;
  if (missing > 0) throw new Error(describeDifference({ missing, compared }));
}

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
 * right; all queries if none has rows
 */
export function gradableQueries({ queries }: Pick<Answer, 'queries'>): GradableQuery[] {
  const run = queries.flatMap((query) => (query.table ? [{ ...query, table: query.table }] : [])).reverse();
  const withRows = run.filter(({ table }) => table.rows.length > 0);
  if (withRows.length === 0) return run;
  return [...withRows, ...run.slice(0, 1).filter(({ table }) => table.rows.length === 0)];
}

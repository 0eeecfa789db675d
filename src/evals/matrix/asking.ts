/** How a run asks: the functions that a front end provides, the expected result of a question, and rows left out. */
import { queryFailureText } from '../../chat/connection/errorMessages.ts';
import { allRowsOf } from '../../compare/answerRows.ts';
import { DEFAULT_PRECISION } from '../../compare/cellEquality.ts';
import { messageOf } from '../../shared/text/checks.ts';
import { t } from '../../shared/text/l10n.ts';
import { emptyThread, type Thread } from '../../shared/thread/model.ts';
import { currentTurn } from '../../shared/thread/turns.ts';
import type { ResultTable } from '../../shared/wire/toolPayloads.ts';
import { tableOf } from '../files/baseline.ts';
import { askedTurns, hasNoResult, type TestQuestion } from '../question.ts';
import type { Answer, AnsweredQuery } from './answer.ts';
import { hasNoOutcome, type Expectation } from './expectation.ts';
import type { Context } from './matrix.ts';

interface AskMore {
  /** Called as soon as the service begins to answer. */
  onServed?: () => void;
  /** The thread to continue; by default, the question starts one. */
  thread?: Thread;
}

/** Asks on the branch and as the identity of the context. */
export type AskIn<C extends Context = Context> = (
  question: TestQuestion,
  context: C,
  signal: AbortSignal,
  more?: AskMore,
) => Promise<Answer>;

/** Runs SQL through the data query API on the branch and as the identity of the context, and returns all rows. */
export type RunSqlIn<C extends Context = Context> = (
  sql: string,
  question: TestQuestion,
  context: C,
  signal: AbortSignal,
) => Promise<ResultTable>;

/** @returns the expected result, or `undefined` if there is none; rejects if it can't be determined */
export type TruthIn<C extends Context = Context> = (
  question: TestQuestion,
  context: C,
  signal: AbortSignal,
) => Promise<Expectation | undefined>;

/**
 * @param runSql absent if no data query URL is set; then only accepted results count
 * @returns a function that determines the expected result: that of the question's SQL, or else the accepted one
 */
export function truthFromFiles<C extends Context>(runSql: RunSqlIn<C> | undefined): TruthIn<C> {
  return async (question, context, signal) => {
    const { expectedSql, baseline, access } = question;
    if (access) return undefined;
    if (expectedSql && runSql) {
      const { sql, certifiedQuery } = expectedSql;
      const table = await runSql(sql, question, context, signal).catch((failure: unknown) => {
        throw new Error(t('The expected SQL failed: {0}', queryFailureText(failure)), { cause: failure });
      });
      return { from: certifiedQuery === undefined ? 'sql' : 'certifiedQuery', sql, table };
    }
    return baseline && { from: 'baseline', sql: baseline.sql, table: tableOf(baseline) };
  };
}

export type RunSql = (sql: string) => Promise<ResultTable>;

interface LoadingOptions {
  signal: AbortSignal;
  /** Number of significant digits to which numbers are compared. */
  precision?: number;
}

/**
 * @param runSql loads all rows of a query; absent if no data query URL is set
 * @returns the answer with all rows of its queries; a query whose rows can't be loaded says why
 */
export async function withLoadedRows(
  answer: Answer,
  runSql: RunSql | undefined,
  { signal, precision = DEFAULT_PRECISION }: LoadingOptions,
): Promise<Answer> {
  const isPartial = answer.queries.some(({ table }) => table && table.rows.length < table.totalRows);
  if (!isPartial || answer.isStopped || runSql === undefined) return answer;
  const queries = await Promise.all(
    answer.queries.map(async (query): Promise<AnsweredQuery> => {
      const { sql, table } = query;
      if (table === undefined) return query;
      try {
        return {
          ...query,
          table: await allRowsOf(table, sql === '' ? undefined : () => runSql(sql), { precision, signal }),
        };
      } catch (failure) {
        return { ...query, loadError: t('Can’t load all rows: {0}', queryFailureText(failure)) };
      }
    }),
  );
  return { ...answer, queries };
}

interface Asking<C extends Context> extends LoadingOptions {
  ask: AskIn<C>;
  runSql?: RunSqlIn<C>;
}

/**
 * Asks the turns of a question one after the other in one thread.
 * @param signal cancels: no further turn is asked
 * @returns the answer to the last turn that was asked, with the earlier ones; a failure is part of it
 */
export async function askTurns<C extends Context>(
  question: TestQuestion,
  context: C,
  { ask, runSql, precision, signal }: Asking<C>,
  onServed: (() => void) | undefined,
): Promise<Answer> {
  const run = runSql && ((sql: string) => runSql(sql, question, context, signal));
  const answers: Answer[] = [];
  for (const turn of askedTurns(question)) {
    const before = answers.at(-1);
    // The turns after one that failed would be answered without it.
    if (before && (before.error !== undefined || signal.aborted)) break;
    const asked = await ask(turn, context, signal, { onServed, thread: before?.thread }).catch((failure: unknown) =>
      failedAnswer(messageOf(failure)),
    );
    answers.push(await withLoadedRows(withFailure(turn, asked), run, { precision, signal }));
  }
  const earlier = answers.slice(0, -1);
  return { ...answers.at(-1)!, ...(earlier.length > 0 ? { earlier } : {}) };
}

/**
 * @returns the answer as a failure of the service, if it ended without anything, or without a result or an error of any
 *   query, so that nothing is known of the rows. That a query ran is enough for some rules, and rules of access look at
 *   each query.
 */
function withFailure(question: TestQuestion, answer: Answer): Answer {
  const { queries, thread, error, isStopped } = answer;
  if (isStopped || error !== undefined) return answer;
  if (currentTurn(thread)?.items.length === 0) return { ...answer, error: t('The agent returned no answer.') };
  const isLacking = queries.length > 0 && queries.every(hasNoOutcome);
  return isLacking && !question.access && !hasNoResult(question)
    ? { ...answer, error: t('The service sent no result of the agent’s query.') }
    : answer;
}

const failedAnswer = (error: string): Answer => ({
  ...{ text: '', queries: [], thread: emptyThread(crypto.randomUUID()), milliseconds: 0, isStopped: false },
  error,
});

/** The rows and cells of the page of a run. */
import type { Answer } from '../../evals/matrix/answer.ts';
import { gradableQueries, noQueryReason } from '../../evals/matrix/expectation.ts';
import type { TestQuestion } from '../../evals/question.ts';
import type { RunCell, RunRow } from '../../shared/protocol/runs.ts';
import { plural, t } from '../../shared/text/l10n.ts';

export const WAITING = { state: 'waiting', message: '', canOpen: false } as const;
export const CANCELED = { ...WAITING, state: 'canceled' } as const;
export type EmptyCell = typeof WAITING | typeof CANCELED;

/** @returns a row for each question, without answers */
export const emptyRows = (
  asked: readonly { question: TestQuestion; contexts: readonly unknown[] }[],
  cell: EmptyCell,
): RunRow[] =>
  asked.map(({ question: { name, text }, contexts }) => ({
    ...{ name, text, state: cell.state, message: '', canOpen: false, canAccept: false },
    cells: contexts.map(() => cell),
  }));

/** @returns how many rows an answer has, or why there are none */
export function cellOf(answer: Answer): RunCell {
  const canOpen = answer.thread.chatId !== undefined;
  if (answer.isStopped) return { state: 'canceled', message: t('Canceled'), canOpen };
  if (answer.error !== undefined) return { state: 'failed', message: answer.error, canOpen };
  const table = gradableQueries(answer)[0]?.table;
  if (table === undefined) return { state: 'failed', message: noQueryReason(answer), canOpen };
  const { rows, totalRows } = table;
  const isPartial = rows.length < totalRows;
  const message = isPartial ? t('{0} of {1} rows', rows.length, totalRows) : plural(totalRows, '{0} row|{0} rows');
  return { state: 'answered', message, canOpen };
}

/** Loads all rows of a query through the data query API, for an export or into a view. */
import { openSettings } from '../host/settings.ts';
import { queryAllRows, type DataBatch } from '../../api/dataQuery.ts';
import type { ChatSession } from '../../chat/session/chatSession.ts';
import { AnswerRows, describeDifference } from '../../compare/answerRows.ts';
import type { LoadedRows, LoadState } from '../../shared/protocol/chat.ts';
import { inTimeZone, rowsInTimeZone } from '../../shared/results/timeZone.ts';
import { t } from '../../shared/text/l10n.ts';
import { findResult, type GeneratedSql } from '../../shared/thread/turns.ts';
import type { ResultTable, SqlQueryPayload } from '../../shared/wire/toolPayloads.ts';
import { showInformationMessage, withProgress } from '../host/notify.ts';
import type { Services } from '../services.ts';

export type AllRowsServices = Services<'sessions' | 'repository'>;

export type LoadAllServices = AllRowsServices & Services<'connector' | 'identities'>;

/**
 * @returns the URL of the data query API for a thread; empty if its connection has none, and for a read-only thread,
 * because its SQL may come from someone else
 */
export const dataQueryUrlOf = (services: AllRowsServices, session: ChatSession): string =>
  services.repository.isReadOnly(session.thread.id)
    ? ''
    : (services.sessions.connectionOf(session)?.dataQueryUrl ?? '');

/** @returns whether all rows can be loaded; if not, a notification tells the user why */
export async function canQueryAllRows(services: AllRowsServices, session: ChatSession): Promise<boolean> {
  if (dataQueryUrlOf(services, session) !== '') return true;
  if (services.repository.isReadOnly(session.thread.id)) {
    void showInformationMessage(t('The SQL of a recorded chat can’t be run. Ask its question in a new chat.'));
    return false;
  }
  const name = services.sessions.connectionOf(session)?.name;
  const open = t('Open settings');
  const choice = await showInformationMessage(
    name
      ? t('To load all rows, set “dataQueryUrl” for “{0}” in “analyticsChat.connections”.', name)
      : t('To load all rows, set the URL of the data query API in “analyticsChat.dataQueryUrl”.'),
    open,
  );
  if (choice === open) await openSettings(name ? 'analyticsChat.connections' : 'analyticsChat.dataQueryUrl');
  return false;
}

/**
 * Reruns a query with the branch and identity of its question.
 * @throws ChatError if there is no connection or credential, or the query fails
 */
export async function* allRows(
  services: Services<'connector' | 'sessions'>,
  session: ChatSession,
  { payload, question }: GeneratedSql,
  signal: AbortSignal,
): AsyncGenerator<DataBatch, void, undefined> {
  const options = await services.connector.dataQuery(services.sessions.homeOf(session), question?.context);
  for await (const batch of queryAllRows(payload.sqlQuery, { ...options, signal }))
    yield { ...batch, rows: rowsInTimeZone(payload.table?.columns ?? [], batch.rows) };
}

export type WithTable = SqlQueryPayload & { table: ResultTable };
export type QueryWithTable = GeneratedSql & { payload: WithTable };

/** @returns a query of the thread with its result in the time zone of its identity; undefined if there is none */
export function queryWithTable(
  { identities, sessions }: Services<'identities' | 'sessions'>,
  session: ChatSession,
  toolCallId: string,
): QueryWithTable | undefined {
  const query = findResult(session.thread, toolCallId);
  if (!query?.payload.table) return undefined;
  const zone = identities.timeZones(sessions.connectionOf(session))[query.question?.context?.identity ?? ''];
  return { ...query, payload: { ...query.payload, table: inTimeZone(query.payload.table, zone) } };
}

/** @returns a message on how the rows differ from those of the answer; undefined if they don't */
export function differenceText(answer: AnswerRows, isComplete: boolean): string | undefined {
  const difference = answer.difference(isComplete);
  return difference && describeDifference(difference);
}

/** Maximum number of rows in a view; exports have no limit. */
const VIEW_LIMIT = 100_000;

/** Ids of tool calls whose rows are being loaded, by session. */
const loading = new WeakMap<ChatSession, Set<string>>();

/**
 * Streams all rows of a query to a view, up to `VIEW_LIMIT`.
 * @param onPart receives each batch of rows, then an empty batch with the final state and, if the rows differ from
 *   those of the answer, a notice
 * @param closed aborted when the view is closed
 */
export async function loadAll(
  services: LoadAllServices,
  session: ChatSession,
  toolCallId: string,
  onPart: (part: LoadedRows) => void,
  closed?: AbortSignal,
): Promise<void> {
  const query = queryWithTable(services, session, toolCallId);
  const loads = loading.get(session) ?? new Set<string>();
  if (!query?.payload.sqlQuery || !(await canQueryAllRows(services, session))) return;
  if (loads.has(toolCallId)) {
    void showInformationMessage(t('All rows of this query are already loading.'));
    return;
  }
  loading.set(session, loads.add(toolCallId));
  const { table } = query.payload;
  const { totalRows } = table;
  const answer = new AnswerRows(table);
  const total = totalRows.toLocaleString();
  let state = 'stopped' as LoadState;
  let count = 0;
  try {
    await withProgress(t('Loading all rows…'), true, async (canceled, report) => {
      const signal = closed ? AbortSignal.any([canceled, closed]) : canceled;
      for await (const part of answer.watch(allRows(services, session, query, signal))) {
        const rows = part.rows.slice(0, VIEW_LIMIT - count);
        onPart({ from: count, rows, state: 'loading' });
        count += rows.length;
        if (count > 0) report(t('{0} of {1} rows', count.toLocaleString(), total));
        if (count < VIEW_LIMIT) continue;
        state = totalRows > count || part.rows.length > rows.length ? 'limited' : 'done';
        return;
      }
      if (!signal.aborted) state = 'done';
    });
  } finally {
    loads.delete(toolCallId);
    const notice = differenceText(answer, state === 'done');
    onPart({ from: count, rows: [], state, ...(notice === undefined ? {} : { notice }) });
  }
}

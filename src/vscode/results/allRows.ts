/** Loads all rows of a query through the data query API. */
import * as vscode from 'vscode';
import { queryAllRows, type DataBatch } from '../../api/dataQuery.ts';
import type { ChatSession } from '../../chat/session/chatSession.ts';
import { t } from '../../shared/text/l10n.ts';
import type { GeneratedSql } from '../../shared/thread/turns.ts';
import { showInformationMessage } from '../host/notify.ts';
import { connectionOf } from '../threads/sessions.ts';
import type { Services } from '../services.ts';

export type AllRowsServices = Services<'connections' | 'sessions' | 'repository'>;

/**
 * @returns the URL of the data query API for a thread; empty if its connection has none, and for a read-only thread,
 * because its SQL may come from someone else
 */
export const dataQueryUrlOf = (services: AllRowsServices, session: ChatSession): string =>
  services.repository.isReadOnly(session.thread.id) ? '' : (connectionOf(services, session)?.dataQueryUrl ?? '');

/** @returns whether all rows can be loaded; if not, a notification tells the user why */
export async function canQueryAllRows(services: AllRowsServices, session: ChatSession): Promise<boolean> {
  if (dataQueryUrlOf(services, session) !== '') return true;
  if (services.repository.isReadOnly(session.thread.id)) {
    void showInformationMessage(t('The SQL of a recorded chat can’t be run. Ask its question in a new chat.'));
    return false;
  }
  const name = connectionOf(services, session)?.name;
  const open = t('Open settings');
  const choice = await showInformationMessage(
    name
      ? t('To load all rows, set “dataQueryUrl” for “{0}” in “analyticsChat.connections”.', name)
      : t('To load all rows, set the URL of the data query API in “analyticsChat.dataQueryUrl”.'),
    open,
  );
  if (choice === open)
    await vscode.commands.executeCommand(
      'workbench.action.openSettings',
      name ? 'analyticsChat.connections' : 'analyticsChat.dataQueryUrl',
    );
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
  yield* queryAllRows(payload.sqlQuery, { ...options, signal });
}

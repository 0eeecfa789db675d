/** All rows of a query, through the data query API. */
import * as vscode from 'vscode';
import { queryAllRows, type DataBatch } from '../../api/dataQuery.ts';
import type { ChatSession } from '../../chat/session/chatSession.ts';
import { t } from '../../shared/text/l10n.ts';
import type { GeneratedSql } from '../../shared/thread/turns.ts';
import type { App } from '../app.ts';
import { connectionOf } from '../connection/threadConnection.ts';
import { showInformationMessage } from '../host/notify.ts';

/**
 * @returns the address of the data query API for a thread; empty where its connection has none, and for a recording,
 * because somebody else may have written its SQL
 */
export const dataQueryUrlOf = (app: App, session: ChatSession): string =>
  app.keeper.isReadOnly(session.thread.id) ? '' : (connectionOf(app, session)?.dataQueryUrl ?? '');

/** @returns whether the address is set; if not, a notification says which setting is missing */
export async function canQueryAllRows(app: App, session: ChatSession): Promise<boolean> {
  if (dataQueryUrlOf(app, session) !== '') return true;
  if (app.keeper.isReadOnly(session.thread.id)) {
    void showInformationMessage(t('The SQL of a recorded chat is not run. Ask its question in a new chat.'));
    return false;
  }
  const name = connectionOf(app, session)?.name;
  const open = t('Open settings');
  const choice = await showInformationMessage(
    name
      ? t('To load all rows, give “{0}” a “dataQueryUrl” in “analyticsChat.connections”.', name)
      : t('To load all rows, set the address of the data query API in “analyticsChat.dataQueryUrl”.'),
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
 * Runs a query of an answer again, on the branch and as the identity of its question.
 * @throws ChatError when there is no credential for the address, or the query fails
 */
export async function* allRows(
  app: App,
  session: ChatSession,
  { payload, question }: GeneratedSql,
  signal: AbortSignal,
): AsyncGenerator<DataBatch, void, undefined> {
  const options = await app.connector.dataQuery(app.sessions.homeOf(session), question?.context);
  yield* queryAllRows(payload.sqlQuery, { ...options, signal });
}

/** All rows of a query, through the data query API. */
import * as vscode from 'vscode';
import { checkedUrl } from '../api/address.ts';
import { queryAllRows, type DataBatch } from '../api/dataQuery.ts';
import { t } from '../shared/l10n.ts';
import type { App } from './app.ts';
import { readSettings } from './settings.ts';

/** @returns whether the address is set; if not, the user is told what to set */
export async function canQueryAllRows(): Promise<boolean> {
  if (readSettings().dataQueryUrl !== '') return true;
  const open = t('Open settings');
  const choice = await vscode.window.showInformationMessage(
    t('To load all rows, set the address of the data query API in “analyticsChat.dataQueryUrl”.'),
    open,
  );
  if (choice === open)
    await vscode.commands.executeCommand('workbench.action.openSettings', 'analyticsChat.dataQueryUrl');
  return false;
}

/** @throws ChatError when there is no credential for the address, or the query fails */
export async function* allRows(
  app: App,
  query: string,
  signal: AbortSignal,
): AsyncGenerator<DataBatch, void, undefined> {
  const { dataQueryUrl } = readSettings();
  const { origin } = checkedUrl(dataQueryUrl);
  const credential = await app.connector.credentialFor(origin);
  yield* queryAllRows(query, { dataQueryUrl, credential, signal });
}

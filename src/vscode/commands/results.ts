/** Results outside the conversation: as a document, and as a file. */
import * as vscode from 'vscode';
import type { ChatSession } from '../../chat/chatSession.ts';
import { t } from '../../shared/l10n.ts';
import type { ResultTable } from '../../shared/payloads.ts';
import type { App } from '../app.ts';
import { findSql } from '../generated.ts';
import { encodeResult, FORMATS } from '../resultFormats.ts';

const tableOf = (session: ChatSession, toolCallId: string): ResultTable | undefined =>
  findSql(session, toolCallId)?.payload.table;

/** Opens the rows as a CSV document in a tab of its own. */
export async function openResults(_app: App, session: ChatSession, toolCallId: string): Promise<void> {
  const table = tableOf(session, toolCallId);
  if (!table) return;
  const document = await vscode.workspace.openTextDocument({ language: 'csv', content: encodeResult(table, 'csv') });
  await vscode.window.showTextDocument(document);
}

/** Writes the rows into a file that the user chooses; its ending decides the format. */
export async function exportResults(_app: App, session: ChatSession, toolCallId: string): Promise<void> {
  const table = tableOf(session, toolCallId);
  if (!table) return;
  const target = await vscode.window.showSaveDialog({
    title: t('Export results'),
    filters: Object.fromEntries(FORMATS.map(({ name, ending }) => [name, [ending]])),
  });
  if (!target) return;
  const ending = target.path.split('.').at(-1)?.toLowerCase();
  const format = FORMATS.find((each) => each.ending === ending)?.format ?? 'csv';
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(encodeResult(table, format)));
}

/** Commands that insert, copy and open generated SQL. */
import * as vscode from 'vscode';
import { textIn } from '../../shared/text/checks.ts';
import { t } from '../../shared/text/l10n.ts';
import type { GeneratedSql } from '../../shared/thread/turns.ts';
import { memberReference } from '../../compare/members.ts';
import type { App, Command } from '../app.ts';
import { showDiff } from '../insert/diffPreview.ts';
import { currentEditor } from '../insert/editors.ts';
import { findSql } from '../insert/generatedSql.ts';
import { insertInto } from '../insert/insertion.ts';
import { openAsDocument } from '../insert/sqlDocument.ts';
import { setStatusBarMessage, showInformationMessage } from '../host/notify.ts';

/**
 * Finds a query; notifies the user if there is none. The given or active thread is searched first, because a service
 * may reuse a tool call id in another thread.
 * @param argument `{toolCallId?, threadId?}`; without `toolCallId`, the last query of the thread
 */
export function wantedSql({ sessions }: App, argument: unknown): GeneratedSql | undefined {
  const toolCallId = textIn(argument, 'toolCallId');
  const first = sessions.get(textIn(argument, 'threadId') ?? '') ?? sessions.active;
  for (const session of toolCallId === undefined ? [first] : [first, ...sessions.all]) {
    const found = findSql(session, toolCallId);
    if (found) return found;
  }
  void showInformationMessage(t('There is no generated SQL in this chat yet.'));
  return undefined;
}

/** @param argument `{toolCallId?, threadId?}`; see `wantedSql`. A closed thread is opened first. */
export const insertSql: Command = async (app, argument) => {
  const threadId = textIn(argument, 'threadId');
  if (threadId !== undefined) await app.repository.open(threadId);
  const sql = wantedSql(app, argument);
  return sql && insertInto(app, sql);
};

/** Like `insertSql`, but replaces the selection. */
export const replaceWithSql: Command = async (app, argument) => {
  const sql = wantedSql(app, argument);
  return sql && insertInto(app, sql, 'replace');
};

/** Shows the insertion in a diff editor before it is applied. */
export const diffSql: Command = async (app, argument) => {
  const sql = wantedSql(app, argument);
  return sql && showDiff(app, sql);
};

export const copySql: Command = async (app, argument) => {
  const sql = wantedSql(app, argument);
  if (!sql) return;
  await vscode.env.clipboard.writeText(sql.payload.sqlQuery);
  setStatusBarMessage(t('SQL copied'), 2000);
};

export const openSql: Command = async (app, argument) => {
  const sql = wantedSql(app, argument);
  if (sql) await openAsDocument(sql.payload.sqlQuery);
};

/** @returns a reference to the member in the syntax of the editor's file */
async function referenceFor(editor: vscode.TextEditor, name: string): Promise<string> {
  const { detectTarget } = await import('../../insert/detect.ts');
  const { loadGrammar } = await import('../../insert/planner.ts');
  const { document, selection } = editor;
  await loadGrammar(document.languageId, document.uri.path);
  const source = { text: document.getText(), languageId: document.languageId, fileName: document.uri.path };
  return memberReference(name, detectTarget(source, document.offsetAt(selection.active)));
}

/** Inserts a reference to a member at every cursor of the last used editor, or copies it if that fails. */
export async function insertMember(name: string): Promise<void> {
  const editor = currentEditor();
  if (!editor) {
    await vscode.env.clipboard.writeText(name);
    void showInformationMessage(t('No editor is open, so “{0}” was copied to the clipboard.', name));
    return;
  }
  const text = await referenceFor(editor, name);
  const { version } = editor.document;
  await editor.edit((edit) => {
    for (const selection of editor.selections) edit.insert(selection.active, text);
  });
  if (editor.document.version === version) {
    await vscode.env.clipboard.writeText(text);
    void showInformationMessage(t('This file can’t be changed, so “{0}” was copied to the clipboard.', text));
    return;
  }
  await vscode.window.showTextDocument(editor.document, editor.viewColumn);
}

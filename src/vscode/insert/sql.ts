/** Commands that choose, insert, copy and open generated SQL. */
import * as vscode from 'vscode';
import { textIn } from '../../shared/text/checks.ts';
import { t } from '../../shared/text/l10n.ts';
import { generatedSql, type GeneratedSql } from '../../shared/thread/turns.ts';
import { memberReference } from '../../shared/text/memberNames.ts';
import { showDiff } from './diffPreview.ts';
import { currentEditor } from '../host/currentEditor.ts';
import { openAsDocument } from './editors.ts';
import { insertInto, type InsertionServices, type InsertMode } from './insertion.ts';
import type { Command } from '../host/command.ts';
import { setStatusBarMessage, showInformationMessage } from '../host/notify.ts';
import {
  createQuickPick,
  itemButton,
  picked,
  setItems,
  showQuickPick,
  type ItemButton,
  type PickItem,
} from '../host/quickPick.ts';
import type { Services } from '../services.ts';
import { wantedSql } from '../threads/wantedSql.ts';

export type InsertSqlServices = InsertionServices & Services<'repository'>;

/** @param argument `{toolCallId?, threadId?}`; see `wantedSql`. A closed thread is opened first. */
export const insertSql: Command<InsertSqlServices> = async (services, argument) => {
  const threadId = textIn(argument, 'threadId');
  if (threadId !== undefined) await services.repository.open(threadId);
  const sql = wantedSql(services, argument);
  return sql && insertInto(services, sql);
};

/** Like `insertSql`, but replaces the selection. */
export const replaceWithSql: Command<InsertSqlServices> = async (services, argument) => {
  const sql = wantedSql(services, argument);
  return sql && insertInto(services, sql, 'replace');
};

/** Shows the insertion in a diff editor before it is applied. */
export const diffSql: Command<InsertSqlServices> = async (services, argument) => {
  const sql = wantedSql(services, argument);
  return sql && showDiff(services, sql);
};

export const copySql: Command<Services<'sessions'>> = async (services, argument) => {
  const sql = wantedSql(services, argument);
  if (!sql) return;
  await vscode.env.clipboard.writeText(sql.payload.sqlQuery);
  setStatusBarMessage(t('SQL copied'), 2000);
};

export const openSql: Command<Services<'sessions'>> = async (services, argument) => {
  const sql = wantedSql(services, argument);
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

interface SqlPick extends PickItem {
  sql: GeneratedSql;
  buttons: readonly ItemButton[];
}

function pickOf(services: Services<'sessions'>, sql: GeneratedSql): SqlPick {
  const { payload, question, toolCallId } = sql;
  const argument = { toolCallId, threadId: services.sessions.active.thread.id };
  return {
    label: payload.queryTitle || question?.content || t('SQL'),
    description: question?.context?.branch ?? '',
    detail: payload.sqlQuery.replace(/\s+/g, ' ').slice(0, 200),
    sql,
    buttons: [
      itemButton('copy', t('Copy SQL'), () => copySql(services, argument)),
      itemButton('go-to-file', t('Open SQL'), () => openSql(services, argument)),
    ],
  };
}

/** Lists the active thread's queries, newest first. */
async function pickQuery(services: Services<'sessions' | 'guarded'>): Promise<GeneratedSql | undefined> {
  const queries = generatedSql(services.sessions.active.thread).toReversed();
  // `wantedSql` notifies the user that there is no SQL.
  if (queries.length === 0) return wantedSql(services, undefined);
  const pick = createQuickPick<SqlPick>(t('Analytics Chat: Insert SQL'), t('Select a query to preview its insertion'));
  pick.matchOnDetail = true;
  pick.matchOnDescription = true;
  setItems(
    pick,
    queries.map((sql) => pickOf(services, sql)),
  );
  pick.onDidTriggerItemButton(({ item, button }) => {
    pick.hide();
    void services.guarded(() => item.buttons.find((each) => each === button)?.act());
  });
  return (await picked(pick))?.sql;
}

/** Asks whether to keep or replace the selection, if there is one; undefined if the user cancels. */
async function pickMode(): Promise<InsertMode | undefined> {
  const editor = currentEditor();
  if (!editor || editor.selection.isEmpty) return 'insert';
  const insert = { label: t('Keep the selection'), mode: 'insert' as const };
  const replace = { label: t('Replace the selection'), mode: 'replace' as const };
  const choice = await showQuickPick([insert, replace], { title: t('Analytics Chat: Insert SQL') });
  return choice?.mode;
}

/** @param argument `{toolCallId, threadId?}` of a query; if omitted, the user picks one */
export const pickSql: Command<InsertionServices & Services<'guarded'>> = async (services, argument) => {
  const named = textIn(argument, 'toolCallId') !== undefined;
  const sql = named ? wantedSql(services, argument) : await pickQuery(services);
  const mode = sql && (await pickMode());
  return sql && mode && showDiff(services, sql, mode);
};

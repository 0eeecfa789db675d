/** The *Insert SQL…* command: picks one of the thread's queries and previews the insertion. */
import * as vscode from 'vscode';
import { textIn } from '../../shared/text/checks.ts';
import { t } from '../../shared/text/l10n.ts';
import { generatedSql, type GeneratedSql } from '../../shared/thread/turns.ts';
import type { Command } from './command.ts';
import { showDiff } from '../insert/diffPreview.ts';
import { currentEditor } from '../insert/editors.ts';
import type { InsertMode, InsertionServices } from '../insert/insertion.ts';
import {
  createQuickPick,
  itemButton,
  picked,
  setItems,
  showQuickPick,
  type ItemButton,
  type PickItem,
} from '../host/quickPick.ts';
import { wantedSql } from './sql.ts';
import type { Guarded } from '../host/guarded.ts';
import type { Sessions } from '../threads/sessions.ts';

export interface PickSqlServices extends InsertionServices {
  guarded: Guarded;
}

interface SqlPick extends PickItem {
  sql: GeneratedSql;
  buttons: readonly ItemButton[];
}

function pickOf(services: { sessions: Sessions }, sql: GeneratedSql): SqlPick {
  const { payload, question, toolCallId } = sql;
  const argument = { toolCallId, threadId: services.sessions.active.thread.id };
  return {
    label: payload.queryTitle || question?.content || t('SQL'),
    description: question?.context?.branch ?? '',
    detail: payload.sqlQuery.replace(/\s+/g, ' ').slice(0, 200),
    sql,
    buttons: [
      itemButton('copy', t('Copy SQL'), () => vscode.commands.executeCommand('analyticsChat.copySql', argument)),
      itemButton('go-to-file', t('Open SQL'), () => vscode.commands.executeCommand('analyticsChat.openSql', argument)),
    ],
  };
}

/** Lists the active thread's queries, newest first. */
async function pickQuery(services: { sessions: Sessions; guarded: Guarded }): Promise<GeneratedSql | undefined> {
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
export const pickSql: Command<PickSqlServices> = async (services, argument) => {
  const named = textIn(argument, 'toolCallId') !== undefined;
  const sql = named ? wantedSql(services, argument) : await pickQuery(services);
  const mode = sql && (await pickMode());
  return sql && mode && showDiff(services, sql, mode);
};

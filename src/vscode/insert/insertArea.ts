/** Generated SQL in the editor: its commands, and the lens on the SQL that was inserted. */
import * as vscode from 'vscode';
import type { CommandHandlers, IntentHandlers, SlashHandlers } from '../host/area.ts';
import { promptFrom } from '../host/chatView.ts';
import { currentEditor, rememberEditors } from '../host/currentEditor.ts';
import { applyPreview } from '../host/preview.ts';
import { showProvenance } from './provenanceLens.ts';
import * as sql from './sql.ts';
import type { Services } from '../services.ts';

export function registerInsert(services: sql.InsertSqlServices & Services<'guarded'>) {
  return Object.assign(vscode.Disposable.from(rememberEditors(), showProvenance()), {
    commands: {
      'analyticsChat.insertSql': (argument) => sql.insertSql(services, argument),
      'analyticsChat.replaceWithSql': (argument) => sql.replaceWithSql(services, argument),
      'analyticsChat.diffSql': (argument) => sql.diffSql(services, argument),
      'analyticsChat.applyInsertion': applyPreview,
      'analyticsChat.pickSql': (argument) => sql.pickSql(services, argument),
      'analyticsChat.copySql': (argument) => sql.copySql(services, argument),
      'analyticsChat.openSql': (argument) => sql.openSql(services, argument),
    } satisfies CommandHandlers,
    intents: {
      insertSql: (view, { toolCallId }) => {
        services.sessions.activate(view.session);
        const insert = (): unknown => sql.insertSql(services, { threadId: view.session.thread.id, toolCallId });
        // Without an editor, it asks where to insert the SQL.
        return currentEditor() ? insert() : promptFrom(view, insert);
      },
      copySql: ({ session }, { toolCallId }) => sql.copySql(services, { threadId: session.thread.id, toolCallId }),
      openSql: ({ session }, { toolCallId }) => sql.openSql(services, { threadId: session.thread.id, toolCallId }),
      insertMember: (_view, { name }) => sql.insertMember(name),
    } satisfies Partial<IntentHandlers>,
    slash: { sql: (view) => promptFrom(view, () => sql.pickSql(services)) } satisfies Partial<SlashHandlers>,
  });
}

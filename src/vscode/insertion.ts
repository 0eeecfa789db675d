/** Generated SQL into an editor. */
import * as vscode from 'vscode';
import type { GeneratedSql } from '../shared/turns.ts';
import type { App } from './app.ts';

export async function insertInto(_app: App, sql: GeneratedSql): Promise<boolean> {
  const editor = vscode.window.activeTextEditor;
  return (await editor?.edit((edit) => edit.insert(editor.selection.active, sql.payload.sqlQuery))) ?? false;
}

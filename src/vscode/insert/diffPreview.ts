/** Previews an insertion in a diff editor and writes it if the user applies it. */
import * as vscode from 'vscode';
import { t } from '../../shared/text/l10n.ts';
import type { GeneratedSql } from '../../shared/thread/turns.ts';
import { currentEditor } from '../host/currentEditor.ts';
import { chooseEditor } from './editors.ts';
import { offerOtherPlaces, planFor, sqlToInsert, type InsertMode, type InsertionServices } from './insertion.ts';
import { notifyAbout } from './warnings.ts';
import { isApplied } from '../host/preview.ts';
import { rangeInDocument } from '../host/ranges.ts';

/**
 * Shows a diff between the file and the file with the SQL inserted, and writes it if the user applies it.
 * @param mode `insert` keeps the selection, `replace` overwrites it
 * @returns whether the change was written
 * @throws Error if the file was changed during the preview
 */
export async function showDiff(
  services: InsertionServices,
  generated: GeneratedSql,
  mode: InsertMode = 'insert',
): Promise<boolean> {
  const { applyEdits } = await import('../../insert/planner.ts');
  const sql = await sqlToInsert(generated);
  const editor = currentEditor() ?? (await chooseEditor(sql));
  if (!editor) return false;
  const { document } = editor;
  const plan = await planFor(services, editor, generated, sql, mode);
  if (!plan) return false;
  const before = document.getText();
  const title = t('{0}: with the generated SQL', document.uri.path.split('/').at(-1)!);
  const { uri, languageId } = document;
  // The path of a cell is that of its notebook, whose language is JSON.
  const preview = { original: uri, path: uri.path, text: applyEdits(before, plan.edits), languageId };
  if (!(await isApplied(title, [preview]))) return false;
  const shown = await vscode.window.showTextDocument(document);
  // A document that was closed during the preview stays as it was: the file has a new one.
  const current = document.isClosed ? shown.document : document;
  const { version } = current;
  if (current.getText() !== before) throw new Error(t('The file changed after the preview, so nothing was inserted.'));
  const edit = new vscode.WorkspaceEdit();
  for (const each of plan.edits) edit.replace(current.uri, rangeInDocument(current, each), each.text);
  if (!(await vscode.workspace.applyEdit(edit)) || current.version === version) return offerOtherPlaces(sql);
  notifyAbout(plan.warnings);
  return true;
}

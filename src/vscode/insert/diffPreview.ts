/** Previews an insertion in a diff editor and writes it if the user accepts. */
import * as vscode from 'vscode';
import { t } from '../../shared/text/l10n.ts';
import type { GeneratedSql } from '../../shared/thread/turns.ts';
import { chooseEditor, currentEditor } from './editors.ts';
import { offerOtherPlaces, planFor, sqlToInsert, type InsertMode, type InsertionServices } from './insertion.ts';
import { notifyAbout } from './warnings.ts';
import { showInformationMessage } from '../host/notify.ts';
import { rangeInDocument } from '../host/ranges.ts';

const SCHEME = 'analytics-chat-preview';

/**
 * Shows a diff between the file and the file with the SQL inserted, and asks whether to apply it.
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
  const uri = vscode.Uri.from({ scheme: SCHEME, path: document.uri.path, query: crypto.randomUUID() });
  const text = applyEdits(before, plan.edits);
  const provider = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    provideTextDocumentContent: (asked) => (asked.toString() === uri.toString() ? text : undefined),
  });
  const name = vscode.workspace.asRelativePath(document.uri);
  const apply = t('Apply');
  let answer: string | undefined;
  try {
    const title = t('{0}: with the generated SQL', name);
    await vscode.commands.executeCommand('vscode.diff', document.uri, uri, title, { preview: true });
    answer = await showInformationMessage(t('Apply this change to {0}?', name), apply, t('Discard'));
    await closeTabOf(uri);
  } finally {
    provider.dispose();
  }
  if (answer !== apply) return false;
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

async function closeTabOf(uri: vscode.Uri): Promise<void> {
  const shows = ({ input }: vscode.Tab): boolean =>
    input instanceof vscode.TabInputTextDiff && input.modified.toString() === uri.toString();
  await vscode.window.tabGroups.close(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).filter(shows));
}

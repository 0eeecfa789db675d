/** Previews an insertion in a diff editor and writes it if the user applies it. */
import * as vscode from 'vscode';
import { t } from '../../shared/text/l10n.ts';
import type { GeneratedSql } from '../../shared/thread/turns.ts';
import { currentEditor } from '../host/currentEditor.ts';
import { chooseEditor } from './editors.ts';
import { offerOtherPlaces, planFor, sqlToInsert, type InsertMode, type InsertionServices } from './insertion.ts';
import { notifyAbout } from './warnings.ts';
import { rangeInDocument } from '../host/ranges.ts';

/** Also in the manifest, which shows *Apply Insertion* in the title of such editors. */
const SCHEME = 'analytics-chat-preview';

/** Functions that apply the open previews, by their URIs. */
const previews = new Map<string, () => void>();

/** @param argument URI of the preview whose button was pressed; the active one if omitted */
export function applyInsertion(argument: unknown): void {
  const { activeTab } = vscode.window.tabGroups.activeTabGroup;
  const active = activeTab?.input instanceof vscode.TabInputTextDiff ? activeTab.input.modified : undefined;
  const uri = argument instanceof vscode.Uri ? argument : active;
  previews.get(String(uri))?.();
}

/**
 * Shows a diff between the file and the file with the SQL inserted, until the user applies it or closes the tab. A
 * notification would hide its buttons after some seconds, while the user still reads.
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
  const answer = Promise.withResolvers<boolean>();
  previews.set(uri.toString(), () => answer.resolve(true));
  const closing = vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
    if (closed.length > 0 && tabsOf(uri).length === 0) answer.resolve(false);
  });
  try {
    const preview = await vscode.workspace.openTextDocument(uri);
    // The path of a cell is that of its notebook, whose language is JSON.
    if (preview.languageId !== document.languageId)
      await vscode.languages.setTextDocumentLanguage(preview, document.languageId);
    const title = t('{0}: with the generated SQL', vscode.workspace.asRelativePath(fileOf(document)));
    await vscode.commands.executeCommand('vscode.diff', document.uri, uri, title, { preview: false });
    if (!(await answer.promise)) return false;
    await vscode.window.tabGroups.close(tabsOf(uri));
  } finally {
    closing.dispose();
    previews.delete(uri.toString());
    provider.dispose();
  }
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

/** @returns the URI of a document, or of the notebook that contains it */
const fileOf = (document: vscode.TextDocument): vscode.Uri =>
  vscode.workspace.notebookDocuments.find((each) => each.getCells().some((cell) => cell.document === document))?.uri ??
  document.uri;

const tabsOf = (uri: vscode.Uri): vscode.Tab[] =>
  vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ input }) => input instanceof vscode.TabInputTextDiff && input.modified.toString() === uri.toString());

/** Asks for an editor to insert SQL into, and opens SQL in a new one. */
import * as vscode from 'vscode';
import { t } from '../../shared/text/l10n.ts';
import { showQuickPick, type PickItem } from '../host/quickPick.ts';

/** @returns the files of all text tabs */
const hiddenFiles = (): vscode.Uri[] =>
  vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri] : []));

/**
 * Asks where to insert `text` if no editor is visible: an open file, a new SQL file or the clipboard.
 * @returns the editor, or undefined if the text was copied or the user cancels
 */
export async function chooseEditor(text: string): Promise<vscode.TextEditor | undefined> {
  const fresh = { icon: 'new-file', label: t('New SQL file') };
  const copy = { icon: 'copy', label: t('Copy to the clipboard') };
  const files = hiddenFiles().map((uri) => ({
    icon: 'file',
    label: vscode.workspace.asRelativePath(uri),
    description: t('open file'),
    uri,
  }));
  const choice = await showQuickPick<PickItem & { uri?: vscode.Uri }>([...files, fresh, copy], {
    title: t('No editor is open. Where should the SQL go?'),
  });
  if (choice === undefined) return undefined;
  if (choice.uri) return vscode.window.showTextDocument(choice.uri);
  if (choice === fresh)
    return vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: 'sql' }));
  await vscode.env.clipboard.writeText(text);
  return undefined;
}

/** Shows SQL in a new untitled document. */
export async function openAsDocument(content: string, viewColumn = vscode.ViewColumn.Active): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ language: 'sql', content });
  await vscode.window.showTextDocument(document, { viewColumn });
}

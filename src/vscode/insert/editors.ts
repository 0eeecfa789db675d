/** Tracks the text editor to insert into: the last used one, even while a view or another kind of tab has focus. */
import * as vscode from 'vscode';
import { t } from '../../shared/text/l10n.ts';
import { showQuickPick, type PickItem } from '../host/quickPick.ts';

let last: vscode.TextEditor | undefined;

/** Starts tracking the last used editor. */
export function rememberEditors(): vscode.Disposable {
  last = vscode.window.activeTextEditor;
  return vscode.window.onDidChangeActiveTextEditor((editor) => {
    if (editor && isForText(editor)) last = editor;
  });
}

/** Excludes output channels and other documents that VS Code exposes as text editors. A search editor is its own tab. */
const isForText = ({ document }: vscode.TextEditor): boolean =>
  !['output', 'debug', 'comment', 'vscode-scm', 'search-editor'].includes(document.uri.scheme);

/** @returns the active editor, otherwise the last used one if visible, otherwise any visible one */
export function currentEditor(): vscode.TextEditor | undefined {
  const { activeTextEditor, visibleTextEditors } = vscode.window;
  if (activeTextEditor && isForText(activeTextEditor)) return activeTextEditor;
  if (last && visibleTextEditors.includes(last)) return last;
  const sameDocument = visibleTextEditors.find(({ document }) => document === last?.document);
  return sameDocument ?? visibleTextEditors.find(isForText);
}

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

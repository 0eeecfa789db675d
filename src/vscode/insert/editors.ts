/** The editor that text goes into: the one last used, even while the focus is in a view or a tab that is no editor. */
import * as vscode from 'vscode';
import { t } from '../../shared/text/l10n.ts';
import { showQuickPick, type PickItem } from '../host/quickPick.ts';

let last: vscode.TextEditor | undefined;

/** Remembers which editor was used last. */
export function rememberEditors(): vscode.Disposable {
  last = vscode.window.activeTextEditor;
  return vscode.window.onDidChangeActiveTextEditor((editor) => {
    if (editor && isForText(editor)) last = editor;
  });
}

/** Output channels and such are editors too. */
const isForText = ({ document }: vscode.TextEditor): boolean =>
  !['output', 'debug', 'comment', 'vscode-scm'].includes(document.uri.scheme);

/** @returns the editor that is active or was last, as long as it can still be seen */
export function currentEditor(): vscode.TextEditor | undefined {
  const { activeTextEditor, visibleTextEditors } = vscode.window;
  if (activeTextEditor && isForText(activeTextEditor)) return activeTextEditor;
  if (last && visibleTextEditors.includes(last)) return last;
  const sameDocument = visibleTextEditors.find(({ document }) => document === last?.document);
  return sameDocument ?? visibleTextEditors.find(isForText);
}

/** A tab whose file can be edited, behind others at the moment. */
const hiddenFiles = (): vscode.Uri[] =>
  vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri] : []));

/** What to do without an editor; undefined when the user leaves it. */
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

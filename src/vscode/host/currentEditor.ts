/** Tracks the text editor to insert into: the last used one, even while a view or another kind of tab has focus. */
import * as vscode from 'vscode';

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

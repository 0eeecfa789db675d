/** Asks where to save files, writes text to them, finds and watches them. */
import * as vscode from 'vscode';
import { oneLine, withoutTrailing } from '../../shared/text/lines.ts';

/**
 * Asks where to save a file.
 * @param filters endings by their labels
 * @param name proposed name of the file; its ending is the first of `filters`
 */
export function askWhereToSave(
  title: string,
  filters: Readonly<Record<string, string[]>>,
  name: string,
): Thenable<vscode.Uri | undefined> {
  const [[ending = ''] = []] = Object.values(filters);
  return vscode.window.showSaveDialog({ title, filters: { ...filters }, defaultUri: proposedFile(name, ending) });
}

/**
 * @param title converted to a file name that is valid on all platforms
 * @param ending file extension without the dot
 * @returns a URI in the first workspace folder; undefined without a workspace
 */
function proposedFile(title: string, ending: string): vscode.Uri | undefined {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const words = oneLine(title.replace(/[\p{Cc}\p{Cf}<>:"/\\|?*]+/gu, ' '))
    .slice(0, 80)
    .replace(/^\.+/, '');
  const name = withoutTrailing(words, '. ');
  return folder && vscode.Uri.joinPath(folder, `${name || 'results'}.${ending}`);
}

/** Writes a file, and creates its folders if they do not exist. */
export const writeText = (file: vscode.Uri, text: string): Thenable<void> =>
  vscode.workspace.fs.writeFile(file, new TextEncoder().encode(text));

/** @returns whether there is a file or folder */
export const exists = (uri: vscode.Uri): Promise<boolean> =>
  Promise.resolve(vscode.workspace.fs.stat(uri)).then(
    () => true,
    () => false,
  );

/** Calls `onChange` with each file that matches the pattern after it was created, changed or deleted. */
export function watchFiles(pattern: vscode.GlobPattern, onChange: (uri: vscode.Uri) => void): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher(pattern);
  watcher.onDidCreate(onChange);
  watcher.onDidChange(onChange);
  watcher.onDidDelete(onChange);
  return watcher;
}

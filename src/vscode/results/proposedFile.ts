/** Names for files that the user is asked where to save. */
import * as vscode from 'vscode';
import { withoutTrailing } from '../../shared/text/trim.ts';

/** @returns a place in the first folder of the workspace, where there is one, with a name that every file system takes */
export function proposedFile(title: string, ending: string): vscode.Uri | undefined {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const words = title
    .replace(/[\p{Cc}\p{Cf}<>:"/\\|?*]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 80)
    .replace(/^\.+/, '');
  const name = withoutTrailing(words, '. ');
  return folder && vscode.Uri.joinPath(folder, `${name || 'results'}.${ending}`);
}

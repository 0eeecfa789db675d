/** Default URIs for save dialogs. */
import * as vscode from 'vscode';
import { withoutTrailing } from '../../shared/text/trim.ts';

/**
 * @param title converted to a file name that is valid on all platforms
 * @param ending file extension without the dot
 * @returns a URI in the first workspace folder; undefined without a workspace
 */
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

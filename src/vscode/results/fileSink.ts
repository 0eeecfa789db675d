/** Where and how files are saved: a default URI, and a stream to the local disk or a buffer for other file systems. */
import * as vscode from 'vscode';
import { hasNode } from '../host/settings.ts';
import { withoutTrailing } from '../../shared/text/lines.ts';
import { diskSink, type FileSink } from './writeRows.ts';

export function fileSink(target: vscode.Uri): Promise<FileSink> {
  return hasNode() && target.scheme === 'file' ? diskSink(target.fsPath) : Promise.resolve(wholeSink(target));
}

/** Buffers the file, because `vscode.workspace.fs` can only write whole files. */
function wholeSink(target: vscode.Uri): FileSink {
  const parts: Uint8Array[] = [];
  const encoder = new TextEncoder();
  return {
    write: async (text) => void parts.push(encoder.encode(text)),
    commit: async () => {
      await vscode.workspace.fs.writeFile(target, new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer()));
    },
    discard: async () => void parts.splice(0),
  };
}

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
  const words = title
    .replace(/[\p{Cc}\p{Cf}<>:"/\\|?*]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 80)
    .replace(/^\.+/, '');
  const name = withoutTrailing(words, '. ');
  return folder && vscode.Uri.joinPath(folder, `${name || 'results'}.${ending}`);
}

/** Where long files go: onto the disk piece by piece, elsewhere as a whole. */
import * as vscode from 'vscode';
import { hasNode } from './hasNode.ts';
import { diskSink, type FileSink } from '../results/diskSink.ts';

export function fileSink(target: vscode.Uri): Promise<FileSink> {
  return hasNode() && target.scheme === 'file' ? diskSink(target.fsPath) : Promise.resolve(wholeSink(target));
}

/** Where there is no disk, the editor's file system takes a file only as a whole. */
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

/** Writes a file as a stream to the local disk, or through a buffer to other file systems. */
import * as vscode from 'vscode';
import { hasNode } from '../host/settings.ts';
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

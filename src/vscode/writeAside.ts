/** Writes long files piece by piece, beside their place, so that one that is given up leaves nothing behind. */
import * as vscode from 'vscode';

/** Takes text; `commit` puts the file in its place, `discard` removes what was written. */
export interface FileSink {
  write(text: string): Promise<void>;
  commit(): Promise<void>;
  discard(): Promise<void>;
}

const hasNode = (): boolean =>
  (globalThis as { process?: { versions?: { node?: string } } }).process?.versions?.node !== undefined;

export function fileSink(target: vscode.Uri): Promise<FileSink> {
  return hasNode() && target.scheme === 'file' ? diskSink(target.fsPath) : Promise.resolve(wholeSink(target));
}

async function diskSink(path: string): Promise<FileSink> {
  const fs = await import('node:fs/promises');
  const aside = `${path}.${crypto.randomUUID().slice(0, 8)}.part`;
  const file = await fs.open(aside, 'wx');
  return {
    write: async (text) => void (await file.write(text)),
    commit: async () => {
      await file.close();
      await fs.rename(aside, path);
    },
    discard: async () => {
      await file.close();
      await fs.rm(aside, { force: true });
    },
  };
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

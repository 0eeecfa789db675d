/**
 * Implements `HistoryFiles` in browsers, with `vscode.workspace.fs`. There a write first empties the file, and a rename
 * first deletes its target. So a new version is first written to a temporary file, which is read while the file is not
 * complete.
 */
import { isComplete } from '../threadFile.ts';
import { HistoryError, historyError, ifFound, retried } from './errors.ts';
import { TEMPORARY, type FileInfo, type HistoryFiles, type Release } from './files.ts';

/** The part of `vscode.workspace.fs` that is used; `U` is `vscode.Uri`. */
export interface EditorFileSystem<U> {
  readFile(uri: U): PromiseLike<Uint8Array>;
  writeFile(uri: U, content: Uint8Array): PromiseLike<void>;
  readDirectory(uri: U): PromiseLike<[string, number][]>;
  delete(uri: U): PromiseLike<void>;
  createDirectory(uri: U): PromiseLike<void>;
  stat(uri: U): PromiseLike<{ size: number; mtime: number }>;
}

/**
 * @param fs `vscode.workspace.fs`
 * @param folder a folder that contains nothing but the history
 * @param join `vscode.Uri.joinPath`
 */
export function browserFiles<U>(
  fs: EditorFileSystem<U>,
  folder: U,
  join: (folder: U, name: string) => U,
): HistoryFiles {
  const uri = (name: string): U => join(folder, name);
  const temporary = (name: string): U => uri(name + TEMPORARY);
  const infoOf = (name: string, from: U): Promise<FileInfo | undefined> =>
    ifFound(async () => {
      const { size, mtime } = await fs.stat(from);
      return { name, size, mtime };
    });

  const files: HistoryFiles = {
    stat: async (name) => (await infoOf(name, uri(name))) ?? infoOf(name, temporary(name)),
    async read(name, length) {
      let bytes: Uint8Array | undefined;
      // The file is read again in case that another tab has completed it and removed the temporary file meanwhile.
      for (const from of [uri, temporary, uri]) {
        bytes = (await ifFound(() => fs.readFile(from(name)))) ?? bytes;
        if (bytes && isComplete(bytes)) break;
      }
      if (bytes === undefined) throw new HistoryError('notFound');
      return bytes.subarray(0, length);
    },
    async replace(name, parts) {
      const all: Uint8Array[] = [];
      for await (const part of parts) all.push(part);
      const bytes = new Uint8Array(await new Blob(all as BlobPart[]).arrayBuffer());
      for (const to of [temporary, uri]) await retried(() => fs.writeFile(to(name), bytes));
      await ifFound(() => fs.delete(temporary(name)));
      return (await infoOf(name, uri(name))) ?? Promise.reject(new HistoryError('notFound'));
    },
    async list() {
      const entries = (await ifFound(() => fs.readDirectory(folder))) ?? [];
      const names = entries.map(([name]) => (name.endsWith(TEMPORARY) ? name.slice(0, -TEMPORARY.length) : name));
      const infos = await Promise.all([...new Set(names)].map(files.stat));
      return infos.filter((info) => info !== undefined);
    },
    async rename(from, to) {
      if ((await files.stat(from)) === undefined) return false;
      await files.replace(to, [await files.read(from)]);
      await files.remove(from);
      return true;
    },
    async remove(name) {
      for (const each of [temporary, uri]) await ifFound(() => fs.delete(each(name)));
    },
    async lock(name, wait) {
      await retried(() => fs.createDirectory(folder));
      return webLock(`${String(folder)}/${name}`, wait);
    },
  };
  return files;
}

/** Web Locks work across tabs and are released when a tab closes. */
const webLock = (name: string, wait: boolean): Promise<Release | undefined> =>
  new Promise((resolve, reject) => {
    navigator.locks
      .request(name, { ifAvailable: !wait }, (lock) => {
        if (lock === null) return resolve(undefined);
        return new Promise<void>((free) => resolve(async () => free()));
      })
      .catch((failure: unknown) => reject(historyError(failure)));
  });

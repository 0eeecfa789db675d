/**
 * Implements `HistoryFiles` in browsers, with `vscode.workspace.fs`. There a write first empties the file, and a rename
 * first deletes its target, so a new version is written to a temporary file and then renamed. If that rename is
 * interrupted, the complete temporary file is recovered.
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
  rename(source: U, target: U, options: { overwrite: boolean }): PromiseLike<void>;
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
  const bare = (name: string): Promise<FileInfo | undefined> =>
    ifFound(async () => {
      const { size, mtime } = await fs.stat(uri(name));
      return { name, size, mtime };
    });

  /** Restores a missing file from its temporary file, if that is a complete thread. */
  const recover = async (name: string): Promise<void> => {
    const left = await ifFound(() => fs.readFile(temporary(name)));
    if (left === undefined || !isComplete(left)) return;
    try {
      await ifFound(() => fs.rename(temporary(name), uri(name), { overwrite: false }));
    } catch (failure) {
      if ((await bare(name)) === undefined) throw failure;
    }
  };

  const stat = async (name: string): Promise<FileInfo | undefined> => {
    const info = await bare(name);
    if (info) return info;
    await recover(name);
    // Also if nothing was restored: another tab may have been in the middle of its rename.
    return bare(name);
  };

  return {
    stat,
    async read(name, length) {
      const bytes = await ifFound(() => fs.readFile(uri(name)));
      if (bytes === undefined) await recover(name);
      return (bytes ?? (await retried(async () => fs.readFile(uri(name))))).subarray(0, length);
    },
    async replace(name, bytes) {
      await retried(async () => fs.writeFile(temporary(name), bytes));
      // Another tab may have restored the file from this temporary one in the middle of the rename.
      await ifFound(() => fs.rename(temporary(name), uri(name), { overwrite: true }));
      return (await bare(name)) ?? Promise.reject(new HistoryError('notFound'));
    },
    async list() {
      const names = ((await ifFound(() => fs.readDirectory(folder))) ?? []).map(([name]) => name);
      const hidden = names.flatMap((name) => (name.endsWith(TEMPORARY) ? [name.slice(0, -TEMPORARY.length)] : []));
      const infos = await Promise.all([...new Set([...names, ...hidden])].map(stat));
      return infos.filter((info) => info !== undefined);
    },
    async rename(from, to) {
      if ((await stat(from)) === undefined) return false;
      // A leftover temporary file would be recovered in its place.
      await ifFound(() => fs.delete(temporary(from)));
      await retried(async () => fs.rename(uri(from), uri(to), { overwrite: true }));
      return true;
    },
    async remove(name) {
      // Delete the temporary file first, or it would be recovered.
      await ifFound(() => fs.delete(temporary(name)));
      await ifFound(() => fs.delete(uri(name)));
    },
    async lock(name, wait) {
      await retried(async () => fs.createDirectory(folder));
      return webLock(`${String(folder)}/${name}`, wait);
    },
  };
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

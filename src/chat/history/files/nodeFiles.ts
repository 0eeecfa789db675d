/**
 * Implements `HistoryFiles` with Node's file system, on desktops and remote machines. Only this module and its locks
 * use Node.
 */
import type { Stats } from 'node:fs';
import { historyError, ifFound, retried } from './errors.ts';
import { slices, TEMPORARY, type FileInfo, type HistoryFiles } from './files.ts';
import { nodeLocks } from './nodeLock.ts';

/** Threads are private: only the owner may read and write them. */
const MODE = 0o600;

/**
 * @param folder path of a folder that contains nothing but the history; created at the first lock
 * @returns the files of the folder
 */
export async function nodeFiles(folder: string): Promise<HistoryFiles> {
  const [node, { join }, os] = await Promise.all([import('node:fs'), import('node:path'), import('node:os')]);
  const fs = node.promises;
  const lock = nodeLocks(fs, os.hostname());
  const path = (name: string): string => join(folder, name);
  const infoOf = (name: string, { size, mtimeMs }: Stats): FileInfo => ({ name, size, mtime: mtimeMs });
  let count = 0;

  return {
    // Synchronous, in slices: for thousands of small files, asynchronous calls cost several times as much.
    async list() {
      const infos: FileInfo[] = [];
      const pause = slices();
      for (const name of (await ifFound(() => fs.readdir(folder))) ?? []) {
        await pause();
        const info = await ifFound(async () => infoOf(name, node.statSync(path(name))));
        if (info) infos.push(info);
      }
      return infos;
    },
    stat: (name) => ifFound(async () => infoOf(name, await fs.stat(path(name)))),
    read: (name, length) =>
      retried(async () => {
        if (length === undefined) return fs.readFile(path(name));
        const file = node.openSync(path(name), 'r');
        try {
          const bytes = Buffer.allocUnsafe(length);
          return bytes.subarray(0, node.readSync(file, bytes, 0, length, 0));
        } finally {
          node.closeSync(file);
        }
      }),
    // `write-file-atomic` and `atomically` don't notice that a full disk has taken only a part of the bytes.
    async replace(name, parts) {
      const temporary = path(`${name}.${process.pid}.${(count += 1)}${TEMPORARY}`);
      try {
        const handle = await fs.open(temporary, 'wx', MODE);
        try {
          await handle.writeFile(parts);
          await handle.sync();
        } finally {
          await handle.close();
        }
        await retried(() => fs.rename(temporary, path(name)));
      } catch (failure) {
        await fs.rm(temporary).catch(() => undefined);
        throw historyError(failure);
      }
      return retried(async () => infoOf(name, await fs.stat(path(name))));
    },
    rename: async (from, to) =>
      (await ifFound(() => retried(() => fs.rename(path(from), path(to)).then(() => true)))) ?? false,
    remove: (name) => retried(() => fs.rm(path(name), { force: true })),
    async lock(name, wait) {
      await retried(() => fs.mkdir(folder, { recursive: true }));
      return lock(path(name), wait);
    },
  };
}

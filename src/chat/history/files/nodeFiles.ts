/**
 * Implements `HistoryFiles` with Node's file system, on desktops and remote machines. Only this module and its locks
 * use Node.
 */
import { historyError, ifFound, retried } from './errors.ts';
import { TEMPORARY, totalLength, type FileInfo, type HistoryFiles } from './files.ts';
import { nodeLocks } from './nodeLock.ts';

const CHUNK = 4 * 1024 * 1024;
/** Threads are private: only the owner may read and write them. */
const MODE = 0o600;

/**
 * @param folder path of a folder that contains nothing but the history; created at the first lock
 * @returns the files of the folder; writes are durable when their promise resolves, and files are replaced atomically
 */
export async function nodeFiles(folder: string): Promise<HistoryFiles> {
  const [fs, { join }, os] = await Promise.all([import('node:fs/promises'), import('node:path'), import('node:os')]);
  const lock = nodeLocks(fs, os.hostname());
  const path = (name: string): string => join(folder, name);
  let count = 0;

  const infoOf = async (name: string): Promise<FileInfo> => {
    const { size, mtimeMs } = await fs.stat(path(name));
    return { name, size, mtime: mtimeMs };
  };

  const stat = (name: string): Promise<FileInfo | undefined> => ifFound(() => infoOf(name));

  /**
   * Makes a rename durable. Errors are ignored: not every system supports this, and consistency does not depend on it.
   */
  const syncFolder = async (): Promise<void> => {
    const handle = await fs.open(folder, 'r').catch(() => undefined);
    await handle?.sync().catch(() => undefined);
    await handle?.close();
  };

  /** Runs `work` with the path of a temporary file, then renames that file to `name`. */
  const aside = async (name: string, work: (temporary: string) => Promise<void>): Promise<void> => {
    const temporary = path(`${name}.${process.pid}.${(count += 1)}${TEMPORARY}`);
    try {
      await work(temporary);
      await retried(() => fs.rename(temporary, path(name)));
    } catch (failure) {
      await fs.rm(temporary).catch(() => undefined);
      throw historyError(failure);
    }
    await syncFolder();
  };

  return {
    stat,
    async list() {
      const names = (await ifFound(() => fs.readdir(folder))) ?? [];
      const infos = await Promise.all(names.map(stat));
      return infos.filter((info) => info !== undefined);
    },
    async *read(name, from = 0) {
      const handle = await retried(() => fs.open(path(name), 'r'));
      try {
        const { size } = await handle.stat();
        for (let at = from; at < size;) {
          const chunk = new Uint8Array(Math.min(CHUNK, size - at));
          const { bytesRead } = await handle.read(chunk, 0, chunk.length, at);
          if (bytesRead === 0) return;
          yield chunk.subarray(0, bytesRead);
          at += bytesRead;
        }
      } catch (failure) {
        throw historyError(failure);
      } finally {
        await handle.close();
      }
    },
    async append(name, bytes) {
      const handle = await retried(() => fs.open(path(name), 'a', MODE));
      try {
        const { size } = await handle.stat();
        try {
          await handle.writeFile(bytes);
          await handle.datasync();
        } catch (failure) {
          await handle.truncate(size).catch(() => undefined);
          throw failure;
        }
        const { size: now, mtimeMs } = await handle.stat();
        return { name, size: now, mtime: mtimeMs };
      } catch (failure) {
        throw historyError(failure);
      } finally {
        await handle.close();
      }
    },
    async replace(name, parts) {
      await aside(name, async (temporary) => {
        const handle = await fs.open(temporary, 'wx', MODE);
        try {
          const { bytesWritten } = await handle.writev(parts as Uint8Array[]);
          // On a full disk a partial write is not reported as an error.
          if (bytesWritten !== totalLength(parts)) throw historyError({ code: 'ENOSPC' });
          await handle.sync();
        } finally {
          await handle.close();
        }
      });
      return retried(() => infoOf(name));
    },
    copy: (from, to) => aside(to, (temporary) => fs.copyFile(path(from), temporary)),
    async rename(from, to) {
      const isRenamed = await ifFound(async () => {
        await retried(() => fs.rename(path(from), path(to)));
        await syncFolder();
        return true;
      });
      return isRenamed ?? false;
    },
    async remove(name) {
      await retried(() => fs.rm(path(name), { force: true }));
    },
    async lock(name, wait) {
      await retried(() => fs.mkdir(folder, { recursive: true }));
      return lock(path(name), wait);
    },
  };
}

/** Lists threads by the first lines of their files, and selects those to delete. */
import { historyError, isNotFound } from './files/errors.ts';
import { isSameFile, slices, threadOf, type FileInfo, type HistoryFiles } from './files/files.ts';
import type { StoredMeta } from './storedThread.ts';

export interface Listed {
  meta: StoredMeta;
  file: FileInfo;
}

/**
 * @param metaOf reads the metadata of a thread; `undefined` if nothing in its file is readable
 * @param known the last result; files that have not changed since are not read again
 * @returns all threads by id, unordered
 */
export async function listThreads(
  files: HistoryFiles,
  metaOf: (id: string) => Promise<StoredMeta | undefined>,
  known: ReadonlyMap<string, Listed>,
): Promise<Map<string, Listed>> {
  const listed = new Map<string, Listed>();
  const pause = slices();
  for (const file of await files.list()) {
    const id = threadOf(file.name);
    if (id === undefined) continue;
    await pause();
    const before = known.get(id);
    const isRead = before !== undefined && isSameFile(file, before.file);
    const meta = isRead ? before.meta : await metaOf(id).catch((failure) => unreadable(id, file, failure));
    if (meta) listed.set(id, { meta, file });
  }
  return listed;
}

/** An unreadable thread is listed with the error as its title, so that the user can delete it or find the cause. */
function unreadable(id: string, { mtime }: FileInfo, failure: unknown): StoredMeta | undefined {
  if (isNotFound(failure)) return undefined;
  const title = historyError(failure).message;
  return { id, title, pinned: false, createdAt: mtime, updatedAt: mtime, origin: '', questions: 0 };
}

/** Limits of the history; pinned threads are always kept. */
export interface Limits {
  threads: number;
  /** Total bytes of all thread files. */
  bytes: number;
}

/**
 * @param inUse whether a thread is open and must be kept
 * @returns the threads to delete, the oldest ones
 */
export function beyond(threads: readonly Listed[], limits: Limits, inUse: (threadId: string) => boolean): StoredMeta[] {
  let [count, bytes] = [0, 0];
  return threads
    .toSorted((a, b) => inListOrder(a.meta, b.meta))
    .flatMap(({ meta, file: { size } }) => {
      const isWithin = count < limits.threads && bytes + size <= limits.bytes;
      if (!meta.pinned && !inUse(meta.id) && !isWithin) return [meta];
      [count, bytes] = [count + 1, bytes + size];
      return [];
    });
}

/** Compares threads by their order in the list: pinned first, then by last change. */
export const inListOrder = (a: StoredMeta, b: StoredMeta): number =>
  Number(b.pinned) - Number(a.pinned) || b.updatedAt - a.updatedAt || (a.id < b.id ? -1 : 1);

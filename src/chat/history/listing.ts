/** Lists threads by the first lines of their files. */
import { historyError } from './files/errors.ts';
import { isSameFile, slices, threadOf, type FileInfo, type HistoryFiles } from './files/files.ts';
import type { StoredMeta } from './storedThread.ts';

export interface Listed {
  meta: StoredMeta;
  file: FileInfo;
}

/**
 * @param metaOf reads the metadata of a thread
 * @param known the last result; files that have not changed since are not read again
 * @returns all threads, in the order of the list: pinned first, then by last change
 */
export async function listThreads(
  files: HistoryFiles,
  metaOf: (id: string) => Promise<StoredMeta>,
  known: readonly Listed[],
): Promise<Listed[]> {
  const knownById = new Map(known.map((listed) => [listed.meta.id, listed]));
  const listed: Listed[] = [];
  const pause = slices();
  for (const file of await files.list()) {
    const id = threadOf(file.name);
    if (id === undefined) continue;
    await pause();
    const before = knownById.get(id);
    const isRead = before !== undefined && isSameFile(file, before.file);
    const meta = isRead ? before.meta : await metaOf(id).catch((failure) => unreadable(id, file, failure));
    if (meta) listed.push({ meta, file });
  }
  return listed.sort(
    ({ meta: a }, { meta: b }) =>
      Number(b.pinned) - Number(a.pinned) || b.updatedAt - a.updatedAt || (a.id < b.id ? -1 : 1),
  );
}

/**
 * A thread that can't be read is listed with the error as its title, so that the user can delete it or find the cause.
 * Files without anything readable are set aside.
 */
function unreadable(id: string, { mtime }: FileInfo, failure: unknown): StoredMeta | undefined {
  const { kind, message: title } = historyError(failure);
  if (kind === 'notFound' || kind === 'damaged') return undefined;
  return { id, title, pinned: false, createdAt: mtime, updatedAt: mtime, origin: '', questions: 0 };
}

/** Lists threads by the first lines of their files, and selects those to delete. */
import { historyError, isNotFound } from './files/errors.ts';
import { isSameFile, slices, threadOf, type FileInfo, type HistoryFiles } from './files/files.ts';
import type { StoredMeta } from './storedThread.ts';

export interface Listed {
  meta: StoredMeta;
  file: FileInfo;
}

/** Number of files to read concurrently. */
const AT_ONCE = 16;

export class Listing {
  readonly #files: HistoryFiles;
  readonly #metaOf: (id: string) => Promise<StoredMeta | undefined>;
  /** What was read last, by thread id. */
  #known = new Map<string, Listed>();

  /** @param metaOf reads the metadata of a thread; `undefined` if nothing in its file is readable */
  constructor(files: HistoryFiles, metaOf: (id: string) => Promise<StoredMeta | undefined>) {
    this.#files = files;
    this.#metaOf = metaOf;
  }

  /** @returns the metadata of every thread, unordered; files that have not changed are not read again */
  async read(): Promise<Listed[]> {
    const files = await this.#files.list();
    const fresh = new Map<string, Listed>();
    const pause = slices();
    const readNext = async (): Promise<void> => {
      for (let file = files.pop(); file; file = files.pop()) {
        const id = threadOf(file.name);
        if (id === undefined) continue;
        await pause();
        const known = this.#known.get(id);
        const meta = known && isSameFile(file, known.file) ? known.meta : await this.#readMeta(id, file);
        if (meta) fresh.set(id, { meta, file });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, readNext));
    this.#known = fresh;
    return [...fresh.values()];
  }

  /**
   * An unreadable thread is listed too, with the error as its title, so that the user can delete it or find the cause.
   */
  async #readMeta(id: string, { mtime }: FileInfo): Promise<StoredMeta | undefined> {
    try {
      return await this.#metaOf(id);
    } catch (failure) {
      if (isNotFound(failure)) return undefined;
      const title = historyError(failure).message;
      return { id, title, pinned: false, createdAt: mtime, updatedAt: mtime, origin: '', questions: 0 };
    }
  }
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

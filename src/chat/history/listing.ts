/**
 * Lists threads, and selects those to delete. An index file caches the head of every thread file with its size and
 * modification time; an entry that does not match its file is ignored, and the file is read instead.
 */
import { historyError, isNotFound } from './files/errors.ts';
import {
  allBytes,
  DAMAGED,
  DELETED,
  INDEX,
  TEMPORARY,
  threadOf,
  type FileInfo,
  type HistoryFiles,
} from './files/files.ts';
import { encodeRecord, isMeta, type StoredMeta } from './format/records.ts';

type Entry = readonly [size: number, mtime: number, meta: StoredMeta];

/** Number of files without an index entry to read concurrently. */
const AT_ONCE = 16;
/** Minimum milliseconds between two writes of the index; missing entries only cost another read. */
const SELDOM = 10_000;

export class Listing {
  readonly #files: HistoryFiles;
  readonly #metaOf: (id: string, file: FileInfo) => Promise<StoredMeta | undefined>;
  #entries: Map<string, Entry> | undefined;
  #written = -Infinity;

  /** @param metaOf reads the metadata of a file; `undefined` if nothing in it is readable */
  constructor(files: HistoryFiles, metaOf: (id: string, file: FileInfo) => Promise<StoredMeta | undefined>) {
    this.#files = files;
    this.#metaOf = metaOf;
  }

  /** @returns the metadata of every thread, unordered, with the size of its file in bytes */
  async read(): Promise<{ meta: StoredMeta; size: number }[]> {
    const known = (this.#entries ??= await this.#readIndex());
    const files = (await this.#files.list()).flatMap((file) => {
      const id = threadOf(file.name);
      return id === undefined ? [] : [{ id, file }];
    });
    const fresh = new Map<string, Entry>();
    const unknown: { id: string; file: FileInfo }[] = [];
    for (const { id, file } of files) {
      const entry = known.get(id);
      if (entry?.[0] === file.size && entry[1] === file.mtime) fresh.set(id, entry);
      else unknown.push({ id, file });
    }
    const changed = unknown.length > 0 || fresh.size !== known.size;
    const readNext = async (): Promise<void> => {
      for (let next = unknown.pop(); next; next = unknown.pop()) {
        const meta = await this.#readMeta(next.id, next.file);
        if (meta) fresh.set(next.id, [next.file.size, next.file.mtime, { ...meta, id: next.id }]);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, readNext));
    this.#entries = fresh;
    if (changed) await this.#writeIndex([...fresh.values()]);
    return [...fresh.values()].map(([size, , meta]) => ({ meta, size }));
  }

  /**
   * An unreadable thread is listed too, with the error as its title, so that the user can delete it or find the cause.
   */
  async #readMeta(id: string, file: FileInfo): Promise<StoredMeta | undefined> {
    try {
      return await this.#metaOf(id, file);
    } catch (failure) {
      if (isNotFound(failure)) return undefined;
      const title = historyError(failure).message;
      return { id, title, pinned: false, createdAt: file.mtime, updatedAt: file.mtime, origin: '', questions: 0 };
    }
  }

  async #readIndex(): Promise<Map<string, Entry>> {
    const entries = new Map<string, Entry>();
    try {
      const text = new TextDecoder().decode(await allBytes(this.#files.read(INDEX)));
      const { threads } = JSON.parse(text) as { threads: readonly unknown[] };
      for (const entry of threads) if (isEntry(entry)) entries.set(entry[2].id, entry);
    } catch {
      // Ignore errors: without a readable index, the thread files are read.
    }
    return entries;
  }

  async #writeIndex(threads: readonly Entry[]): Promise<void> {
    if (performance.now() - this.#written < SELDOM) return;
    this.#written = performance.now();
    // Ignore errors: without an index the list is only slower.
    await this.#files.replace(INDEX, [encodeRecord({ threads })]).catch(() => undefined);
  }
}

/** Size and time are compared with those of the file, so they need no check. */
const isEntry = (value: unknown): value is Entry => Array.isArray(value) && isMeta(value[2]);

/** Limits of the history; pinned threads are always kept. */
export interface Limits {
  threads: number;
  /** Total bytes of all thread files. */
  bytes: number;
}

const HOUR = 60 * 60_000;
/** Milliseconds during which a deletion can be undone. */
const UNDO = 24 * HOUR;

/**
 * @param threads all threads, with the sizes of their files in bytes
 * @param inUse whether a thread is open and must be kept
 * @returns the threads to delete, the oldest ones
 */
export function beyond(
  threads: readonly { meta: StoredMeta; size: number }[],
  limits: Limits,
  inUse: (threadId: string) => boolean,
): StoredMeta[] {
  const order = threads.toSorted((a, b) => inListOrder(a.meta, b.meta));
  let count = 0;
  let bytes = 0;
  return order.flatMap(({ meta, size }) => {
    count += 1;
    bytes += size;
    if (meta.pinned || inUse(meta.id) || (count <= limits.threads && bytes <= limits.bytes)) return [];
    count -= 1;
    bytes -= size;
    return [meta];
  });
}

/** Compares threads by their order in the list: pinned first, then by last change. */
export const inListOrder = (a: StoredMeta, b: StoredMeta): number =>
  Number(b.pinned) - Number(a.pinned) || b.updatedAt - a.updatedAt || (a.id < b.id ? -1 : 1);

/** @returns the file name of a deleted thread while the deletion can be undone */
export const deletedName = (threadId: string, now: number): string => `${threadId}.${now}${DELETED}`;

/** @returns whether a file is obsolete: an expired deletion, or a leftover of a killed process */
export function isLeftover({ name, mtime }: FileInfo, now: number): boolean {
  if (name.endsWith(DELETED)) return now - Number(name.split('.').at(-2)) > UNDO;
  return /\.(tmp|lock|guard)$/.test(name) && now - mtime > HOUR;
}

/** @returns whether a file belongs to the history, lock files excluded */
export const isOurs = ({ name }: FileInfo): boolean =>
  name === INDEX || threadOf(name) !== undefined || [DELETED, DAMAGED, TEMPORARY].some((end) => name.endsWith(end));

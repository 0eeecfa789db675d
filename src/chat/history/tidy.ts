/** Selects the threads and leftover files to delete. */
import { DAMAGED, DELETED, INDEX, TEMPORARY, threadOf, type FileInfo } from './files/files.ts';
import type { StoredMeta } from './format/records.ts';

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
  const order = threads.toSorted(
    (a, b) => Number(b.meta.pinned) - Number(a.meta.pinned) || b.meta.updatedAt - a.meta.updatedAt,
  );
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

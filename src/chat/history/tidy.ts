/** Which threads and which leftovers the history lets go of. */
import { DAMAGED, DELETED, INDEX, TEMPORARY, threadOf, type FileInfo } from './files.ts';
import type { StoredMeta } from './records.ts';

/** How much is kept; pinned threads are kept whatever there is. */
export interface Limits {
  threads: number;
  /** Bytes of all threads' files together. */
  bytes: number;
}

const HOUR = 60 * 60_000;
/** For so long a deleted thread can be had back. */
const UNDO = 24 * HOUR;

/**
 * @param threads all threads, with the sizes of their files
 * @param inUse whether a thread is open, and so not to be touched
 * @returns those to let go of, the oldest ones
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

/** @returns the name under which a deleted thread waits to be had back or forgotten */
export const deletedName = (threadId: string, now: number): string => `${threadId}.${now}${DELETED}`;

/** @returns whether nobody can need a file any more: a deletion long done, or what a killed process left */
export function isLeftover({ name, mtime }: FileInfo, now: number): boolean {
  if (name.endsWith(DELETED)) return now - Number(name.split('.').at(-2)) > UNDO;
  return /\.(tmp|lock|guard)$/.test(name) && now - mtime > HOUR;
}

/** @returns whether a file is one of the history's own, apart from the locks that are being held */
export const isOurs = ({ name }: FileInfo): boolean =>
  name === INDEX || threadOf(name) !== undefined || [DELETED, DAMAGED, TEMPORARY].some((end) => name.endsWith(end));

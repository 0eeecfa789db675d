/** The file system interface of the history: one flat folder, addressed by file name. */
export interface FileInfo {
  name: string;
  /** Bytes. */
  size: number;
  /** Time of the last change in Unix milliseconds, with the precision of the file system. */
  mtime: number;
}

/** Releases a lock; never throws. */
export type Release = () => Promise<void>;

/** On failure every method throws a `HistoryError`. */
export interface HistoryFiles {
  /** @returns all files of the folder; empty if it does not exist */
  list(): Promise<FileInfo[]>;
  /** @returns the file, or `undefined` if it does not exist */
  stat(name: string): Promise<FileInfo | undefined>;
  /** Reads one consistent version of the file in chunks, from an offset to the end. */
  read(name: string, from?: number): AsyncIterable<Uint8Array>;
  /** Appends bytes durably; after a failure the file is unchanged. Requires the file's lock. */
  append(name: string, bytes: Uint8Array): Promise<FileInfo>;
  /** Writes the whole file atomically: after a crash it is the old or the new version. */
  replace(name: string, parts: readonly Uint8Array[]): Promise<FileInfo>;
  /** Replaces an existing target. @returns false if there was no file to rename */
  rename(from: string, to: string): Promise<boolean>;
  /** Removes the file if it exists. */
  remove(name: string): Promise<void>;
  copy(from: string, to: string): Promise<void>;
  /**
   * Locks a file against all other windows and hosts. The lock is released if its holder dies.
   * @param wait whether to wait for the lock; otherwise the promise resolves at once
   * @returns `undefined` if another holder has the lock and `wait` is false
   */
  lock(name: string, wait: boolean): Promise<Release | undefined>;
}

/** Suffixes of the files. The files of a thread begin with the thread's id. */
const THREAD = '.ndjson';
export const DELETED = '.deleted';
export const DAMAGED = '.damaged';
export const TEMPORARY = '.tmp';
export const LOCK = '.lock';
export const INDEX = 'index.cache';

/**
 * @returns the name of a thread's file
 * @throws RangeError if the id is not a valid file name on every system
 */
export function fileOf(threadId: string): string {
  if (!/^[\w-]{1,100}$/.test(threadId)) throw new RangeError('A thread id has letters, digits, "_" and "-" only.');
  return threadId + THREAD;
}

/** @returns the id of the thread stored in the file, or `undefined` for any other file */
export function threadOf(name: string): string | undefined {
  const id = name.endsWith(THREAD) ? name.slice(0, -THREAD.length) : '';
  return /^[\w-]{1,100}$/.test(id) ? id : undefined;
}

/** @returns the concatenated chunks */
export async function allBytes(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return joined(parts);
}

/** @returns the number of bytes of all parts */
export const totalLength = (parts: readonly Uint8Array[]): number => parts.reduce((sum, { length }) => sum + length, 0);

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1 && parts[0]) return parts[0];
  const whole = new Uint8Array(totalLength(parts));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** What the history needs of a file system: one flat folder. Names are plain file names. */
export interface FileInfo {
  name: string;
  /** Bytes. */
  size: number;
  /** Time of the last change in milliseconds, as precise as the file system tells it. */
  mtime: number;
}

/** Gives back what was locked; it never throws. */
export type Release = () => Promise<void>;

/** Every method throws a `HistoryError`. */
export interface HistoryFiles {
  /** @returns all files of the folder; none while it does not exist */
  list(): Promise<FileInfo[]>;
  /** @returns the file, or `undefined` when there is none of that name */
  stat(name: string): Promise<FileInfo | undefined>;
  /** The bytes of one version of the file, in chunks, from an offset to the end. */
  read(name: string, from?: number): AsyncIterable<Uint8Array>;
  /** Adds to the end and makes it durable; after a failure the file is as it was. Only under the file's lock. */
  append(name: string, bytes: Uint8Array): Promise<FileInfo>;
  /** Writes the whole file so that a crash leaves the old or the new version. */
  replace(name: string, parts: readonly Uint8Array[]): Promise<FileInfo>;
  /** @returns false when there was nothing to rename; a file in the way is replaced */
  rename(from: string, to: string): Promise<boolean>;
  /** Removes a file, if it is there. */
  remove(name: string): Promise<void>;
  copy(from: string, to: string): Promise<void>;
  /**
   * Excludes all other windows and hosts. It frees itself when the holder dies.
   * @param wait whether to wait for it; otherwise the answer comes at once
   * @returns `undefined` when somebody else holds it and `wait` is false
   */
  lock(name: string, wait: boolean): Promise<Release | undefined>;
}

/** The suffixes of the folder's files. What belongs to a thread begins with the thread's id. */
const THREAD = '.ndjson';
export const DELETED = '.deleted';
export const DAMAGED = '.damaged';
export const TEMPORARY = '.tmp';
export const LOCK = '.lock';
export const INDEX = 'index.cache';

/**
 * @returns the name of a thread's file
 * @throws RangeError when the id cannot be a file name on every system
 */
export function fileOf(threadId: string): string {
  if (!/^[\w-]{1,100}$/.test(threadId)) throw new RangeError('A thread id has letters, digits, "_" and "-" only.');
  return threadId + THREAD;
}

/** @returns the thread whose file this is, or `undefined` for any other file */
export function threadOf(name: string): string | undefined {
  const id = name.endsWith(THREAD) ? name.slice(0, -THREAD.length) : '';
  return /^[\w-]{1,100}$/.test(id) ? id : undefined;
}

/** @returns all bytes of chunks in one piece */
export async function allBytes(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return joined(parts);
}

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1 && parts[0]) return parts[0];
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

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
  /** @returns one consistent version of the file, or at most `length` bytes of its start */
  read(name: string, length?: number): Promise<Uint8Array>;
  /**
   * Writes the whole file atomically: after a crash it is the old or the new version.
   * @param parts of the content; the file is unchanged if they end with an error
   */
  replace(name: string, parts: AsyncIterable<Uint8Array> | readonly Uint8Array[]): Promise<FileInfo>;
  /** Replaces an existing target. @returns false if there was no file to rename */
  rename(from: string, to: string): Promise<boolean>;
  /** Removes the file if it exists. */
  remove(name: string): Promise<void>;
  /**
   * Locks a file against all other holders, in this and other processes. The lock is released if its holder dies.
   * @param wait whether to wait for the lock; otherwise the promise resolves at once
   * @returns `undefined` if another holder has the lock and `wait` is false
   */
  lock(name: string, wait: boolean): Promise<Release | undefined>;
}

export const TEMPORARY = '.tmp';
export const LOCK = '.lock';
const THREAD = '.json';
/** Threads as the first version of the extension saved them. */
export const LOG = '.ndjson';

/**
 * @returns the name of a thread's file
 * @throws RangeError if the id is not a valid file name on every system
 */
export function fileOf(threadId: string): string {
  if (!/^[\w-]{1,100}$/.test(threadId)) throw new RangeError('A thread id has letters, digits, "_" and "-" only.');
  return threadId + THREAD;
}

/** @returns the id of the thread stored in the file, or `undefined` for any other file */
export function threadOf(name: string, suffix = THREAD): string | undefined {
  const id = name.endsWith(suffix) ? name.slice(0, -suffix.length) : '';
  return /^[\w-]{1,100}$/.test(id) ? id : undefined;
}

/** @returns the name of a file that is set aside; it begins with the thread's id */
export const asideName = (threadId: string, why: 'deleted' | 'damaged'): string => `${threadId}.${Date.now()}.${why}`;

const HOUR = 60 * 60_000;
/** Milliseconds during which a deletion can be undone. */
const UNDO = 24 * HOUR;

/** @returns whether a file is obsolete: an expired deletion, the index of the first version, or left by a killed process */
export function isLeftover({ name, mtime }: FileInfo): boolean {
  if (name.endsWith('.deleted')) return Date.now() - Number(name.split('.').at(-2)) > UNDO;
  return name === 'index.cache' || (/\.(tmp|lock|guard)$/.test(name) && Date.now() - mtime > HOUR);
}

/** @returns whether a file is a lock, which another window may hold */
export const isLock = (name: string): boolean => /\.(lock|guard)$/.test(name);

export const isSameFile = (file: FileInfo, other: FileInfo | undefined): boolean =>
  file.size === other?.size && file.mtime === other.mtime;

/** Milliseconds of work after which other work of the process may run. */
const SLICE = 8;

/** @returns a function to await in a loop, so that long work does not block the process */
export function slices(): () => Promise<void> | undefined {
  let end = performance.now() + SLICE;
  return () => {
    if (performance.now() < end) return undefined;
    return new Promise<void>((resolve) => setTimeout(resolve)).then(() => void (end = performance.now() + SLICE));
  };
}

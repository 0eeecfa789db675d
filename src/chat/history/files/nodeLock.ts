/**
 * Locks between processes, as lock files that contain the id of their holder, which touches them as long as it lives.
 * A lock is broken if its process is dead, or has not touched it for too long.
 */
import type * as promises from 'node:fs/promises';
import { ifFound, retried } from './errors.ts';
import { LOCK, type Release } from './files.ts';

type Fs = typeof promises;

/** Milliseconds without a touch after which a holder counts as hung. */
const HUNG = 10_000;
const TOUCH_INTERVAL = 2000;
/** Milliseconds after which an empty lock counts as abandoned; a lock is empty only while it is being created. */
const EMPTY = 1000;

/** @returns the implementation of `HistoryFiles.lock`, which takes a full path */
export function nodeLocks(fs: Fs, host: string): (path: string, wait: boolean) => Promise<Release | undefined> {
  // Both are retried: Windows denies access to a file while it is being deleted or, for example, scanned for viruses.
  const read = (path: string): Promise<string | undefined> => ifFound(() => retried(() => fs.readFile(path, 'utf8')));
  const remove = (path: string): Promise<void> => retried(() => fs.rm(path, { force: true }));
  /** The time of the last touch; now if the file is gone. */
  const touchedAt = async (path: string): Promise<number> =>
    (await fs.stat(path).catch(() => undefined))?.mtimeMs ?? Date.now();
  const create = async (path: string, content: string): Promise<boolean> => {
    const handle = await retried(() => fs.open(path, 'wx', 0o600).catch(undefinedIfExists));
    if (handle === undefined) return false;
    // On a full disk the lock file stays empty, which is enough to delete threads.
    await handle.writeFile(content).catch(() => undefined);
    await handle.close();
    return true;
  };

  /** Removes a lock if its content is unchanged; a guard file ensures that only one process does so at a time. */
  const removeUnchanged = async (path: string, content: string): Promise<void> => {
    const guard = `${path}.guard`;
    if (!(await create(guard, ''))) {
      if (Date.now() - (await touchedAt(guard)) > EMPTY) await remove(guard);
      return;
    }
    try {
      if ((await read(path)) === content) await remove(path);
    } finally {
      await remove(guard);
    }
  };

  const hold = (path: string, token: string): Release => {
    const touch = (): void => void fs.utimes(path, new Date(), new Date()).catch(() => undefined);
    const timer = setInterval(touch, TOUCH_INTERVAL);
    timer.unref();
    return async () => {
      clearInterval(timer);
      try {
        const content = await read(path);
        if (content === token || content === '') await remove(path);
      } catch {
        // The next process breaks the lock, once this process has ended or the lock has expired.
      }
    };
  };

  return async (name, wait) => {
    const path = name + LOCK;
    const token = `${process.pid} ${host} ${crypto.randomUUID()}`;
    let watched: string | undefined;
    let since = 0;
    for (;;) {
      if (await create(path, token)) return hold(path, token);
      const content = await read(path);
      if (content !== undefined) {
        // Clocks of other machines may differ: the holder is alive only if the modification time changes.
        const state = `${await touchedAt(path)} ${content}`;
        if (state !== watched) since = performance.now();
        watched = state;
        const hung = performance.now() - since > (content === '' ? EMPTY : HUNG);
        if (isDead(content, host) || hung) await removeUnchanged(path, content);
        // Try again before giving up: a holder may be writing its id into an empty lock.
        else if (!wait && content !== '') return undefined;
      }
      await pause();
    }
  };
}

function undefinedIfExists(failure: unknown): undefined {
  if ((failure as { code?: unknown }).code !== 'EEXIST') throw failure;
}

function isDead(content: string, host: string): boolean {
  const [pid, itsHost] = content.split(' ');
  if (itsHost !== host) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (failure) {
    return (failure as { code?: unknown }).code === 'ESRCH';
  }
}

/** Random, so that waiting processes don't all try at the same time. */
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 10 * Math.random()));

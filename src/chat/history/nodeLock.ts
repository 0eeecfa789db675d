/**
 * Locks between processes: a file that only one can create, with the holder's process in it. What a dead process
 * left behind is taken away; so is what nobody gives back, once it has been watched for long enough.
 */
import type * as promises from 'node:fs/promises';
import { isNotFound } from './errors.ts';
import { LOCK, type Release } from './files.ts';
import { retried } from './retried.ts';

type Fs = typeof promises;

/** Waiting longer than this for one and the same holder means that it has hung; milliseconds. */
const HUNG = 10_000;
/** A lock is empty for an instant only, while it is being made. */
const EMPTY = 1000;
/** Holders touch their lock every minute; one that was not touched for longer than this is left over. */
const FORGOTTEN = 10 * 60_000;

/** @returns the function that takes locks; see `HistoryFiles.lock`, of which it is the implementation */
export function nodeLocks(fs: Fs, host: string): (path: string, wait: boolean) => Promise<Release | undefined> {
  // Windows refuses for an instant while a file is being deleted: hence tried again, all of it.
  const read = async (path: string): Promise<string | undefined> => {
    try {
      return await retried(() => fs.readFile(path, 'utf8'));
    } catch (failure) {
      if (isNotFound(failure)) return undefined;
      throw failure;
    }
  };
  const age = async (path: string): Promise<number> => {
    const info = await fs.stat(path).catch(() => undefined);
    return info === undefined ? 0 : Date.now() - info.mtimeMs;
  };
  const create = async (path: string, content: string): Promise<boolean> => {
    const handle = await retried(() => fs.open(path, 'wx', 0o600).catch(unlessThere));
    if (handle === undefined) return false;
    // On a full disk an empty lock has to do: there must be a way to delete things.
    await handle.writeFile(content).catch(() => undefined);
    await handle.close();
    return true;
  };

  /** Takes away a lock that still holds what it held when it was judged. Only one at a time may do that. */
  const takeAway = async (path: string, content: string): Promise<void> => {
    const guard = `${path}.guard`;
    if (!(await create(guard, ''))) {
      if ((await age(guard)) > EMPTY) await fs.rm(guard, { force: true });
      return;
    }
    try {
      if ((await read(path)) === content) await fs.rm(path, { force: true });
    } finally {
      await fs.rm(guard, { force: true });
    }
  };

  const hold = (path: string, token: string): Release => {
    const touch = (): void => void fs.utimes(path, new Date(), new Date()).catch(() => undefined);
    const timer = setInterval(touch, FORGOTTEN / 10);
    timer.unref();
    return async () => {
      clearInterval(timer);
      try {
        const content = await read(path);
        if (content === token || content === '') await fs.rm(path, { force: true });
      } catch {
        // Whoever comes next will find this process gone, or the lock old.
      }
    };
  };

  return async (name, wait) => {
    const path = name + LOCK;
    const token = `${process.pid} ${host} ${crypto.randomUUID()}`;
    let watched: string | undefined;
    let since = 0;
    for (let tries = 0; ; tries += 1) {
      if (await create(path, token)) return hold(path, token);
      const content = await read(path);
      if (content !== undefined) {
        if (content !== watched) since = performance.now();
        watched = content;
        const hung = performance.now() - since > (content === '' ? EMPTY : HUNG);
        if (isDead(content, host) || hung || (await age(path)) > FORGOTTEN) await takeAway(path, content);
        // An empty one is only judged by watching it, which the next try does.
        else if (!wait && content !== '') return undefined;
      }
      if (tries > 0 || content !== undefined) await pause(Math.min(tries, 20));
    }
  };
}

function unlessThere(failure: unknown): undefined {
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

const pause = (tries: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, 1 + Math.random() * (1 + tries)));

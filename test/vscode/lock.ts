import { rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 500;
const HEARTBEAT_MS = 2_000;
const STALE_MS = 30_000;

/**
 * Runs `work` while holding a lock file, so that of several processes one works and the others wait for it.
 * The holder touches the file as long as it lives; a lock that nobody touches is taken over. (A process number would
 * not do: in a fresh container it soon belongs to somebody else.)
 */
export async function withLock<T>(path: string, onWait: () => void, work: () => Promise<T>): Promise<T> {
  for (let waited = false; !tryLock(path); waited = true) {
    if (!waited) {
      onWait();
    }
    await delay(POLL_MS);
  }
  const heartbeat = setInterval(() => utimesSync(path, new Date(), new Date()), HEARTBEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    rmSync(path, { force: true });
  }
}

function tryLock(path: string): boolean {
  try {
    writeFileSync(path, '', { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw error;
    }
  }
  const touched = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  if (touched !== undefined && Date.now() - touched > STALE_MS) {
    rmSync(path, { force: true });
  }
  return false;
}

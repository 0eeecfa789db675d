import { rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 500;
const HEARTBEAT_MS = 2_000;
const STALE_MS = 30_000;

/**
 * Runs `work` while holding a lock file; other processes wait. The holder touches the file periodically, and a lock
 * that is not touched is taken over. Process ids would not work: in a fresh container they are soon reused.
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

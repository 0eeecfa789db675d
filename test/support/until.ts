/** Waiting for what tells nobody when it comes: a file, the clipboard, a list of commands, a thread's state. */
import { setTimeout as pause } from 'node:timers/promises';

const PATIENCE_MS = 20_000;
const LOOK_EVERY_MS = 5;

/**
 * Looks until there is something.
 * @param look what is waited for; undefined, false or an empty text while it is not there
 * @param complaint how things are instead, for when they stay so
 */
export async function until<T>(
  look: () => T | Promise<T>,
  complaint = (): string => 'What was waited for has not come.',
): Promise<Exclude<T, undefined | false | ''>> {
  for (const deadline = Date.now() + PATIENCE_MS; ; await pause(LOOK_EVERY_MS)) {
    const found = await look();
    if (found !== undefined && found !== false && found !== '') return found as Exclude<T, undefined | false | ''>;
    if (Date.now() > deadline) throw new Error(complaint());
  }
}

/** Waits until two readings in a row are the same. */
export async function settled(read: () => Promise<number>): Promise<void> {
  for (let last = NaN, now = await read(); last !== now; now = await read()) last = now;
}

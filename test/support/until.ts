/** Polls for conditions that have no event: a file, the clipboard, a list of commands, the state of a thread. */
import { setTimeout as pause } from 'node:timers/promises';

const PATIENCE_MS = 20_000;
const LOOK_EVERY_MS = 5;

/**
 * Polls until `look` returns a value.
 * @param look returns undefined, false or an empty string while the condition does not hold
 * @param complaint returns the error message for a timeout
 * @returns the value
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

/** Waits until two consecutive readings are equal. */
export async function settled(read: () => Promise<number>): Promise<void> {
  for (let last = NaN, now = await read(); last !== now; now = await read()) last = now;
}

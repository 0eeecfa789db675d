/** Polls for conditions that have no event: a file, the clipboard, a list of commands, the state of a thread. */
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds before a test fails. Long, for busy machines: only a failing test waits that long. */
const PATIENCE_MS = 45_000;
const FIRST_PAUSE_MS = 5;
/** Maximum pause between two looks; each look at a page costs CPU in three processes. */
const LONGEST_PAUSE_MS = 50;

/** @returns a function that pauses, longer each time, and returns whether to look again */
function pauses(patience = PATIENCE_MS): () => Promise<boolean> {
  const deadline = Date.now() + patience;
  let length = FIRST_PAUSE_MS;
  return async () => {
    if (Date.now() > deadline) return false;
    await pause(length);
    length = Math.min(length * 1.5, LONGEST_PAUSE_MS);
    return true;
  };
}

/**
 * Polls until `look` returns a value.
 * @param look returns undefined, false or an empty string while the condition does not hold
 * @param message returns the error message for a timeout
 * @returns the value
 */
export async function until<T>(
  look: () => T | Promise<T>,
  message = (): string => 'The condition was not met in time.',
): Promise<Exclude<T, undefined | false | ''>> {
  const again = pauses();
  do {
    const found = await look();
    if (found !== undefined && found !== false && found !== '') return found as Exclude<T, undefined | false | ''>;
  } while (await again());
  throw new Error(message());
}

/**
 * Polls until `read` returns the expected value; a timeout fails with the difference to the last one.
 * @param patience milliseconds
 */
export async function becomes<T>(read: () => T | Promise<T>, expected: T, patience?: number): Promise<void> {
  const again = pauses(patience);
  let last = await read();
  while (!isDeepStrictEqual(last, expected) && (await again())) last = await read();
  assert.deepEqual(last, expected);
}

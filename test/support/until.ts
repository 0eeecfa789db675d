/** Polls for conditions that have no event: a file, the clipboard, a list of commands, the state of a thread. */
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
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

/** Polls until `read` returns the expected value; a timeout fails with the difference to the last one. */
export async function becomes<T>(read: () => T | Promise<T>, expected: T): Promise<void> {
  let last = await read();
  for (const deadline = Date.now() + PATIENCE_MS; !isDeepStrictEqual(last, expected) && Date.now() < deadline;) {
    await pause(LOOK_EVERY_MS);
    last = await read();
  }
  assert.deepEqual(last, expected);
}

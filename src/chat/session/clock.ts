/** Time and randomness, injected so that tests don't wait. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number;
  /** Resolves after `ms`, or at once when `signal` aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** A random number in `[0, 1)`. */
  random(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const done = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal.addEventListener('abort', done, { once: true });
    }),
};

let last = 0;

/** @returns a unique message id in the format of 2.1 */
export function newMessageId(now: number): string {
  last = Math.max(Math.floor(now), last + 1);
  return `${last}-message`;
}

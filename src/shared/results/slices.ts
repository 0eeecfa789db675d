/** Splits long computations into slices: generators that yield often, and the function that runs them. */

/** A computation that can be paused at each `yield` and returns its result. */
export type Sliced<T> = Generator<void, T, void>;

/** Number of items to process between two yields; small enough that even slow items take far less than a frame. */
export const STRIDE = 2048;

/** Milliseconds to run before yielding to the event loop. */
const BUDGET = 24;

/** @returns the result of a computation, without a pause */
export function completed<T>(work: Sliced<T>): T {
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value;
}

/**
 * Runs a computation in short slices, so that a page stays responsive. The first slice runs synchronously, so short
 * computations are complete when this function returns.
 * @param done called with the result unless the computation was canceled
 * @returns a function that cancels the computation
 */
export function runInSlices<T>(work: Sliced<T>, done: (result: T) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const slice = (): void => {
    const end = performance.now() + BUDGET;
    let step = work.next();
    while (!step.done && performance.now() < end) step = work.next();
    if (step.done) done(step.value);
    else timer = setTimeout(slice, 0);
  };
  slice();
  return () => clearTimeout(timer);
}

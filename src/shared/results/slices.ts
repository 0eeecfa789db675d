/** Long work that gives way: generators that pause often, and what runs them. */

/** Work that may be paused at each `yield` and ends with its result. */
export type Sliced<T> = Generator<void, T, void>;

/** Items handled between two pauses; small enough that even slow items stay far below a frame. */
export const STRIDE = 2048;

/** Milliseconds of work before the event loop gets its turn. */
const BUDGET = 24;

/**
 * Runs sliced work in short slices, so that a page stays responsive. The first slice runs at once: short work is
 * done when this returns.
 * @param done is called with the result, unless the work was cancelled before
 * @returns cancels the work
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

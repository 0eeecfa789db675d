import type { Sliced } from '../../src/shared/results/slices.ts';

/** Runs sliced work to its end at once. */
export function runNow<T>(work: Sliced<T>): T {
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value;
}

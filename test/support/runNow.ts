import type { Sliced } from '../../src/shared/results/slices.ts';

/** Runs a sliced computation synchronously. @returns its result */
export function runNow<T>(work: Sliced<T>): T {
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value;
}

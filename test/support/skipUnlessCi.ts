/** Skips tests whose requirements are missing on this machine. */
import type { Context } from 'mocha';

/** Starts the line that says why a test is skipped. */
export const SKIPPED = 'SKIPPED because';

/** Skips the running test and prints why. In CI, where nothing may be missing, the test fails instead. */
export function skipUnlessCi(test: Context, missing: string): never {
  if (process.env['CI']) throw new Error(`Can't run in CI: ${missing}`);
  console.warn(`${SKIPPED} ${missing}: ${test.test?.titlePath().join(' › ')}`);
  return test.skip();
}

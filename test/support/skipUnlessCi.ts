/** Skips tests whose requirements are missing on this machine. */
import type { Context } from 'mocha';

/** Skips the running test and prints why. In CI, where nothing may be missing, the test fails instead. */
export function skipUnlessCi(test: Context, missing: string): never {
  const title = test.test?.titlePath().join(' › ') ?? 'test';
  if (process.env['CI']) throw new Error(`Can't run in CI: ${missing}`);
  console.warn(`SKIPPED ${title}: ${missing}`);
  return test.skip();
}

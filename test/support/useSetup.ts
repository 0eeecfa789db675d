import { after, before } from 'mocha';

/**
 * Starts something before the tests of the suite that calls this, and stops it after them.
 * @returns what `start` gives; filled when the suite's later hooks and its tests run
 */
export function useSetup<T extends { stop(): Promise<void> }>(start: () => Promise<T>): T {
  const setup = {} as T;
  let stop: (() => Promise<void>) | undefined;
  before(async () => {
    ({ stop } = Object.assign(setup, await start()));
  });
  after(() => stop?.());
  return setup;
}

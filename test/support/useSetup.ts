import { after, before } from 'mocha';

/**
 * Starts something before the tests of the suite that calls this, and stops it after them.
 * @returns the result of `start`; its fields are set when the tests and the suite's later hooks run
 */
export function useSetup<T extends { stop(): Promise<void> }>(start: () => Promise<T>): T {
  const setup = {} as T;
  let stop: (() => Promise<void>) | undefined;
  before(async function () {
    // A busy machine needs long to start a database or a browser.
    this.timeout(180_000);
    ({ stop } = Object.assign(setup, await start()));
  });
  after(() => stop?.());
  return setup;
}

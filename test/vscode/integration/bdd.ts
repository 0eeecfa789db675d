// Provides Mocha to the integration tests. Its browser build needs neither a document nor Node, so one suite runs in
// both extension hosts. Test modules import "mocha" as usual, and the bundler resolves it to this module.
import '../../../node_modules/mocha/mocha.js';
import { suiteMark } from './suiteMark.ts';

const { mocha, Mocha: MochaClass } = globalThis as unknown as { mocha: BrowserMocha; Mocha: typeof Mocha };
MochaClass.reporters.Base.consoleLog = (text: unknown = '', ...values) => console.log(`${suiteMark}${text}`, ...values);
mocha.setup({ ui: 'bdd', reporter: 'spec', timeout: 60_000, slow: 0, forbidOnly: true });

export const { describe, it, before, after, beforeEach, afterEach } = globalThis as unknown as Mocha.MochaGlobals;

/** Runs all defined tests. Rejects if one fails. */
export function runMocha(): Promise<void> {
  return new Promise((resolve, reject) => {
    // Don't use `mocha.run`: it reads the query of the page URL, which does not exist in a worker.
    MochaClass.prototype.run.call(mocha, (failures) => {
      if (failures === 0) {
        resolve();
      } else {
        reject(new Error(`${failures} failed`));
      }
    });
  });
}

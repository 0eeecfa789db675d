// Mocha's build for browsers needs neither a document nor Node, so one suite runs in both extension hosts.
// Test modules import from "mocha" as everywhere else; the bundler points them here.
import '../../node_modules/mocha/mocha.js';
import { suiteMark } from './suiteMark.ts';

const { mocha, Mocha: MochaClass } = globalThis as unknown as { mocha: BrowserMocha; Mocha: typeof Mocha };
MochaClass.reporters.Base.consoleLog = (text: unknown = '', ...values) => console.log(`${suiteMark}${text}`, ...values);
mocha.setup({ ui: 'bdd', reporter: 'spec', timeout: 20_000, forbidOnly: true, color: true });

export const { describe, it, before, after, beforeEach, afterEach } = globalThis as unknown as Mocha.MochaGlobals;

/** Runs all tests that were defined; rejects when one failed. */
export function runMocha(): Promise<void> {
  return new Promise((resolve, reject) => {
    // Not `mocha.run`, which looks for a query in the page's address, where there may be no page.
    MochaClass.prototype.run.call(mocha, (failures) => {
      if (failures === 0) {
        resolve();
      } else {
        reject(new Error(`${failures} failed`));
      }
    });
  });
}

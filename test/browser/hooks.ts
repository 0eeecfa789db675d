import type { RootHookObject } from 'mocha';
import { installChromium } from '../vscode/chromium.ts';
import { closeBrowser } from '../support/browser.ts';

/** Installs the browser, if necessary, before the timeout of the first test starts. */
export async function mochaGlobalSetup(): Promise<void> {
  await installChromium();
}

export const mochaHooks: RootHookObject = { afterAll: closeBrowser };

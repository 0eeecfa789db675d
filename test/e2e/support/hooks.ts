import type { Context, RootHookObject, Runner, Test } from 'mocha';
import { installChromium } from '../../vscode/chromium.ts';
import { installEditor } from '../../vscode/install.ts';
import { closeAll, launchedNow } from './launch.ts';
import { screenshot } from './screenshot.ts';

let triedAgain: Test | undefined;

/** Installs what is missing before any test's clock starts. */
export async function mochaGlobalSetup(this: Runner): Promise<void> {
  this.on('retry', (test, error) => {
    triedAgain = test;
    console.error(`      is tried again: ${error.stack ?? error.message}`);
  });
  await installEditor();
  await installChromium();
}

export const mochaHooks: RootHookObject = {
  /** A failure leaves a picture of every page that is open. */
  async afterEach(this: Context) {
    const test = this.currentTest;
    if (test !== undefined && (test.state === 'failed' || test === triedAgain)) {
      for (const [index, { page, server }] of launchedNow().entries()) {
        console.error(`      see ${await screenshot(page, `failed ${test.fullTitle()} ${index + 1}`)}`);
        console.error(server.output().replace(/^/gm, '      | '));
      }
    }
  },
  async afterAll() {
    await closeAll();
  },
};

import type { Context, RootHookObject } from 'mocha';
import { installChromium } from '../../vscode/chromium.ts';
import { installEditor } from '../../vscode/install.ts';
import { closeAll, launchedNow } from './launch.ts';
import { screenshot } from './screenshot.ts';

/** Installs what is missing before the timeout of any test starts. */
export async function mochaGlobalSetup(): Promise<void> {
  await installEditor();
  await installChromium();
}

export const mochaHooks: RootHookObject = {
  /** Takes a screenshot of every open page after a failure. */
  async afterEach(this: Context) {
    const test = this.currentTest;
    if (test !== undefined && test.state !== 'passed' && !test.isPending()) {
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

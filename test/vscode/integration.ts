import { join } from 'node:path';
import { runTests } from '@vscode/test-electron';
import { bundleTests, type Host } from './bundleTests.ts';
import { desktopEditor, installEditor } from './install.ts';
import { repoRoot } from './paths.ts';
import { copyWorkspace, removeWorkspace } from './workspace.ts';

const hosts: Record<Host, string> = { node: 'Node extension host', web: 'web worker extension host' };

/**
 * Runs all integration tests in one kind of extension host, in a desktop VS Code if one is named.
 * @returns whether they passed
 */
async function runIn(host: Host): Promise<boolean> {
  const env = { TEST_EXTENSION_HOST: host };
  const extensionTestsPath = await bundleTests(host, env);
  const workspace = copyWorkspace('model');
  console.log(`\nIntegration tests in the ${hosts[host]}`);
  try {
    await runTests({
      vscodeExecutablePath: desktopEditor() ?? join(import.meta.dirname, 'runner'),
      extensionDevelopmentPath: repoRoot,
      extensionTestsPath,
      extensionTestsEnv: env,
      launchArgs: [workspace, ...(host === 'web' ? ['--extensionDevelopmentKind=web'] : [])],
    });
    return true;
  } catch (error) {
    console.error((error as Error).message);
    return false;
  } finally {
    removeWorkspace(workspace);
  }
}

if (desktopEditor() === undefined) {
  await installEditor();
}
const passed = [await runIn('node'), await runIn('web')];
process.exitCode = passed.every(Boolean) ? 0 : 1;

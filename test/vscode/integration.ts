import { join } from 'node:path';
import { runTests } from '@vscode/test-electron';
import { bundleTests, type Host } from './bundleTests.ts';
import { desktopEditor, installEditor } from './install.ts';
import { repoRoot } from './paths.ts';
import { copyWorkspace, removeWorkspace } from './workspace.ts';

const hosts: Record<Host, string> = { node: 'Node extension host', web: 'web worker extension host' };

/** Runs all integration tests in one kind of extension host, in a desktop VS Code if one is named. */
async function runIn(host: Host, connection: Record<string, string>): Promise<void> {
  const env = { ...connection, TEST_EXTENSION_HOST: host };
  const workspace = copyWorkspace('model');
  try {
    console.log(`\nIntegration tests in the ${hosts[host]}`);
    await runTests({
      vscodeExecutablePath: desktopEditor() ?? join(import.meta.dirname, 'runner'),
      extensionDevelopmentPath: repoRoot,
      extensionTestsPath: await bundleTests(host, env),
      extensionTestsEnv: env,
      launchArgs: [workspace, ...(host === 'web' ? ['--extensionDevelopmentKind=web'] : [])],
    });
  } finally {
    removeWorkspace(workspace);
  }
}

if (desktopEditor() === undefined) {
  await installEditor();
}
await runIn('node', {});
await runIn('web', {});

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { runTests } from '@vscode/test-electron';
import { loadModelFiles } from '../../sandbox/semantic/branchFiles.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { bundleTests, type Host } from './bundleTests.ts';
import { makeDemoRepository } from '../demoRepository.ts';
import { desktopEditor, installEditor } from '../install.ts';
import { repoRoot } from '../paths.ts';
import { copyWorkspace, removeWorkspace } from '../workspace.ts';

/**
 * VS Code calls chat participants only if a language model is available; this extension provides one with empty
 * responses.
 */
const modelProvider = join(repoRoot, 'test', 'fixtures', 'model-provider');

const hosts: Record<Host, string> = { node: 'Node extension host', web: 'web worker extension host' };

/** Makes the workspace a repository, on a branch that changes answers. */
async function checkOutChange(workspace: string): Promise<void> {
  if (!makeDemoRepository(workspace, await loadModelFiles())) return;
  execFileSync('git', ['checkout', '--quiet', 'dev-customer-groups'], { cwd: workspace });
}

/**
 * Runs all integration tests in one kind of extension host, in a desktop VS Code if one is set.
 * @param connection environment variables with the URL and key of the sandbox service
 * @returns whether all tests passed
 */
async function runIn(host: Host, connection: Record<string, string>): Promise<boolean> {
  const env = { ...connection, TEST_EXTENSION_HOST: host };
  const extensionTestsPath = await bundleTests(host, env);
  // A data model in the workspace activates the extension at startup, which in the web worker is before the tests set
  // the environment.
  const workspace = copyWorkspace(host === 'web' ? 'plain' : 'model');
  if (host === 'node') await checkOutChange(workspace);
  console.log(`\nIntegration tests in the ${hosts[host]}`);
  try {
    await runTests({
      vscodeExecutablePath: desktopEditor() ?? join(import.meta.dirname, 'runner'),
      extensionDevelopmentPath: host === 'node' ? [repoRoot, modelProvider] : repoRoot,
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
const sandbox = await startSandbox({ pace: 5 });
const connection = { ANALYTICS_CHAT_API_URL: sandbox.chatApiUrl, ANALYTICS_CHAT_API_KEY: sandbox.apiKey };
const passed = [await runIn('node', connection), await runIn('web', connection)];
await sandbox.stop();
process.exitCode = passed.every(Boolean) ? 0 : 1;

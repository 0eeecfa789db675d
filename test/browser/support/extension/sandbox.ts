/** The extension, connected to its own sandbox. */
import { startSandbox, type Sandbox } from '../../../sandbox/server.ts';
import { useSetup } from '../../../support/useSetup.ts';
import { startExtension, type ExtensionOptions, type RunningExtension } from './extension.ts';

export interface SandboxExtension extends RunningExtension {
  sandbox: Sandbox;
}

async function start(options: ExtensionOptions): Promise<SandboxExtension> {
  const sandbox = await startSandbox({ pace: 0 });
  const extension = await startExtension({ chatApiUrl: sandbox.chatApiUrl, apiKey: sandbox.apiKey, ...options });
  return {
    ...extension,
    sandbox,
    stop: async () => {
      await extension.stop();
      await sandbox.stop();
    },
  };
}

/** Starts and stops it with the calling suite. */
export const useSandboxExtension = (options: ExtensionOptions = {}): SandboxExtension => useSetup(() => start(options));

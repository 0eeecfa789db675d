/** The real VS Code with the extension, connected to its own sandbox. */
import type { Page } from 'playwright-core';
import { startSandbox, type Sandbox } from '../../sandbox/server.ts';
import { launch, type Launched, type LaunchOptions } from './launch.ts';
import { useSetup } from '../../support/useSetup.ts';

export interface SandboxEditor {
  sandbox: Sandbox;
  editor: Launched;
  page: Page;
  stop(): Promise<void>;
}

/** @param pace milliseconds between the sandbox's lines */
async function sandboxEditor(options: LaunchOptions, pace: number): Promise<SandboxEditor> {
  const sandbox = await startSandbox({ pace });
  const env = { ANALYTICS_CHAT_API_URL: sandbox.chatApiUrl, ANALYTICS_CHAT_API_KEY: sandbox.apiKey };
  const settings = { 'analyticsChat.dataQueryUrl': sandbox.dataQueryUrl, ...options.settings };
  const editor = await launch({ workspace: 'model', ...options, settings, env });
  return {
    ...{ sandbox, editor, page: editor.page },
    stop: async () => {
      await editor.stop();
      await sandbox.stop();
    },
  };
}

/** Starts and stops it with the calling suite. */
export const useSandboxEditor = (options: LaunchOptions = {}, pace = 0): SandboxEditor =>
  useSetup(() => sandboxEditor(options, pace));

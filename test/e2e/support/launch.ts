import type { BrowserContext, Page } from 'playwright-core';
import { browser, closeBrowser } from '../../support/browser.ts';
import { newContext, openEditor, type ContextOptions } from '../../vscode/page.ts';
import { repoRoot } from '../../vscode/paths.ts';
import { startServer, type EditorServer, type ServerOptions, type Settings } from '../../vscode/server.ts';
import { webHostSettings } from '../../vscode/webHost.ts';
import { copyWorkspace, removeWorkspace } from '../../vscode/workspace.ts';

const themes = {
  dark: 'Dark Modern',
  light: 'Light Modern',
  highContrast: 'Default High Contrast',
  highContrastLight: 'Default High Contrast Light',
} as const;

export interface LaunchOptions extends ContextOptions {
  /** A folder of `test/fixtures/workspaces`, or an absolute path; a copy is opened. Defaults to an empty window. */
  workspace?: string;
  /** User settings. */
  settings?: Settings;
  /** Environment of the extension host, e.g. ANALYTICS_CHAT_API_URL. */
  env?: Record<string, string | undefined>;
  theme?: keyof typeof themes;
  /** `false` opens the workspace untrusted. */
  trusted?: boolean;
  /** Which extension host runs the extension. */
  host?: 'node' | 'web';
  /** Folders of extensions under development; this repository by default. */
  extensions?: string[];
  /** Absolute paths of VSIX files to install first; the editor then has all of its built-in extensions. */
  packages?: string[];
  /** Called before the page is opened. */
  prepare?: (context: BrowserContext) => Promise<unknown>;
  /** The editor of an earlier launch, to reuse its data; `env` and `trusted` are then ignored. */
  server?: EditorServer;
}

export interface Launched {
  page: Page;
  context: BrowserContext;
  server: EditorServer;
  /** The open copy of the workspace, or `undefined` for an empty window. */
  workspace: string | undefined;
  /** Closes the page, and the server too unless it came from an earlier launch. */
  stop(): Promise<void>;
}

/** Without animations, which cost much CPU without a GPU: half of each use of the command palette. */
const still: Settings = {
  'workbench.reduceMotion': 'on',
  'editor.cursorBlinking': 'solid',
  'editor.minimap.enabled': false,
  // VS Code reads this file at its start: as JSON, that would activate five extensions and start a language server.
  'files.associations': { 'chatLanguageModels.json': 'plaintext' },
};

/** Stops the animations of the workbench that {@link still} leaves running: each frame costs CPU without a GPU. */
function stopSpinning(): void {
  if (window !== window.top) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('.codicon-modifier-spin, .progress-bit { animation: none !important; }');
  document.adoptedStyleSheets.push(sheet);
}

/**
 * Built-in extensions that no test uses; they cost up to 2 s of CPU time in each window. Only those that have no form
 * for the browser: VS Code would start the others there instead.
 */
const unused = [
  ...['copilot', 'github', 'microsoft-authentication', 'debug-auto-launch'],
  ...['ms-vscode.js-debug', 'ms-vscode.js-debug-companion'],
];

const running = new Set<Launched>();

/** Starts VS Code's server without what no test uses; a package is tested with all of it, as users have it. */
export async function startTestServer(options: ServerOptions): Promise<EditorServer> {
  const whole = options.packages !== undefined;
  const all = (settings?: Settings): Settings => ({ ...still, 'chat.disableAIFeatures': !whole, ...settings });
  const server = await startServer({
    ...options,
    ...(whole ? {} : { without: unused }),
    settings: all(options.settings),
  });
  return { ...server, writeSettings: (settings) => server.writeSettings(all(settings)) };
}

/** Opens the real VS Code with the extension under development and a new user data folder. */
export async function launch(options: LaunchOptions = {}): Promise<Launched> {
  const extensions = options.extensions ?? [repoRoot];
  const settings = {
    'workbench.colorTheme': themes[options.theme ?? 'dark'],
    ...(options.host === 'web' ? webHostSettings(extensions) : {}),
    ...options.settings,
  };
  const server = options.server ?? (await startTestServer({ ...options, settings }));
  options.server?.writeSettings(settings);
  const copy = options.workspace === undefined ? undefined : copyWorkspace(options.workspace);
  const context = await newContext(await browser(), options);
  await context.addInitScript(stopSpinning);
  await options.prepare?.(context);
  const stop = async () => {
    running.delete(launched);
    await context.close();
    if (options.server === undefined) {
      await server.stop();
    }
    if (copy !== undefined) {
      removeWorkspace(copy);
    }
  };
  const page = await openEditor(context, server, { workspace: copy, extensions }).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  const launched: Launched = { page, context, server, workspace: copy, stop };
  running.add(launched);
  return launched;
}

/** The pages that are open now, for screenshots of failures. */
export function launchedNow(): readonly Launched[] {
  return [...running];
}

/** Closes everything that tests left open. */
export async function closeAll(): Promise<void> {
  for (const launched of running) {
    await launched.stop();
  }
  await closeBrowser();
}

import { randomBytes } from 'node:crypto';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { EditorServer } from './server.ts';

export interface PageOptions {
  /** Absolute path of a folder or a `.code-workspace` file; defaults to an empty window. */
  workspace?: string;
  /** Absolute paths of the folders of the extensions under development. */
  extensions: string[];
  /** Absolute path of the module whose `run()` is the test suite. */
  tests?: string;
}

/** @returns the URL that opens the editor with the given workspace and extensions under development */
export function editorUrl(server: Pick<EditorServer, 'authority' | 'token'>, options: PageOptions): string {
  const { authority, token } = server;
  const remote = (path: string) => `vscode-remote://${authority}${encodeURI(path)}`;
  const payload = [
    ...options.extensions.map((path) => ['extensionDevelopmentPath', remote(path)]),
    ...(options.tests === undefined ? [] : [['extensionTestsPath', remote(options.tests)]]),
  ];
  const url = new URL(`http://${authority}/`);
  if (options.workspace === undefined) {
    url.searchParams.set('ew', 'true');
  } else {
    url.searchParams.set(options.workspace.endsWith('.code-workspace') ? 'workspace' : 'folder', options.workspace);
  }
  url.searchParams.set('tkn', token);
  url.searchParams.set('payload', JSON.stringify(payload));
  return url.href;
}

export interface ContextOptions {
  viewport?: { width: number; height: number };
  /** Device pixels per CSS pixel. */
  scale?: number;
  /** `false` withholds the key for secrets from the editor, so that secrets do not survive a reload. */
  persistSecrets?: boolean;
}

/** Creates a fresh browser profile with clipboard permissions. */
export async function newContext(browser: Browser, options: ContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: options.viewport ?? { width: 1280, height: 800 },
    deviceScaleFactor: options.scale ?? 1,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  // Twice the default, for busy machines.
  context.setDefaultTimeout(60_000);
  if (options.persistSecrets !== false) {
    // The page encrypts secrets with a key that it requests from its server; this server does not provide one. Routing
    // the request instead would turn off the browser's cache, for every reload.
    await context.addInitScript(
      (key) => {
        const { fetch } = globalThis;
        globalThis.fetch = (input, init) =>
          typeof input === 'string' && input.endsWith('/mint-key')
            ? Promise.resolve(new Response(Uint8Array.from(key)))
            : fetch(input, init);
      },
      [...randomBytes(32)],
    );
  }
  return context;
}

/**
 * Sets the display language for extensions in windows that are opened from now on; the editor's own strings stay
 * English without a language pack.
 */
export async function setLanguage(context: BrowserContext, language: string): Promise<void> {
  await context.addInitScript((name) => {
    Object.defineProperty(globalThis, '_VSCODE_NLS_LANGUAGE', { get: () => name, set: () => undefined });
  }, language);
}

/** Opens the editor in a page and waits until its workbench is rendered. */
export async function openEditor(context: BrowserContext, server: EditorServer, options: PageOptions): Promise<Page> {
  const page = await context.newPage();
  await page.goto(editorUrl(server, options));
  await page.locator('.monaco-workbench').waitFor({ timeout: 60_000 });
  return page;
}

/**
 * Runs a test suite in the editor.
 * @param log called with the arguments of each console call of the suite
 * @returns the exit code of the suite, 0 if all tests pass
 */
export async function runSuite(
  context: BrowserContext,
  server: EditorServer,
  options: PageOptions & { tests: string },
  log: (args: unknown[]) => void,
): Promise<number> {
  const page = await context.newPage();
  try {
    const ended = Promise.withResolvers<number>();
    await page.exposeFunction('codeAutomationExit', ended.resolve);
    await page.exposeFunction('codeAutomationLog', (_type: string, args: unknown[]) => log(args));
    page.on('crash', () => ended.reject(new Error('The page crashed.')));
    await page.goto(editorUrl(server, options));
    return await ended.promise;
  } finally {
    await page.close();
  }
}

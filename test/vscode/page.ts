import { randomBytes } from 'node:crypto';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { EditorServer } from './server.ts';

export interface PageOptions {
  /** A folder or a `.code-workspace` file, absolute; an empty window when left out. */
  workspace?: string;
  /** Folders of the extensions under development, absolute. */
  extensions: string[];
  /** The module whose `run()` is the test suite, absolute. */
  tests?: string;
}

/** The address at which a browser shows the editor with the given workspace and extensions under development. */
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
  /** `false` leaves the editor without a key for secrets, so that they do not survive a reload. */
  persistSecrets?: boolean;
  /** The display language that extensions see; the editor's own texts stay English without a language pack. */
  language?: string;
}

/** A browser profile of its own: storage, secrets and clipboard permissions as a fresh user has them. */
export async function newContext(browser: Browser, options: ContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: options.viewport ?? { width: 1280, height: 800 },
    deviceScaleFactor: options.scale ?? 1,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  if (options.language !== undefined) {
    await context.addInitScript((language) => {
      Object.defineProperty(globalThis, '_VSCODE_NLS_LANGUAGE', { get: () => language, set: () => undefined });
    }, options.language);
  }
  if (options.persistSecrets !== false) {
    // The editor's page seals secrets with a key that its server is asked for; this server does not give one.
    const key = randomBytes(32);
    await context.route('**/mint-key', (route) => route.fulfill({ body: key }));
  }
  return context;
}

/** Opens the editor in a page and waits until its workbench is drawn. */
export async function openEditor(context: BrowserContext, server: EditorServer, options: PageOptions): Promise<Page> {
  const page = await context.newPage();
  await page.goto(editorUrl(server, options));
  await page.locator('.monaco-workbench').waitFor({ timeout: 60_000 });
  return page;
}

/**
 * Opens the editor with a test suite and waits for the suite's end.
 * @returns the suite's exit code, 0 when all tests pass; what its console is given goes to `log`
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

/**
 * A built page of the extension without its host: the test posts what the host would, and reads what the page posts.
 * Nothing answers, so every state can be shown, alone or after another.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { browser } from '../../support/browser.ts';
import { loadWithEditor } from '../../support/withEditor.ts';
import { useSetup } from '../../support/useSetup.ts';
import { repoRoot } from '../../vscode/paths.ts';
import { ORIGIN, pageEditor, TYPES } from './pageFiles.ts';
import { defaultStyles, themes } from './themes.ts';
import { provideVsCodeApi } from './vscodeApi.ts';

export interface HostedPage {
  page: Page;
  /** Posts messages of the host, and waits until the page has drawn. */
  post(...messages: object[]): Promise<void>;
  /** Waits until the page has drawn. @returns what it has posted since the last call */
  posted(): Promise<unknown[]>;
  /** What VS Code restores the page from. */
  saved(): Promise<unknown>;
  /** Loads the page again, as VS Code does with this saved state. */
  reload(saved?: unknown): Promise<void>;
  stop(): Promise<void>;
}

async function open(
  entry: 'main' | 'results' | 'runs',
  viewport: { width: number; height: number },
): Promise<HostedPage> {
  const { pageFor } = await loadWithEditor<{ pageFor: (webview: object, extension: string, entry: string) => string }>(
    'vscode/host/html.ts',
    pageEditor,
  );
  const context = await (
    await browser()
  ).newContext({
    ...{ viewport, reducedMotion: 'reduce', locale: 'en-US', timezoneId: 'UTC' },
  });
  const page = await context.newPage();
  const problems: string[] = [];
  let received: unknown[] = [];
  await provideVsCodeApi(
    page,
    (message) => received.push(message),
    (text) => problems.push(text),
  );
  const variables = Object.entries(themes.dark).map(([name, value]) => `${name}: ${value};`);
  const style = `${defaultStyles} :root { background: var(--vscode-editor-background); ${variables.join(' ')} }`;
  await page.route('**/*', async (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === '/') {
      const html = pageFor({ cspSource: ORIGIN, asWebviewUri: (uri: string) => ORIGIN + uri }, repoRoot, entry);
      const themed = html
        .replace('</head>', `<link rel="stylesheet" href="${ORIGIN}/theme.css"></head>`)
        .replace('<body>', '<body class="vscode-dark" data-vscode-theme-kind="vscode-dark">');
      return route.fulfill({ contentType: 'text/html', body: themed });
    }
    if (pathname === '/theme.css') return route.fulfill({ contentType: 'text/css', body: style });
    return route.fulfill({ contentType: TYPES[extname(pathname)] ?? '', body: await readFile(join(pathname)) });
  });
  const drawn = (): Promise<void> =>
    page.evaluate(async () => {
      for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
    });
  const reload = async (): Promise<void> => {
    await page.goto(`${ORIGIN}/`);
    // The page reports once its code is loaded.
    while (!received.some((message) => (message as { type?: string }).type === 'ready')) await drawn();
  };
  await reload();
  return {
    page,
    post: async (...messages) => {
      await page.evaluate((all) => all.forEach((message) => window.postMessage(message, window.origin)), messages);
      await drawn();
    },
    posted: async () => {
      await drawn();
      const since = received;
      received = [];
      return since;
    },
    saved: () => page.evaluate(() => JSON.parse(sessionStorage.getItem('state') ?? 'null') as unknown),
    reload: async (saved = null) => {
      received = [];
      await page.evaluate((state) => sessionStorage.setItem('state', JSON.stringify(state)), saved);
      await reload();
    },
    stop: async () => {
      await context.close();
      assert.deepEqual(problems, [], 'the page keeps its policy');
    },
  };
}

/** For the tests of the suite that calls it. */
export const useHostedPage = (
  entry: 'main' | 'results' | 'runs',
  viewport = { width: 1300, height: 900 },
): HostedPage => useSetup(() => open(entry, viewport));

/** Opens the grid in a browser, on a page under the content security policy of the webview. */
import { build } from 'esbuild';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { themes } from '../support/themes.ts';
import { browser } from '../../support/browser.ts';

const origin = 'http://grid.test';
const nonce = 'gridTest';
const policy =
  `default-src 'none'; script-src 'nonce-${nonce}'; style-src ${origin}; font-src ${origin}; ` +
  `img-src ${origin} data:; require-trusted-types-for 'script'`;
const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Grid</title>
<link rel="stylesheet" href="/page.css"><link rel="stylesheet" href="/around.css">
<main aria-label="Results"></main><script type="module" nonce="${nonce}" src="/page.js"></script></html>`;
const around = `body{margin:8px;background:var(--vscode-sideBar-background);color:var(--vscode-foreground);
font:var(--vscode-font-size)/1.4 var(--vscode-font-family)}button{font:inherit;color:inherit}`;

export interface GridSite {
  page: Page;
  useTheme(name: keyof typeof themes): Promise<void>;
  close(): Promise<void>;
}

export async function openSite(viewport = { width: 640, height: 480 }): Promise<GridSite> {
  const files = await bundle();
  files.set('/around.css', around);
  const page = await newPage(files, viewport);
  const site: GridSite = {
    page,
    useTheme: (name) =>
      page.evaluate((variables) => {
        document.documentElement.removeAttribute('style');
        for (const [key, value] of Object.entries(variables)) document.documentElement.style.setProperty(key, value);
      }, themes[name]),
    close: () => page.context().close(),
  };
  await site.useTheme('dark');
  return site;
}

async function newPage(
  files: ReadonlyMap<string, string | Uint8Array>,
  viewport: { width: number; height: number },
): Promise<Page> {
  const page = await (await browser()).newPage({ viewport, locale: 'en-US', bypassCSP: false });
  await page.route(`${origin}/**`, (route) => {
    const path = new URL(route.request().url()).pathname;
    const file = files.get(path);
    const type = path.endsWith('.js') ? 'text/javascript' : path.endsWith('.css') ? 'text/css' : 'font/ttf';
    if (path === '/') {
      return route.fulfill({ body: html, contentType: 'text/html', headers: { 'content-security-policy': policy } });
    }
    return file === undefined
      ? route.fulfill({ status: 404 })
      : route.fulfill({ body: Buffer.from(file), contentType: type });
  });
  await page.goto(`${origin}/`);
  await page.waitForFunction(() => 'gridPage' in window);
  return page;
}

async function bundle(): Promise<Map<string, string | Uint8Array>> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('page.ts', import.meta.url))],
    bundle: true,
    format: 'esm',
    target: 'es2024',
    outdir: 'site',
    write: false,
    legalComments: 'none',
    loader: { '.ttf': 'file' },
    assetNames: '[name]',
  });
  return new Map(outputFiles.map(({ path, contents }) => [`/${basename(path)}`, contents]));
}

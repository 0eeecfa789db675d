/** Pages as the editor's webviews are: one script, one style sheet, and a policy that allows nothing else. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { chromium, type Browser, type Page } from 'playwright-core';
import { themes } from '../../e2e/grid/themes.ts';
import { installChromium } from '../../vscode/chromium.ts';
import { repoRoot } from '../../vscode/paths.ts';
import { trialPlugin } from '../../../webview/chart/trialPlugin.ts';

export type Files = ReadonlyMap<string, Uint8Array>;

const origin = 'http://webview.test';
const nonce = 'benchNonce';
const types: Record<string, string> = { js: 'text/javascript', css: 'text/css', ttf: 'font/ttf' };

/** That of our webviews. */
export const policy =
  `default-src 'none'; script-src 'nonce-${nonce}'; style-src ${origin} 'nonce-${nonce}'; ` +
  `font-src ${origin}; img-src data: blob:; worker-src blob:`;

/** @returns the webview's files as they are shipped */
export function shippedFiles(): Files {
  const folder = join(repoRoot, 'dist', 'webview');
  return new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));
}

/** @returns the files of a page of a benchmark's own, built as the webview is */
export async function builtFiles(entry: string): Promise<Files> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2024',
    outdir: 'site',
    assetNames: '[name]',
    write: false,
    legalComments: 'none',
    define: { 'process.env.NODE_ENV': '"production"' },
    loader: { '.ttf': 'file' },
    plugins: [trialPlugin],
    jsx: 'automatic',
    jsxImportSource: 'preact',
  });
  return new Map(outputFiles.map(({ path, contents }) => [basename(path), contents]));
}

/** A browser whose frames come as fast as they can: the time of a frame is then the work in it. */
export async function openBrowser(): Promise<Browser> {
  const quiet = ['--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update'];
  const fast = ['--disable-gpu', '--disable-frame-rate-limit', '--disable-gpu-vsync'];
  return chromium.launch({ executablePath: await installChromium(), args: ['--no-sandbox', ...quiet, ...fast] });
}

export interface PageOptions {
  files: Files;
  /** Name of the script and the style sheet. */
  entry: string;
  viewport?: { width: number; height: number };
  /** Code for the page, run before its own. */
  before?: () => void;
  /** Further styles. */
  css?: string;
  /** `undefined` for a page that allows everything. */
  policy?: string | undefined;
}

/** Opens a page of these files in the dark theme; its own code has then run. */
export async function openPage(browser: Browser, options: PageOptions): Promise<Page> {
  const { files, entry, viewport = { width: 420, height: 800 }, before, css = '' } = options;
  const page = await browser.newPage({ viewport, locale: 'en-US' });
  if (before) await page.addInitScript(before);
  const variables = Object.entries(themes.dark).map(([name, value]) => `${name}:${value}`);
  const sheets = new Map(files).set('theme.css', Buffer.from(`:root{${variables.join(';')}}${css}`));
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Bench</title>
<meta property="csp-nonce" content="${nonce}"><link rel="stylesheet" href="/${entry}.css"><link rel="stylesheet" href="/theme.css">
<div id="root"></div><script type="module" nonce="${nonce}" src="/${entry}.js"></script></html>`;
  await page.route(`${origin}/**`, (route) => {
    const name = new URL(route.request().url()).pathname.slice(1);
    const headers = options.policy === undefined ? undefined : { 'content-security-policy': options.policy };
    if (name === '') return route.fulfill({ body: html, contentType: 'text/html', headers });
    const file = sheets.get(name);
    const contentType = types[name.split('.').pop() ?? ''] ?? 'application/octet-stream';
    return file ? route.fulfill({ body: Buffer.from(file), contentType }) : route.fulfill({ status: 404 });
  });
  page.on('pageerror', (error) => console.error(error));
  await page.goto(`${origin}/`);
  return page;
}

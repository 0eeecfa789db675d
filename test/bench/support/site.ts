/** Serves pages like VS Code's webviews: one script, one style sheet, and a policy that allows nothing else. */
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { chromium, type Browser, type CDPSession, type Page } from 'playwright-core';
import { themes } from '../../browser/support/themes.ts';
import { mapped, type Parts } from '../result.ts';
import { installChromium } from '../../vscode/chromium.ts';
import { repoRoot } from '../../vscode/paths.ts';

export type Files = ReadonlyMap<string, Uint8Array>;

const nonce = 'benchNonce';
const types: Record<string, string> = { js: 'text/javascript', css: 'text/css', ttf: 'font/ttf' };

/** The content security policy of our webviews. */
const policy = (origin: string): string =>
  `default-src 'none'; script-src 'nonce-${nonce}'; style-src ${origin} 'nonce-${nonce}'; ` +
  `font-src ${origin}; img-src data: blob:`;

/** @returns the files of the webview as shipped */
export function shippedFiles(): Files {
  const folder = join(repoRoot, 'dist', 'webview');
  return new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));
}

/** @returns the files of a benchmark's page, built like the webview */
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
    jsx: 'automatic',
    jsxImportSource: 'preact',
  });
  return new Map(outputFiles.map(({ path, contents }) => [basename(path), contents]));
}

/** A browser without a frame rate limit, so that the duration of a frame is the work in it. */
export async function openBrowser(): Promise<Browser> {
  const quiet = ['--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update'];
  const fast = ['--disable-gpu', '--disable-frame-rate-limit', '--disable-gpu-vsync'];
  return chromium.launch({ executablePath: await installChromium(), args: ['--no-sandbox', ...quiet, ...fast] });
}

export interface PageOptions {
  files: Files;
  /** File name of the script and the style sheet, without extension. */
  entry: string;
  viewport?: { width: number; height: number };
  /** Code to run in the page before its own. */
  before?: () => void;
  /** Additional styles. */
  css?: string;
  /** Whether to enforce the policy of our webviews. */
  strict: boolean;
}

/** Serves the files and opens a page of them in the dark theme; the server stops with the page. */
export async function openPage(browser: Browser, options: PageOptions): Promise<Page> {
  const { viewport = { width: 420, height: 800 }, before } = options;
  const server = await serve(options);
  const page = await browser.newPage({ viewport, locale: 'en-US' });
  page.on('close', () => server.close());
  page.on('pageerror', (error) => console.error(error));
  if (before) await page.addInitScript(before);
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  return page;
}

function serve({ files, entry, css = '', strict }: PageOptions): Promise<Server> {
  const variables = Object.entries(themes.dark).map(([name, value]) => `${name}:${value}`);
  const theme = Buffer.from(`:root{${variables.join(';')}}${css}`);
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Bench</title>
<meta property="csp-nonce" content="${nonce}"><link rel="stylesheet" href="/${entry}.css"><link rel="stylesheet" href="/theme.css">
<div id="root"></div><script type="module" nonce="${nonce}" src="/${entry}.js"></script></html>`;
  const server = createServer((request, response) => {
    const name = request.url?.slice(1) ?? '';
    if (name === '') {
      if (strict) response.setHeader('content-security-policy', policy(`http://${request.headers.host}`));
      return response.setHeader('content-type', 'text/html').end(html);
    }
    const file = name === 'theme.css' ? theme : files.get(name);
    response.setHeader('content-type', types[name.split('.').pop() ?? ''] ?? 'application/octet-stream');
    return file ? response.end(file) : response.writeHead(404).end();
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

/** A measurement with its breakdown. */
export interface Split {
  total: number;
  parts: Parts;
}

/**
 * @returns a function that returns the milliseconds of processor time on the page's main thread since its last call,
 * independent of other load on the machine
 */
export async function mainThread(page: Page): Promise<() => Promise<Split>> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  const read = async (): Promise<Split> => {
    const { metrics } = await cdp.send('Performance.getMetrics');
    const of = (wanted: string): number => (metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN) * 1000;
    const [total, script, style, layout] = [
      of('TaskDuration'),
      of('ScriptDuration'),
      of('RecalcStyleDuration'),
      of('LayoutDuration'),
    ];
    return { total, parts: { script, style, layout, 'paint and all else': total - script - style - layout } };
  };
  let last = await read();
  return async () => {
    const now = await read();
    const split = since(last, now);
    last = now;
    return split;
  };
}

/** @returns the difference of two measurements */
export function since(before: Split, after: Split): Split {
  const parts = mapped(after.parts, (value, name) => value - (before.parts[name] ?? 0));
  return { total: after.total - before.total, parts };
}

/** @returns the sum of two measurements */
export function together(one: Split, other: Split): Split {
  const parts = mapped(one.parts, (value, name) => value + (other.parts[name] ?? 0));
  return { total: one.total + other.total, parts };
}

/** @returns megabytes of JavaScript and DOM objects in use */
export async function heapUsed(cdp: CDPSession): Promise<Split> {
  await collectGarbage(cdp);
  const { usedSize, embedderHeapUsedSize } = await cdp.send('Runtime.getHeapUsage');
  const [script, document] = [usedSize / 1e6, embedderHeapUsedSize / 1e6];
  return { total: script + document, parts: { script, document } };
}

export async function collectGarbage(cdp: CDPSession): Promise<void> {
  // Twice, because the second collection frees what the first one finalizes.
  await cdp.send('HeapProfiler.collectGarbage');
  await cdp.send('HeapProfiler.collectGarbage');
}

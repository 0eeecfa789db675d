import { build } from 'esbuild';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import type { ChartInput } from '../../../webview/chart/chart.ts';
import type { ChartPage, Drawn } from './page.ts';
import { themes } from './themes.ts';
import { browser } from '../../support/browser.ts';

/** The nonce of the page. */
const nonce = 'testNonce123';

export interface ChartSite {
  page: Page;
  /** Every URL that the page requested besides its own files. */
  requests: string[];
  draw(input: ChartInput, keep?: boolean): Promise<Drawn>;
  useTheme(name: keyof typeof themes): Promise<void>;
  /** The number of marks of a kind (`rect`, `symbol`, …) in the shown charts, without axes and legends. */
  countMarks(kind: string): Promise<number>;
  /** Removes all charts. */
  clear(): Promise<void>;
  violations(): Promise<string[]>;
  close(): Promise<void>;
}

/** Serves the bundled charts under the content security policy of the webview and opens them in a browser. */
export async function openSite(viewport = { width: 720, height: 900 }, timezoneId?: string): Promise<ChartSite> {
  const files = await bundle();
  const server = await serve(files);
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const context = await (
    await browser()
  ).newContext({ viewport, ...(timezoneId ? { timezoneId } : {}), locale: 'en-US' });
  const page = await context.newPage();
  const requests: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`) && !request.url().startsWith('blob:')) requests.push(request.url());
  });
  await page.goto(`${origin}/`);
  await page.waitForFunction(() => 'chartPage' in window);
  return siteOf(page, requests, server);
}

declare global {
  interface Window {
    chartPage: ChartPage;
  }
}

function siteOf(page: Page, requests: string[], server: Server): ChartSite {
  return {
    page,
    requests,
    draw: (input, keep = false) =>
      page.evaluate(({ chart, kept }) => window.chartPage.draw(chart, kept), { chart: input, kept: keep }),
    useTheme: (name) =>
      page.evaluate(({ kind, variables }) => {
        document.body.className = kind;
        document.body.dataset.vscodeThemeKind = kind;
        for (const [key, value] of Object.entries(variables)) document.documentElement.style.setProperty(key, value);
        return window.chartPage.setTheme();
      }, themes[name]),
    countMarks: (kind) => page.locator(`.role-mark.mark-${kind} > *`).count(),
    clear: () => page.evaluate(() => window.chartPage.clear()),
    // The first violation is that of the control, which must be blocked.
    violations: () => page.evaluate(() => window.chartPage.violations.slice(1)),
    close: async () => {
      await page.context().close();
      server.close();
    },
  };
}

async function bundle(): Promise<Map<string, Uint8Array>> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('page.ts', import.meta.url))],
    bundle: true,
    splitting: true,
    format: 'esm',
    minify: true,
    target: 'es2022',
    outdir: 'site',
    write: false,
    legalComments: 'none',
  });
  return new Map(outputFiles.map(({ path, contents }) => [`/${basename(path)}`, contents]));
}

function serve(files: ReadonlyMap<string, Uint8Array>): Promise<Server> {
  const server = createServer((request, response) => {
    const origin = `http://${request.headers.host}`;
    const file = files.get(request.url ?? '');
    if (file) return response.setHeader('content-type', 'text/javascript').end(file);
    if (request.url !== '/') return response.writeHead(404).end();
    const policy = [
      `default-src 'none'`,
      `script-src 'nonce-${nonce}'`,
      `style-src ${origin} 'nonce-${nonce}'`,
      `font-src ${origin}`,
      `img-src ${origin} data: blob:`,
      `connect-src 'none'`,
    ].join('; ');
    response.setHeader('content-type', 'text/html').setHeader('content-security-policy', policy);
    response.end(html);
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
}

const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Charts</title>
<style nonce="${nonce}">body{margin:12px;background:var(--vscode-editor-background);color:var(--vscode-foreground);font:13px sans-serif}
section{margin-bottom:16px}</style>
<main></main><script type="module" nonce="${nonce}" src="/page.js"></script></html>`;

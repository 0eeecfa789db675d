import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { fileURLToPath } from 'node:url';
import { readFile } from 'node:fs/promises';
import { browser } from '../../support/browser.ts';
import type { MarkdownPage } from './page.ts';

const origin = 'https://webview.test';
const nonce = 'markdown-tests';
/** As strict as the product's page; every attempt to load something is a violation. */
const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src ${origin}; form-action 'none'; base-uri 'none'`;

/** Violations: things that an answer must not do. */
export interface Attempts {
  requests: string[];
  navigations: string[];
  violations: string[];
  dialogs: string[];
  popups: string[];
}

export interface TestPage {
  page: Page;
  attempts: Attempts;
}

async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(entry, import.meta.url))],
    bundle: true,
    format: 'iife',
    target: 'es2022',
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}

const style = (name: string): Promise<string> =>
  readFile(new URL(`../../../webview/markdown/${name}`, import.meta.url), 'utf8');

/** Opens a page with the renderer in it, under the product's content security policy. */
export async function openMarkdownPage(): Promise<TestPage> {
  const script = await bundle('./page.ts');
  const page = await (await browser()).newPage();
  const attempts: Attempts = { requests: [], navigations: [], violations: [], dialogs: [], popups: [] };
  const html = `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">
<link rel="stylesheet" href="${origin}/markdown.css"><body><script nonce="${nonce}" src="${origin}/page.js"></script>`;
  const served: Record<string, { body: string; contentType: string }> = {
    '/': { body: html, contentType: 'text/html' },
    '/page.js': { body: script, contentType: 'text/javascript' },
    '/markdown.css': { body: await style('markdown.css'), contentType: 'text/css' },
    '/highlight.css': { body: await style('highlight.css'), contentType: 'text/css' },
  };
  await page.route('**/*', async (route) => {
    const url = new URL(route.request().url());
    const file = url.origin === origin ? served[url.pathname] : undefined;
    if (file !== undefined) return route.fulfill(file);
    attempts.requests.push(url.href);
    return route.abort();
  });
  await page.exposeFunction('reportViolation', (blocked: string) => attempts.violations.push(blocked));
  await page.addInitScript(() => {
    const { reportViolation } = window as unknown as { reportViolation(blocked: string): void };
    addEventListener('securitypolicyviolation', (event) =>
      reportViolation(`${event.violatedDirective} ${event.blockedURI}`),
    );
  });
  page.on('dialog', (dialog) => {
    attempts.dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  page.on('popup', (popup) => attempts.popups.push(popup.url()));
  await page.goto(`${origin}/`);
  page.on('framenavigated', (frame) => attempts.navigations.push(frame.url()));
  return { page, attempts };
}

declare global {
  interface Window {
    markdown: MarkdownPage;
  }
}

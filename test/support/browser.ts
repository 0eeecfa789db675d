import type { Browser } from 'playwright-core';
import { launchBrowser } from '../vscode/chromium.ts';

let shared: Promise<Browser> | undefined;

/** The browser of this process; started again if it crashed. */
export async function browser(): Promise<Browser> {
  if (shared && !(await shared).isConnected()) shared = undefined;
  return (shared ??= launchBrowser());
}

/**
 * Closes all pages. Also closes the browser, except in a worker of a parallel run, which keeps it for its next test
 * file.
 */
export async function closeBrowser(): Promise<void> {
  const open = await shared;
  if (process.env['MOCHA_WORKER_ID'] === undefined) {
    shared = undefined;
    return open?.close();
  }
  for (const context of open?.contexts() ?? []) await context.close();
}

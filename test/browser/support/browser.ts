import type { Browser } from 'playwright-core';
import { launchBrowser } from '../../vscode/chromium.ts';

let shared: Promise<Browser> | undefined;

/** The browser of this process. */
export const browser = (): Promise<Browser> => (shared ??= launchBrowser());

/** Closes the browser of this process. */
export async function closeBrowser(): Promise<void> {
  await (await shared)?.close();
  shared = undefined;
}

import type { Page } from 'playwright-core';
import { quickInput, quickPickItem, runCommand } from './editor.ts';

type Kind = 'API key' | 'Service token';

/** Completes the connection wizard: URL, API key or token, and with a key the user "dev". */
export async function connect(page: Page, chatApiUrl: string, secret: string, kind: Kind = 'API key'): Promise<void> {
  await runCommand(page, 'Analytics Chat: Connect…');
  await step(page, 'Chat API URL');
  await type(page, chatApiUrl);
  await quickPickItem(page, kind).click();
  await step(page, `Analytics Chat: ${kind}`);
  await type(page, secret);
  if (kind === 'Service token') return;
  await step(page, 'Choose an identity');
  await type(page, 'dev');
}

async function step(page: Page, title: string): Promise<void> {
  await page.locator('.quick-input-widget:visible').filter({ hasText: title }).waitFor();
}

async function type(page: Page, text: string): Promise<void> {
  await quickInput(page).fill(text);
  await page.keyboard.press('Enter');
}

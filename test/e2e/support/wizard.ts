import type { Page } from 'playwright-core';
import { quickInput, quickPickItem, runCommand } from './editor.ts';

/** Goes through the wizard from an editor that knows nothing: address, API key, and the user "dev". */
export async function connect(page: Page, chatApiUrl: string, apiKey: string): Promise<void> {
  await runCommand(page, 'Analytics Chat: Connect…');
  await step(page, 'Chat API URL');
  await type(page, chatApiUrl);
  await quickPickItem(page, 'API key').click();
  await step(page, 'API key');
  await type(page, apiKey);
  await step(page, 'Whom do you ask as?');
  await type(page, 'dev');
}

async function step(page: Page, title: string): Promise<void> {
  await page.locator('.quick-input-widget:visible').filter({ hasText: title }).waitFor();
}

async function type(page: Page, text: string): Promise<void> {
  await quickInput(page).fill(text);
  await page.keyboard.press('Enter');
}

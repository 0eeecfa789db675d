/** Starts comparisons from the command palette. */
import type { Page } from 'playwright-core';
import { quickInput, quickPickItem, runCommand } from './editor.ts';

/** Selects an item once the quick pick with this placeholder is open. */
export async function pick(page: Page, placeholder: string | RegExp, label: string): Promise<void> {
  await page.locator('.quick-input-widget:visible').getByPlaceholder(placeholder).waitFor();
  await quickInput(page).fill(label);
  await quickPickItem(page, label).click();
}

/** Asks a question on two branches or as two identities. */
export async function compare(
  page: Page,
  question: string,
  [left, right]: readonly [string, string],
  what: 'Two branches' | 'Two identities' = 'Two branches',
): Promise<void> {
  await runCommand(page, 'Analytics Chat: Compare Branches…');
  await quickInput(page).fill(question);
  await page.keyboard.press('Enter');
  await pick(page, 'Select what to compare', what);
  await pick(page, /^Select the first/, left);
  await pick(page, /^Select the (branch|identity) to compare/, right);
}

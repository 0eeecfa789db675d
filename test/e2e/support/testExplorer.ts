/** VS Code's Test Explorer. */
import type { Locator, Page } from 'playwright-core';
import { quickInput, quickPickItem, runCommand } from './editor.ts';

/** Opens the Test Explorer and expands its files. */
export async function openTestExplorer(page: Page): Promise<void> {
  // In the activity bar as soon as the extension has registered its tests; a second click would hide the view.
  if (!(await page.locator('.test-explorer').isVisible()))
    await page
      .locator('.activitybar')
      .getByRole('tab', { name: /^Testing/ })
      .click();
  const files = rows(page).filter({ hasText: /^[^ ]*\.yml/ });
  await files.first().waitFor();
  for (const file of await files.all()) {
    const isOpen = (await file.getAttribute('aria-expanded')) === 'true';
    if (!isOpen) await file.locator('.monaco-tl-twistie').click();
  }
}

const rows = (page: Page): Locator => page.locator('.test-explorer .monaco-list-row');

/** @param state as a screen reader says it: `Passed`, `Failed`, `Skipped`, `Errored` or `Not yet run` */
export const testRow = (page: Page, name: string, state: string): Locator =>
  page.locator(`.test-explorer .monaco-list-row[aria-label^="${name} (${state})"]`);

/** @returns the names of the listed tests in a state, without files */
export async function testsIn(page: Page, state: string): Promise<string[]> {
  const labels = await rows(page).evaluateAll((all) => all.map((row) => row.getAttribute('aria-label') ?? ''));
  return labels.flatMap((label) => {
    const [, name = '', found] = /^(\S+) \(([^)]+)\)/.exec(label) ?? [];
    return found === state && !name.endsWith('.yml') ? [name] : [];
  });
}

export async function runAllTests(page: Page): Promise<void> {
  await runCommand(page, 'Test: Run All Tests');
  await page.getByRole('button', { name: 'Cancel Test Run' }).waitFor();
}

/** Waits for the end of the run. @returns the line above the tree, such as `25/33` */
export async function runEnd(page: Page): Promise<string> {
  await page
    .locator('.test-explorer-messages, .result-summary')
    .filter({ hasText: /\d+\/\d+/ })
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Cancel Test Run' }).waitFor({ state: 'detached', timeout: 120_000 });
  return (await page.locator('.result-summary').first().textContent()) ?? '';
}

/** Opens the context menu of a test and chooses from it. */
export async function chooseForTest(page: Page, name: string, item: string): Promise<void> {
  await page.locator(`.test-explorer .monaco-list-row[aria-label^="${name} ("]`).click({ button: 'right' });
  await page.getByRole('menuitem', { name: item }).hover();
  await page.keyboard.press('Enter');
}

export async function switchBranch(page: Page, branch: string): Promise<void> {
  await runCommand(page, 'Analytics Chat: Switch Branch…');
  await quickInput(page).fill(branch);
  await quickPickItem(page, branch).click();
  await page.getByRole('button', { name: `Analytics Chat branch: ${branch}`, exact: true }).waitFor();
}

/** Certify and Correct under an answer, in the real VS Code: preview, apply, one undo. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, it } from 'mocha';
import type { Locator, Page } from 'playwright-core';
import type { Chat } from '../support/chat.ts';
import { becomes, until } from '../support/until.ts';
import { openNewChat } from './support/chat.ts';
import { notification, quickInput, quickPickItem, runCommand } from './support/editor.ts';
import type { SandboxEditor } from './support/sandboxEditor.ts';
import { screenshot } from './support/screenshot.ts';

const CUBE = 'model/cubes/line_items.yml';
const CERTIFIED = 'agents/certified_queries/revenue_by_region_in_2024.md';
const HINT = 'What customers paid, without refunds.';

export const certifying = (setup: SandboxEditor): void => {
  let page: Page;
  let chat: Chat;
  const path = (file: string): string => join(setup.editor.workspace ?? '', file);
  const read = (file: string): string => readFileSync(path(file), 'utf8');
  /** Waits until a file has such contents; VS Code creates and empties files before it writes them. */
  const written = (file: string, contents: RegExp): Promise<unknown> =>
    until(
      () => existsSync(path(file)) && contents.test(read(file)),
      () => `${file} was not written as expected`,
    );
  const button = (name: string): Locator => page.getByRole('button', { name, exact: true });

  before(async () => {
    ({ page } = setup);
    chat = await openNewChat(page);
    await chat.ask('revenue by region in 2024');
    await chat.told('Answer finished');
  });

  /** Opens the preview of a new description of a member. */
  async function correct(): Promise<void> {
    await chat.button('Correct…').click();
    await quickPickItem(page, 'sales.revenue').click();
    await quickPickItem(page, 'description').click();
    await page.locator('.quick-input-widget:visible').getByText('What sales.revenue means').waitFor();
    await quickInput(page).fill(HINT);
    await page.keyboard.press('Enter');
    await button('Apply').waitFor();
  }
  it('shows the diff of a correction again if it was closed, and writes one line that one undo removes', async () => {
    const original = read(CUBE);
    await correct();
    await screenshot(page, 'correct preview');
    await runCommand(page, 'View: Close Editor');
    await button('Apply').waitFor({ state: 'detached' });
    assert.equal(read(CUBE), original);
    await notification(page, 'Nothing was written').getByRole('button', { name: 'Show preview' }).click();
    await button('Apply').click();
    const corrected = original.replace(/(name: revenue\n.*\n +description: ).*/, `$1${HINT}`);
    await becomes(() => read(CUBE), corrected);

    await page.getByRole('tab', { name: /^line_items\.yml/, selected: true }).waitFor();
    await page.locator('.monaco-editor .view-lines').first().click();
    await runCommand(page, 'Undo');
    await runCommand(page, 'File: Save All Files');
    await becomes(() => read(CUBE), original);
  });

  it('writes a certified query and its test after one preview, and removes both with one undo', async () => {
    await chat.button('Certify…').click();
    await page.locator('.quick-input-widget:visible').getByText('Add a question test').waitFor();
    await page.keyboard.press('Enter');
    await button('Apply').waitFor();
    await page.getByText('user_request: revenue by region in 2024').first().waitFor();
    await screenshot(page, 'certify preview');
    assert.equal(existsSync(path(CERTIFIED)), false);
    await button('Apply').click();
    await written(CERTIFIED, /^---\nname: \S+\nuser_request: revenue by region in 2024\n---\n\nSELECT/);
    await written('.analytics-chat/questions.yml', /certifiedQuery: revenue_by_region_in_2024/);

    await page.getByRole('tab', { name: /^revenue_by_region_in_2024\.md/, selected: true }).waitFor();
    await page.getByRole('tab', { name: /^Certify/ }).waitFor({ state: 'detached' });
    await runCommand(page, 'Undo');
    await until(() => !existsSync(path(CERTIFIED)) && !existsSync(path('.analytics-chat/questions.yml')));
  });
};

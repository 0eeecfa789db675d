/** Commands, menus and lenses appear only where they are useful. */
import assert from 'node:assert/strict';
import { before, it } from 'mocha';
import type { Page } from 'playwright-core';
import { until } from '../../support/until.ts';
import type { Chat } from '../../support/chat.ts';
import { chooseFromMenu, openFile, quickInput, quickPickItem, runCommand } from '../support/editor.ts';
import type { WrittenChat } from '../support/writtenChat.ts';
import { step } from '../support/step.ts';
import type { WrittenService } from '../../support/service/writtenService.ts';

const SQL = 'SELECT MEASURE(sales.revenue) FROM sales';

export const offers = (setup: WrittenChat): void => {
  let service: WrittenService;
  let page: Page;
  let chat: Chat;

  before(async () => {
    ({ service, page, chat } = setup);
    await openFile(page, 'scratch.sql');
    await setup.newChat();
  });

  /** Whether the palette lists a command now. */
  const isListed = async (title: string): Promise<boolean> => {
    await page.keyboard.press('F1');
    await quickInput(page).fill(`>Analytics Chat: ${title}`);
    const rows = page.locator('.quick-input-widget:visible .monaco-list-row');
    // The unfiltered list contains none of these.
    const filtered = rows
      .filter({ has: page.locator('.highlight') })
      .or(page.locator('.quick-input-widget:visible').getByText(/^(similar commands|No matching commands)$/));
    await filtered.first().waitFor();
    const count = await quickPickItem(page, `Analytics Chat: ${title}`).count();
    await page.keyboard.press('Escape');
    await quickInput(page).waitFor({ state: 'detached' });
    return count > 0;
  };
  /** Polls until the palette lists a command, or no longer does; VS Code updates it with a delay. */
  const listed = (title: string, isThere: boolean): Promise<true> =>
    until(
      async () => (await isListed(title)) === isThere,
      () => `${title} is ${isThere ? 'not ' : ''}listed`,
    );

  it('are in the palette only while they apply', async () => {
    await step("that an empty chat can't use are hidden", async () => {
      for (const title of ['Export Chat…', 'Insert Last SQL', 'Add as Test…', 'Stop the Answer'])
        await listed(title, false);
      assert.ok(await isListed('Record This Chat'));
      assert.ok(!(await isListed('Stop and Save the Recording…')));
    });

    await step('to stop an answer appear only while one is running', async () => {
      await chat.ask('revenue?');
      const written = await service.next();
      written.tool('q1', 'svcSqlApi', { sqlQuery: SQL });
      await listed('Stop the Answer', true);
      await chat.field.press('Escape');
      await chat.told('Stopped');
      await listed('Stop the Answer', false);
    });
  });

  it('are in menus and have key bindings', async () => {
    await step('for SQL appear with their key bindings as soon as the chat has SQL', async () => {
      await listed('Insert Last SQL', true);
      await openFile(page, 'scratch.sql');
      await page.keyboard.press('Control+End');
      await page.keyboard.press('Control+K');
      await page.keyboard.press('l');
      await page.locator('.monaco-editor .view-line').filter({ hasText: 'MEASURE(sales.revenue)' }).waitFor();
    });

    await step('are in the menus of the editor and of files', async () => {
      // An insertion scrolls to its end, which closes a menu.
      await openFile(page, 'scratch.sql');
      await page.locator('.monaco-editor .view-line').last().click({ button: 'right' });
      const item = page.getByRole('menuitem', { name: 'Insert Last SQL' });
      await item.waitFor();
      await page.keyboard.press('Escape');
      await item.waitFor({ state: 'detached' });
      await runCommand(page, 'View: Show Explorer');
      await page.getByRole('treeitem', { name: 'dbt_project.yml' }).click({ button: 'right' });
      await chooseFromMenu(page, 'Ask About This File');
      await chat.field.waitFor();
      await chat.button('Remove dbt_project.yml').click();
    });

    await step('open the chat from the editor by key binding', async () => {
      await openFile(page, 'scratch.sql');
      await page.keyboard.press('Control+K');
      await page.keyboard.press('a');
      await chat.view.locator('textarea:focus').waitFor();
    });

    await step('insert the SQL of a card from its context menu, after a preview', async () => {
      await chat.view
        .getByRole('group', { name: /^SQL query/ })
        .locator('.card-title')
        .click({ button: 'right' });
      await chooseFromMenu(page, 'Insert SQL…');
      await page.getByRole('button', { name: 'Apply', exact: true }).waitFor();
      await runCommand(page, 'View: Close Editor');
      await page.locator('.monaco-diff-editor').waitFor({ state: 'detached' });
    });
  });
};

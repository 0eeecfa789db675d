/** The chat by keyboard, with the focus in and out of VS Code's editors and prompts. */
import assert from 'node:assert/strict';
import { before, it } from 'mocha';
import type { Page } from 'playwright-core';
import { innerFrame, type Chat } from '../../support/chat.ts';
import { openFile, quickInput, runCommand } from '../support/editor.ts';
import type { WrittenChat } from '../support/writtenChat.ts';
import { step } from '../support/step.ts';
import type { WrittenService } from '../../support/service/writtenService.ts';
import { focuses, tabTo } from '../../support/keyboard.ts';
import { finish, work } from '../../support/service/ordersAnswer.ts';

export const accessibility = (setup: WrittenChat): void => {
  let service: WrittenService;
  let page: Page;
  let chat: Chat;

  before(() => ({ service, page, chat } = setup));

  it('allows the whole main job by keyboard alone', async () => {
    await openFile(page, 'scratch.sql');
    await page.keyboard.press('Control+End');
    await setup.newChat();
    await tabTo(page, chat, /^Message$/);
    await page.keyboard.type('orders by status');
    await tabTo(page, chat, /^Send$/);
    await page.keyboard.press('Enter');
    const written = await service.next();
    await focuses(chat, /^Message$/);
    work(written);
    await finish(written, chat);
    await focuses(chat, /^Message$/);
    await tabTo(page, chat, /^Steps/, 'Shift+Tab');
    await page.keyboard.press('Enter');
    await chat.view.getByRole('group', { name: /^Model search/ }).waitFor();
    await focuses(chat, /^Steps/);
    await tabTo(page, chat, /^Insert SQL$/);
    await page.keyboard.press('Enter');
    await page.locator('.editor-group-container.active .view-lines').filter({ hasText: 'MEASURE' }).waitFor();

    await runCommand(page, 'Analytics Chat: Open Chat');
    await tabTo(page, chat, /^Message$/);
    await page.keyboard.type('endless');
    await page.keyboard.press('Enter');
    await service.next();
    await chat.button('Stop').waitFor();
    await tabTo(page, chat, /^Stop$/);
    await page.keyboard.press('Enter');
    await chat.told('Stopped');
    await focuses(chat, /^Message$/);
    await page.keyboard.type('once more');
    await page.keyboard.press('Enter');
    await service.next();
    await chat.button('Stop').waitFor();
    await page.keyboard.press('Escape');
    await chat.told('Stopped');
    await focuses(chat, /^Message$/);
  });

  it('keeps the focus where the user is: in an editor, and after a prompt', async () => {
    // First: a prompt that opens within a second after another one stays open without the focus.
    await step('leaves the focus in the editor that is clicked while a prompt is open', async () => {
      await openFile(page, 'scratch.sql');
      await page.keyboard.press('Control+End');
      await setup.newChat();
      await chat.button(/^Branch/).click();
      const prompt = page.locator('.quick-input-widget:visible').filter({ hasText: 'Switch Branch' });
      await prompt.locator('input:focus').waitFor();
      // Beside the prompt, and not at the end, where the cursor is already: a click there would not move it.
      const line = page.locator('.editor-group-container.active .view-line').filter({ hasText: 'Scratch' });
      await line.click({ position: { x: 700, y: 8 } });
      await prompt.waitFor({ state: 'hidden' });
      const typed = '-- typed in the editor, not in the chat';
      await page.keyboard.type(typed, { delay: 10 });
      await page
        .locator('.view-line')
        .filter({ hasText: typed.replaceAll(' ', '\u00a0') })
        .waitFor();
      assert.equal(await chat.field.inputValue(), '');
    });

    await step('restores the focus after a prompt', async () => {
      await setup.newChat();
      await tabTo(page, chat, /^Branch/, 'Shift+Tab');
      for (const name of [/^Branch/, /^Identity/, /^Attach image or context/]) {
        await tabTo(page, chat, name);
        await page.keyboard.press('Enter');
        await quickInput(page).press('Escape');
        await (await innerFrame(chat)).waitForFunction(() => document.hasFocus());
        await focuses(chat, name);
      }
    });

    await step('restores the focus after the prompt of an error', async () => {
      await setup.newChat();
      await chat.ask('on this branch');
      (await service.next()).line({ error: 'BadRequestError: Bad branch' });
      await chat.view.getByRole('alert').getByRole('button', { name: 'Switch branch' }).click();
      await quickInput(page).press('Escape');
      await quickInput(page).waitFor({ state: 'hidden' });
      await page.waitForFunction(() => document.activeElement?.matches('iframe.webview'));
    });
  });
};

/** Renaming, deleting and restoring threads of the history. */
import { before, describe, it } from 'mocha';
import type { Locator, Page } from 'playwright-core';
import { pasteFile, type Chat } from '../../support/chat.ts';
import { pixel } from '../../support/samples.ts';
import { until } from '../../support/until.ts';
import type { WrittenService } from '../../support/service/writtenService.ts';
import { useHistory } from './support.ts';

describe('Threads in the history', () => {
  const setup = useHistory();
  const { newChat, panel, search, row, listed, showHistory, focuses } = setup;
  let service: WrittenService;
  let page: Page;
  let chat: Chat;

  before(() => ({ service, page, chat } = setup));

  it('are renamed, deleted, restored and opened by keyboard alone', async () => {
    await showHistory();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await focuses('returns by region');
    // Deletes a chat only with the Command key of macOS.
    await page.keyboard.press('Backspace');
    await listed('top customers', 'returns by region', 'orders by month');
    await page.keyboard.press('F2');
    await page.keyboard.type('-Regions');
    await page.keyboard.press('Home');
    // Deletes a character, not the thread.
    await page.keyboard.press('Delete');
    await page.keyboard.press('Enter');
    await listed('top customers', 'Regions', 'orders by month');
    await focuses('Regions');
    await page.keyboard.press('Delete');
    await listed('top customers', 'orders by month');
    await focuses('orders by month');
    await page.keyboard.press('Delete');
    await listed('top customers');
    await focuses('top customers');
    const deleted = chat.view.locator('.history-undo');
    await deleted.getByText('“orders by month” was deleted.').waitFor();
    await chat.told('“orders by month” was deleted.');
    await chat.button('Undo').press('Enter');
    await listed('top customers', 'orders by month');
    await deleted.getByText('“Regions” was deleted.').waitFor();
    await chat.button('Undo').press('Enter');
    await listed('top customers', 'Regions', 'orders by month');
    await search().fill('by month');
    await listed('orders by month');
    await search().press('Enter');
    await chat.answers().getByText('Most of them in May.').waitFor();
    await focuses('Message');
    await panel().waitFor({ state: 'detached' });
  });

  it('show which one was deleted and where the next question goes in the narrowest view', async () => {
    const title = 'how many orders of the last year were returned, and why?';
    await newChat();
    await chat.ask(title);
    (await service.next()).answer('Too many.');
    await chat.told('Answer finished');
    await page.setViewportSize({ width: 170, height: 800 });
    const isWhole = (text: Locator): Promise<boolean> =>
      text.evaluate((element) => element.scrollWidth <= element.clientWidth && element.clientWidth > 0);
    const branch = chat.button('Branch: main').locator('.where-name');
    await until(() => isWhole(branch));
    await showHistory();
    await chat.view.getByRole('button', { name: new RegExp(`^${title.slice(0, 20)}`) }).press('Delete');
    await chat.button('Undo').waitFor();
    await until(() => isWhole(chat.view.locator('.history-undo-text')));
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 300, height: 800 });
    await newChat();
  });

  it('have a title even without text', async () => {
    await newChat();
    await pasteFile(chat, pixel);
    await chat.button('Send').click();
    (await service.next()).answer('A picture.');
    await chat.view.getByText('A picture.').waitFor();
    await showHistory();
    await row('New chat').hover();
    await row('New chat').getByRole('button', { name: 'Delete' }).click();
    await chat.view.locator('.history-undo').getByText('“New chat” was deleted.').waitFor();
    await page.keyboard.press('Escape');
  });

  it('are all deleted when the history is cleared, without unread marks', async () => {
    await newChat();
    await chat.ask('one that nobody looks at');
    const written = await service.next();
    await newChat();
    written.answer('It is there.');
    await until(() => setup.editor.badge === 1);
    const clearing = setup.editor.run('analyticsChat.clearHistory');
    (await setup.prompts.message('Permanently delete all chats')).choose('Delete all chats');
    await clearing;
    await until(() => setup.editor.badge === 0);
    await setup.editor.run('analyticsChat.history');
    await chat.view.getByText('No chats yet').waitFor();
  });
});

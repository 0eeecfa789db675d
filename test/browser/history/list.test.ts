/** The history with its host: listing, searching, opening, renaming and deleting threads. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import type { Locator, Page } from 'playwright-core';
import { chatIn, type Chat } from '../../support/chat.ts';
import { whileComposing } from '../../support/keyboard.ts';
import { becomes, until } from '../../support/until.ts';
import type { WrittenService } from '../../support/service/writtenService.ts';
import { useHistory } from './support.ts';

describe('Threads of the history', () => {
  const setup = useHistory();
  const { newChat, panel, search, rows, row, listed, showHistory, focuses } = setup;
  let service: WrittenService;
  let page: Page;
  let chat: Chat;

  before(() => ({ service, page, chat } = setup));

  const open = async (title: string, answer: string): Promise<void> => {
    await showHistory();
    await row(title).getByText(title).click();
    await chat.answers().getByText(answer).waitFor();
  };

  it('are listed newest first, found by their content, and stay listed if one can’t be opened', async () => {
    await showHistory();
    await listed('top customers', 'returns by region', 'orders by month');
    await page.keyboard.type('NORTH');
    await listed('top customers', 'returns by region');
    await row('returns by region')
      .locator('mark')
      .filter({ hasText: /^north$/ })
      .waitFor();
    await search().fill('nowhere');
    await panel().getByText('No chats found.').waitFor();
    await chat.told('No chats found.');
    await search().fill('');
    await row('top customers').waitFor();
    await page.evaluate(() => {
      const state = { where: '', pinned: false, running: false, unread: false, marks: [] };
      const entries = [{ id: 'x', title: 'a lost one', time: 0, ...state }];
      window.postMessage({ type: 'threads', query: '', from: 0, entries, total: 1, busy: false }, window.origin);
    });
    await row('a lost one').click();
    await setup.prompts.message('This chat is no longer in the history.');
    await panel().waitFor();
    await search().press('Escape');
    await panel().waitFor({ state: 'detached' });
    await focuses('Message');
  });

  it('are pinned to the top, and opened in a tab', async () => {
    await showHistory();
    await row('orders by month').hover();
    await row('orders by month').getByRole('button', { name: 'Pin', exact: true }).click();
    await row('orders by month').getByRole('button', { name: 'Unpin' }).waitFor();
    await listed('top customers', 'returns by region', 'orders by month');
    // Rows move once the pointer has left them.
    await search().hover();
    await listed('orders by month', 'top customers', 'returns by region');
    await row('orders by month').getByText('orders by month').click({ button: 'right' });
    await chat.view.getByRole('menuitem', { name: 'Unpin' }).click();
    await search().hover();
    await listed('top customers', 'returns by region', 'orders by month');
    // The command moves the focus back to the search field.
    await showHistory();
    await row('returns by region').hover();
    await row('returns by region').getByRole('button', { name: 'Open in editor' }).click();
    const tab = chatIn((await setup.editor.tab('returns by region')) as unknown as Chat['view']);
    await tab.answers().getByText('The north returns least.').waitFor();
    await setup.editor.closeTabs();
    await chat.button('Close history').click();
    await newChat();
  });

  it('are opened by a double-click, whose second click does nothing in the chat', async () => {
    await open('top customers', 'A shop in the north.');
    const copy = (await chat.button('Copy answer').boundingBox())!;
    const [x, y] = [copy.x + 12, copy.y + 12];
    setup.editor.clipboard = '';
    await showHistory();
    // The browser skips the contents of a new row until its next frame; a click would hit the row itself.
    await row('returns by region').getByText('returns by region').hover();
    await page.mouse.click(x, y);
    await panel().waitFor({ state: 'detached' });
    await chat.button('Copy answer').waitFor();
    await page.mouse.down({ clickCount: 2 });
    await page.mouse.up({ clickCount: 2 });
    await focuses('Message');
    assert.equal(setup.editor.clipboard, '');
    await page.mouse.click(x, y);
    await until(() => setup.editor.clipboard !== '');
    await newChat();
  });

  it('are opened at the match of a search', async () => {
    await chat.ask('a long one');
    const paragraphs = Array.from({ length: 120 }, (_, at) =>
      at === 2 ? 'Here a falcon passed.' : `Paragraph ${at}.`,
    );
    (await service.next()).answer(paragraphs.join('\n\n'));
    await chat.view.getByText('Paragraph 119.').waitFor();
    await newChat();
    await showHistory();
    await search().fill('FALCON passed');
    await listed('a long one');
    await search().press('Enter');
    await chat.view.getByText('1 of 1', { exact: true }).waitFor();
    await page.waitForFunction(() => {
      const log = document.querySelector('.log')?.getBoundingClientRect();
      const place = [...document.querySelectorAll('.log p')].find((one) => one.textContent.includes('falcon'));
      const at = place?.getBoundingClientRect();
      return log && at && at.top >= log.top && at.bottom <= log.bottom;
    });
    await focuses('Find in conversation');
    // What is searched for next is not replaced by the search of the history.
    const field = chat.view.getByRole('textbox', { name: 'Find in conversation' });
    await field.press('Escape');
    await field.waitFor({ state: 'detached' });
    await chat.field.press('Control+f');
    await field.fill('Paragraph 11');
    const bar = chat.view.getByRole('search', { name: 'Find' });
    await bar.getByText('1 of 11', { exact: true }).waitFor();
    await field.press('Control+f');
    await field.press('Enter');
    await bar.getByText('2 of 11', { exact: true }).waitFor();
    await field.press('Escape');
    await newChat();
  });

  it('keep text that was typed just before another one was opened', async () => {
    await open('returns by region', 'The north returns least.');
    await chat.field.fill('not sent yet');
    await open('top customers', 'A shop in the north.');
    await becomes(() => chat.field.inputValue(), '');
    await open('returns by region', 'The north returns least.');
    await becomes(() => chat.field.inputValue(), 'not sent yet');
    await chat.field.fill('');
  });

  it('are neither opened nor renamed by the Enter key of an input method', async () => {
    await newChat();
    await chat.ask('にほん');
    (await service.next()).answer('A country.');
    await chat.view.getByText('A country.').waitFor();
    await newChat();
    await showHistory();
    await whileComposing(page, 'にほん', async () => {
      await listed('にほん');
      await page.keyboard.press('Enter');
    });
    await page.keyboard.press('ArrowDown');
    await focuses('にほん');
    await page.keyboard.press('F2');
    await whileComposing(page, '日本', () => page.keyboard.press('Enter'));
    await page.keyboard.type(' sales');
    await page.keyboard.press('Enter');
    await search().fill('');
    await row('日本 sales').waitFor();
    await page.keyboard.press('Escape');
  });

  it('are renamed until a click elsewhere, which does what it does otherwise', async () => {
    await showHistory();
    const last = await rows().last().boundingBox();
    await row('top customers').hover();
    await row('top customers').getByRole('button', { name: 'Rename', exact: true }).click();
    await focuses('Name of the chat');
    await page.keyboard.type('best customers');
    assert.deepEqual(await rows().last().boundingBox(), last, 'rows do not move while one is renamed');
    const field = await page.getByRole('textbox', { name: 'Name of the chat' }).boundingBox();
    assert.ok(field && last && field.x + field.width < last.x + last.width, 'the field fits into its row');
    await search().click();
    await page.keyboard.type('best');
    await listed('best customers');
    assert.equal(await search().inputValue(), 'best', 'the field that was clicked keeps the focus');
    await search().fill('');
    await search().press('Escape');
  });

  it('are stopped after they were left and opened again', async () => {
    await newChat();
    await chat.ask('an endless one');
    await service.next();
    await newChat();
    await chat.button('Stop').waitFor({ state: 'detached' });
    await showHistory();
    await row('an endless one').getByText('an endless one').click();
    const before = service.requests.length;
    await chat.button('Stop').click();
    await chat.view.getByText('Stopped.', { exact: true }).waitFor();
    await until(() => service.requests.slice(before).some(({ path }) => path.endsWith('/chat/abort')));
    await newChat();
  });

  it('are renamed, deleted, restored and opened by keyboard alone', async () => {
    await showHistory();
    await search().fill(' by ');
    await listed('returns by region', 'orders by month');
    await page.keyboard.press('ArrowDown');
    await focuses('returns by region');
    // Deletes a chat only with the Command key of macOS.
    await page.keyboard.press('Backspace');
    await listed('returns by region', 'orders by month');
    await page.keyboard.press('F2');
    await page.keyboard.type('-Returns by');
    await page.keyboard.press('Home');
    // Deletes a character, not the thread.
    await page.keyboard.press('Delete');
    await page.keyboard.press('Enter');
    await listed('Returns by', 'orders by month');
    await focuses('Returns by');
    await page.keyboard.press('Delete');
    await listed('orders by month');
    await focuses('orders by month');
    await chat.told('“Returns by” was deleted.');
    await chat.button('Undo').press('Enter');
    await listed('Returns by', 'orders by month');
    await search().fill('by month');
    await listed('orders by month');
    await search().press('Enter');
    await chat.answers().getByText('Most of them in May.').waitFor();
    await focuses('Message');
    await panel().waitFor({ state: 'detached' });
  });

  it('show which one was deleted and where the next question goes in the narrowest view', async () => {
    await newChat();
    await chat.ask('how many orders of the last year were returned, and why?');
    (await service.next()).answer('Too many.');
    await chat.told('Answer finished');
    await page.setViewportSize({ width: 170, height: 800 });
    const isWhole = (text: Locator): Promise<boolean> =>
      text.evaluate((element) => element.scrollWidth <= element.clientWidth && element.clientWidth > 0);
    await until(() => isWhole(chat.button('Branch: main').locator('.where-name')));
    await showHistory();
    await chat.view.getByRole('button', { name: /^how many orders/ }).press('Delete');
    await chat.button('Undo').waitFor();
    await until(() => isWhole(chat.view.locator('.history-undo-text')));
  });
});

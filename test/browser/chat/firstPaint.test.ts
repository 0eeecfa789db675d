/** The chat view before its code is loaded. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { Locator } from 'playwright-core';
import { whileComposing } from '../../support/keyboard.ts';
import { becomes, until } from '../../support/until.ts';
import { useChatPage } from '../support/chatPage.ts';

describe('The chat view before its code is loaded', () => {
  const setup = useChatPage();
  let early: Locator;
  let loadCode: () => Promise<void>;

  const holdCode = async (): Promise<void> => {
    const { page } = setup;
    const released = Promise.withResolvers<undefined>();
    await page.route('**/main.js', async (route) => {
      await released.promise;
      return route.fallback();
    });
    await page.goto('https://webview.test/');
    early = page.locator('main[aria-busy]').getByRole('textbox', { name: 'Message' });
    await early.waitFor();
    loadCode = async () => {
      released.resolve(undefined);
      await setup.chat.field.waitFor();
      await page.unroute('**/main.js');
    };
  };
  beforeEach(holdCode);

  it('has the focus', async () => {
    const { chat } = setup;
    assert.ok(await early.evaluate((field) => field === document.activeElement));
    await loadCode();
    assert.ok(await chat.field.evaluate((field) => field === document.activeElement));
    const told = (): number => setup.asked.filter(({ type }) => type === 'focused').length;
    await until(() => told() > 0);
    const before = told();
    await setup.page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await becomes(told, before + 1);
    await chat.field.blur();
  });

  it('has a focus that is not lost with the chat that it shows first', async () => {
    await loadCode();
    await setup.newChat();
    await setup.chat.view.locator('textarea:focus').waitFor();
    await setup.chat.field.blur();
  });

  it('gets the focus with the window, though it had none before', async () => {
    const { chat, page } = setup;
    await early.blur();
    await loadCode();
    await setup.newChat();
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await chat.view.locator('textarea:focus').waitFor();
    await chat.field.blur();
  });

  it('takes text, which stays in the same field with the caret', async () => {
    const { chat, page } = setup;
    await early.click();
    await page.keyboard.type('revenue by year');
    await page.keyboard.press('Home');
    const field = await early.elementHandle();
    await loadCode();
    assert.equal(await chat.field.inputValue(), 'revenue by year');
    assert.ok(await field?.evaluate((element) => element.isConnected && element === document.activeElement));
    await page.keyboard.type('the ');
    assert.equal(await chat.field.inputValue(), 'the revenue by year');
    await chat.field.fill('');
    await chat.field.blur();
  });

  it('appends the text to a stored draft', async () => {
    const { chat, page } = setup;
    await early.fill('revenue');
    await loadCode();
    await becomes(() => setup.draft(), 'revenue');
    await holdCode();
    await early.click();
    await page.keyboard.type('by year');
    await loadCode();
    assert.equal(await chat.field.inputValue(), 'revenue\nby year');
    await becomes(() => setup.draft(), 'revenue\nby year');
    await setup.reload();
    assert.equal(await chat.field.inputValue(), 'revenue\nby year');
    await chat.field.fill('');
    await chat.field.blur();
  });

  it('shows a chat that is opened while the code of conversations arrives', async () => {
    await loadCode();
    // The code must arrive within a frame after the new chat was rendered, which not every round hits.
    for (let round = 0; round < 10; round += 1) {
      await setup.reload();
      await setup.newChat();
      await setup.chat.log.waitFor();
    }
    await setup.chat.field.blur();
  });

  it('gives buttons the colors of the theme', async () => {
    const { chat, page } = setup;
    await page.evaluate(() => document.body.style.setProperty('--vscode-foreground', 'rgb(1, 2, 3)'));
    await loadCode();
    const isThemed = async (): Promise<boolean> =>
      (await chat.button('New chat').evaluate((button) => getComputedStyle(button).color)) === 'rgb(1, 2, 3)';
    await until(isThemed);
  });

  it('sends the text if Enter was pressed', async () => {
    const { chat, page, service } = setup;
    await early.click();
    await page.keyboard.type('revenue ');
    await whileComposing(page, 'by year', () => page.keyboard.press('Enter'));
    // In Safari, the key that ends a composition is sent after it.
    await early.dispatchEvent('keydown', { key: 'Enter', keyCode: 229 });
    assert.equal(await early.getAttribute('data-sent'), null);
    await page.keyboard.press('Enter');
    await loadCode();
    const written = await service.next();
    assert.equal(written.body.input, 'revenue by year');
    assert.equal(await chat.field.inputValue(), '');
    written.answer('Here.');
    await chat.told('Answer finished');
  });

  it('keeps a line break that Enter makes, and sends the text if Ctrl+Enter was pressed', async () => {
    const { chat, page, service } = setup;
    setup.setContext({ sendKey: 'modEnter' });
    await loadCode();
    await holdCode();
    await early.click();
    await page.keyboard.type('revenue');
    await page.keyboard.press('Enter');
    await page.keyboard.type('by year');
    await page.keyboard.press('Control+Enter');
    await loadCode();
    const written = await service.next();
    assert.equal(written.body.input, 'revenue\nby year');
    written.answer('Here.');
    await chat.told('Answer finished');
  });
});

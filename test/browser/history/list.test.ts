/** Listing, searching, opening and exporting threads of the history. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { chatIn, type Chat } from '../../support/chat.ts';
import { whileComposing } from '../../support/keyboard.ts';
import { becomes, until } from '../../support/until.ts';
import type { WrittenService } from '../../support/service/writtenService.ts';
import { useHistory } from './support.ts';

describe('The history', () => {
  const setup = useHistory();
  const { newChat, panel, search, rows, row, listed, showHistory, focuses } = setup;
  let service: WrittenService;
  let page: Page;
  let chat: Chat;

  before(() => ({ service, page, chat } = setup));

  it('of ephemeral users show a notice in the first chat until it is dismissed', async () => {
    const notice = chat.view.getByRole('note');
    await chat.ask('a later one');
    (await service.next()).answer('Without a notice.');
    await chat.told('Answer finished');
    await notice.waitFor({ state: 'detached' });
    await showHistory();
    await chat.view.getByRole('button', { name: /^orders by month/ }).click();
    await notice.getByText('The service may delete this chat after 7 days').waitFor();
    await chat.button('Dismiss').click();
    await notice.waitFor({ state: 'detached' });
    await newChat();
    await showHistory();
    await chat.view.getByRole('button', { name: /^a later one/ }).press('Delete');
    await row('a later one').waitFor({ state: 'detached' });
    await search().press('Escape');
  });

  it('are listed newest first, and found by their content', async () => {
    await showHistory();
    await listed('top customers', 'returns by region', 'orders by month');
    await row('orders by month')
      .getByText(/ · main$/)
      .waitFor();
    await page.keyboard.type('NORTH');
    await listed('top customers', 'returns by region');
    await row('returns by region')
      .locator('mark')
      .filter({ hasText: /^north$/ })
      .waitFor();
    await search().fill('by month');
    await listed('orders by month');
    // The late result of an earlier search.
    await page.evaluate(async () => {
      const late = { type: 'threads', query: 'by', from: 0, entries: [], total: 0, busy: false };
      window.postMessage(late, window.origin);
      await new Promise(requestAnimationFrame);
    });
    await becomes(() => row('orders by month').locator('mark').allTextContents(), ['by', 'month']);
    await chat.told('1 chat found');
    await search().fill('north');
    await chat.told('2 chats found');
    await search().fill('nowhere');
    await panel().getByText('No chats found.').waitFor();
    await search().press('Escape');
    await panel().waitFor({ state: 'detached' });
    await focuses('Message');
  });

  it('are searched in a field that shows its focus, and screen readers hear if none was found', async () => {
    await newChat();
    await showHistory();
    const [ring, wanted] = await search().evaluate((field) => {
      const { outlineColor, outlineStyle } = getComputedStyle(field);
      field.style.caretColor = 'var(--vscode-focusBorder)';
      return [`${outlineStyle} ${outlineColor}`, `solid ${getComputedStyle(field).caretColor}`];
    });
    assert.equal(ring, wanted);
    await search().fill('no such words');
    await chat.told('No chats found.');
    await page.keyboard.press('Escape');
  });

  it('stay listed if one of them can’t be opened', async () => {
    await newChat();
    await showHistory();
    await row('top customers').waitFor();
    await page.evaluate(() => {
      const marks: never[] = [];
      const entry = {
        id: 'x',
        title: 'a lost one',
        time: 0,
        where: '',
        pinned: false,
        running: false,
        unread: false,
        marks,
      };
      window.postMessage(
        { type: 'threads', query: '', from: 0, entries: [entry], total: 1, busy: false },
        window.origin,
      );
    });
    await row('a lost one').click();
    await setup.prompts.message('This chat is no longer in the history.');
    await panel().waitFor();
    await search().press('Escape');
    await focuses('Message');
  });

  it('are pinned to the top, and opened in a tab', async () => {
    await showHistory();
    await row('orders by month').hover();
    await row('orders by month').getByRole('button', { name: 'Pin', exact: true }).click();
    const unpin = row('orders by month').getByRole('button', { name: 'Unpin' });
    await unpin.waitFor();
    await listed('top customers', 'returns by region', 'orders by month');
    // Rows move once the pointer has left them.
    await search().hover();
    await listed('orders by month', 'top customers', 'returns by region');
    assert.equal(await row('returns by region').getAttribute('aria-posinset'), '3');
    assert.equal(await row('returns by region').getAttribute('aria-setsize'), '3');
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
    await showHistory();
    await row('top customers').click();
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

  it('are marked unread if their answer ended while hidden, until they are opened', async () => {
    await chat.ask('a slow one');
    const slow = await service.next();
    await newChat();
    await showHistory();
    await chat.view.getByRole('button', { name: /^running a slow one/ }).waitFor();
    assert.equal(setup.editor.badge, 0);
    slow.answer('At last.');
    await chat.view.getByRole('button', { name: /^unread a slow one/ }).waitFor();
    await until(() => setup.editor.badge === 1);
    await row('a slow one').getByText('a slow one').click();
    await chat.answers().getByText('At last.').waitFor();
    await until(() => setup.editor.badge === 0);
    await showHistory();
    await chat.view.getByRole('button', { name: /^a slow one \d/ }).waitFor();
    await search().press('Escape');
  });

  it('are exported to a file, and imported again after they were deleted', async () => {
    const file = join(setup.folder, 'returns.json');
    await showHistory();
    await row('returns by region').getByText('returns by region').click();
    await chat.answers().getByText('The north returns least.').waitFor();
    const exporting = setup.editor.run('analyticsChat.exportChat');
    await setup.prompts.pick('JSON');
    await setup.prompts.file(file);
    await exporting;
    await setup.prompts.message(/exported/i);
    await showHistory();
    await row('returns by region').hover();
    await row('returns by region').getByRole('button', { name: 'Export' }).click();
    await setup.prompts.pick('Markdown');
    await setup.prompts.file();
    await chat.view.getByRole('button', { name: /^returns by region/ }).press('Delete');
    await row('returns by region').waitFor({ state: 'detached' });
    const importing = setup.editor.run('analyticsChat.importChat');
    await setup.prompts.file(file);
    await importing;
    await panel().waitFor({ state: 'detached' });
    await chat.answers().getByText('The north returns least.').waitFor();
    const { turns, ...rest } = JSON.parse(readFileSync(file, 'utf8')) as { turns: unknown[] };
    writeFileSync(file, JSON.stringify({ ...rest, turns: [...turns, { id: 'edited by hand' }] }));
    const again = setup.editor.run('analyticsChat.importChat');
    await setup.prompts.file(file);
    await again;
    await setup.prompts.message('1 part of the chat is invalid and was left out.');
    await newChat();
    await showHistory();
    await row('returns by region').nth(1).waitFor();
    await search().press('Escape');
  });

  it('are opened at the match of a search', async () => {
    await newChat();
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
  });

  it('are restored to their position in the list', async () => {
    await chat.view.getByText('Paragraph 119.').waitFor({ state: 'attached' });
    await showHistory();
    await chat.view.getByRole('button', { name: /^a long one/ }).press('Delete');
    // Attached, not visible: the open history list covers the chat.
    await chat.view.getByText('Ask about your data.').waitFor({ state: 'attached' });
    await chat.button('Undo').click();
    await chat.view.getByText('Paragraph 119.').waitFor({ state: 'attached' });
    await search().press('Escape');
  });

  it('keep text that was typed just before another one was opened', async () => {
    await newChat();
    await chat.ask('a first question');
    (await service.next()).answer('A first answer.');
    await chat.view.getByText('A first answer.').waitFor();
    await chat.field.fill('not sent yet');
    await newChat();
    await becomes(() => chat.field.inputValue(), '');
    await showHistory();
    await row('top customers').getByText('top customers').click();
    await chat.answers().getByText('A shop in the north.').waitFor();
    await becomes(() => chat.field.inputValue(), '');
    await showHistory();
    await row('a first question').getByText('a first question').click();
    await chat.answers().getByText('A first answer.').waitFor();
    await becomes(() => chat.field.inputValue(), 'not sent yet');
    await chat.field.fill('');
  });

  it('contain the draft of a new chat after another one was opened', async () => {
    await newChat();
    await chat.field.fill('not asked yet');
    await showHistory();
    await row('top customers').getByText('top customers').click();
    await becomes(() => chat.field.inputValue(), '');
    await newChat();
    await becomes(() => chat.field.inputValue(), '');
    await showHistory();
    await row('not asked yet').getByText('not asked yet').click();
    await becomes(() => chat.field.inputValue(), 'not asked yet');
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
    const rename = async (title: string, name: string): Promise<void> => {
      await row(title).hover();
      await row(title).getByRole('button', { name: 'Rename', exact: true }).click();
      await focuses('Name of the chat');
      await page.keyboard.type(name);
    };
    const last = await rows().last().boundingBox();
    await rename('top customers', 'best customers');
    assert.deepEqual(await rows().last().boundingBox(), last, 'rows do not move while one is renamed');
    const field = await page.getByRole('textbox', { name: 'Name of the chat' }).boundingBox();
    assert.ok(field && last && field.x + field.width < last.x + last.width, 'the field fits into its row');
    await search().click();
    await page.keyboard.type('best');
    await listed('best customers');
    assert.equal(await search().inputValue(), 'best', 'the field that was clicked keeps the focus');
    await search().fill('');
    await rename('best customers', 'top customers');
    await row('orders by month').getByText('orders by month').click();
    await chat.answers().getByText('Most of them in May.').waitFor();
    await focuses('Message');
    await showHistory();
    await row('top customers').waitFor();
    await search().press('Escape');
  });

  it('are stopped from the list', async () => {
    await newChat();
    await chat.ask('an endless one');
    await service.next();
    await newChat();
    await showHistory();
    await row('an endless one').hover();
    await row('an endless one').getByRole('button', { name: 'Stop' }).click();
    await chat.view.getByRole('button', { name: /^an endless one \d/ }).waitFor();
    assert.ok(service.requests.at(-1)?.path.endsWith('/chat/abort'));
  });

  it('are stopped after they were left and opened again', async () => {
    await search().press('Escape');
    await newChat();
    await chat.ask('another endless one');
    await service.next();
    await newChat();
    await chat.button('Stop').waitFor({ state: 'detached' });
    await showHistory();
    await row('another endless one').getByText('another endless one').click();
    const before = service.requests.length;
    await chat.button('Stop').click();
    await chat.view.getByText('Stopped.', { exact: true }).waitFor();
    await until(() => service.requests.slice(before).some(({ path }) => path.endsWith('/chat/abort')));
  });

  // The last one: the browser keeps the emulation.
  it('have a line for their actions on touch screens', async () => {
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Emulation.setTouchEmulationEnabled', { enabled: true });
    await showHistory();
    const hidden = await rows().evaluateAll((all) =>
      all.flatMap((one) =>
        [...one.querySelectorAll('.thread-about, .thread-actions')].filter((e) => getComputedStyle(e).opacity !== '1'),
      ),
    );
    assert.equal(hidden.length, 0);
    const [about, actions] = await Promise.all(
      ['.thread-about', '.thread-actions'].map((part) => rows().first().locator(part).boundingBox()),
    );
    assert.ok(actions!.y >= about!.y + about!.height);
    await search().press('Escape');
  });
});

/** The history in the view: list, search, open, rename, pin, delete, and unread answers. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, describe, it } from 'mocha';
import type { Frame, Locator, Page } from 'playwright-core';
import { chatIn, innerFrame, pasteFile, type Chat } from '../support/chat.ts';
import { dialog, nameFile, notification, runCommand, setSideBarWidth, webview } from './support/editor.ts';
import { pixel } from '../support/samples.ts';
import { useWrittenChat } from './support/writtenChat.ts';
import type { WrittenService } from '../support/writtenService.ts';

describe('Threads', function () {
  this.timeout(90_000);
  const setup = useWrittenChat({ workspace: 'model' });
  let service: WrittenService;
  let page: Page;
  let chat: Chat;
  let frame: Frame;

  before(async () => {
    ({ service, page, chat } = setup);
    frame = await innerFrame(chat);
    for (const [question, answer] of [
      ['orders by month', 'Most of them in May.'],
      ['returns by region', 'The north returns least.'],
      ['top customers', 'A shop in the north.'],
    ] as const) {
      await chat.ask(question);
      (await service.next()).answer(answer);
      await chat.view.getByText(answer).waitFor();
      await newChat();
    }
  });

  const newChat = async (): Promise<void> => {
    await chat.button('New chat').click();
    await chat.view.getByText('Ask about your data.').waitFor();
  };
  const panel = (): Locator => chat.view.getByRole('region', { name: 'History' });
  const search = (): Locator => chat.view.getByRole('textbox', { name: 'Search chats' });
  const rows = (): Locator => chat.view.getByRole('list', { name: 'Chats' }).getByRole('listitem');
  const row = (title: string): Locator => rows().filter({ hasText: title });
  const titles = (): Promise<string[]> => rows().locator('.thread-name').allTextContents();
  /** Waits until the list shows these threads in this order. */
  const listed = async (...expected: string[]): Promise<void> => {
    await frame.waitForFunction(
      (wanted) => [...document.querySelectorAll('.thread-name')].map((name) => name.textContent).join() === wanted,
      expected.join(),
    );
  };
  const showHistory = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Show History' }).click();
    await search().waitFor();
    await rows().first().waitFor();
  };
  const focused = async (): Promise<string> =>
    frame.evaluate(
      () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '',
    );

  it('of ephemeral users show a notice in the first chat until it is dismissed', async () => {
    const notice = chat.view.getByRole('note');
    await chat.ask('a later one');
    (await service.next()).answer('Without a notice.');
    await chat.told('Answer finished');
    assert.equal(await notice.count(), 0);
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
    assert.deepEqual(await titles(), ['top customers', 'returns by region', 'orders by month']);
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
    assert.deepEqual(await row('orders by month').locator('mark').allTextContents(), ['by', 'month']);
    await chat.told('1 chat found');
    await search().fill('north');
    await chat.told('2 chats found');
    await search().fill('nowhere');
    await panel().getByText('No chats found.').waitFor();
    await search().press('Escape');
    await panel().waitFor({ state: 'detached' });
    assert.equal(await focused(), 'Message');
  });

  it('are renamed, deleted, restored and opened by keyboard alone', async () => {
    await showHistory();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    assert.match(await focused(), /^returns by region/);
    await page.keyboard.press('F2');
    await page.keyboard.type('Regions');
    await page.keyboard.press('Enter');
    await listed('top customers', 'Regions', 'orders by month');
    assert.match(await focused(), /^Regions/);
    await page.keyboard.press('Delete');
    await listed('top customers', 'orders by month');
    assert.match(await focused(), /^orders by month/);
    await page.keyboard.press('Delete');
    await listed('top customers');
    const deleted = chat.view.locator('.history-undo');
    await deleted.getByText('“orders by month” was deleted.').waitFor();
    await chat.button('Undo').press('Enter');
    await listed('top customers', 'orders by month');
    await deleted.getByText('“Regions” was deleted.').waitFor();
    await chat.button('Undo').press('Enter');
    await listed('top customers', 'Regions', 'orders by month');
    await search().fill('by month');
    await listed('orders by month');
    await search().press('Enter');
    await chat.answers().getByText('Most of them in May.').waitFor();
    assert.equal(await focused(), 'Message');
    assert.equal(await panel().count(), 0);
  });

  it('are restored from the position that has the focus after a deletion', async () => {
    await showHistory();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Delete');
    await listed('top customers', 'orders by month');
    assert.match(await focused(), /^orders by month/);
    await page.keyboard.press('Control+z');
    await listed('top customers', 'Regions', 'orders by month');
    await frame.waitForFunction(() => document.activeElement?.textContent.startsWith('Regions'));
    await chat.button('Undo').waitFor({ state: 'detached' });
    await search().fill('by month');
    await listed('orders by month');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Delete');
    await panel().getByText('No chats found.').waitFor();
    assert.equal(await focused(), 'Undo', 'no row is left to go to');
    await page.keyboard.press('Enter');
    await listed('orders by month');
    await page.keyboard.press('Escape');
  });

  it('offer to undo a deletion before their rows', async () => {
    await showHistory();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Delete');
    await listed('Regions', 'orders by month');
    await page.keyboard.press('Shift+Tab');
    assert.equal(await focused(), 'Undo');
    const [undo, first] = [await chat.button('Undo').boundingBox(), await rows().first().boundingBox()];
    assert.ok(undo && first && undo.y > first.y, 'the rows stay where they are');
    await page.keyboard.press('Enter');
    await listed('top customers', 'Regions', 'orders by month');
    await page.keyboard.press('Escape');
  });

  it('show which one was deleted and where the next question goes in the narrowest view', async () => {
    const title = 'how many orders of the last year were returned, and why?';
    await newChat();
    await chat.ask(title);
    (await service.next()).answer('Too many.');
    await chat.told('Answer finished');
    await setSideBarWidth(page, 170);
    const isWhole = (text: Locator): Promise<boolean> =>
      text.evaluate((element) => element.scrollWidth <= element.clientWidth && element.clientWidth > 0);
    const branch = chat.button('Branch: main').locator('.where-name');
    assert.ok(await isWhole(branch), 'a short branch is cut off');
    await showHistory();
    await chat.view.getByRole('button', { name: new RegExp(`^${title.slice(0, 20)}`) }).press('Delete');
    await chat.button('Undo').waitFor();
    assert.ok(await isWhole(chat.view.locator('.history-undo-text')), 'that it was deleted is cut off');
    await page.keyboard.press('Escape');
    await setSideBarWidth(page, 300);
    await newChat();
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

  it('are opened by a search even if Enter follows at once', async () => {
    await newChat();
    await showHistory();
    await search().fill('returns least');
    await search().press('Enter');
    await panel().waitFor({ state: 'detached' });
    await chat.answers().getByText('The north returns least.').waitFor();
    await chat.button('Close find').press('Enter');
  });

  it('are pinned to the top, and opened in a tab', async () => {
    await showHistory();
    await row('orders by month').hover();
    await row('orders by month').getByRole('button', { name: 'Pin', exact: true }).click();
    await listed('orders by month', 'top customers', 'Regions');
    await row('Regions').hover();
    await row('Regions').getByRole('button', { name: 'Open in editor' }).click();
    const tab = chatIn(webview(page, 'editor'));
    await tab.answers().getByText('The north returns least.').waitFor();
    await runCommand(page, 'View: Close Editor');
    await chat.button('Close history').click();
    await newChat();
  });

  it('are marked unread if their answer ended while hidden, until they are opened', async () => {
    await chat.ask('a slow one');
    const slow = await service.next();
    await newChat();
    await showHistory();
    await chat.view.getByRole('button', { name: /^running a slow one/ }).waitFor();
    assert.equal(await page.locator('.activitybar .badge-content').filter({ hasText: '1' }).count(), 0);
    slow.answer('At last.');
    await chat.view.getByRole('button', { name: /^unread a slow one/ }).waitFor();
    const badge = page
      .locator('.activitybar')
      .getByRole('tab', { name: /Analytics Chat/ })
      .locator('.badge-content');
    await badge.filter({ hasText: '1' }).waitFor();
    await row('a slow one').getByText('a slow one').click();
    await chat.answers().getByText('At last.').waitFor();
    await badge.waitFor({ state: 'hidden' });
    await showHistory();
    await chat.view.getByRole('button', { name: /^a slow one \d/ }).waitFor();
    await search().press('Escape');
  });

  it('are exported to a file, and imported again after they were deleted', async () => {
    const file = join(setup.editor.workspace ?? '', 'returns.json');
    await showHistory();
    await row('Regions').getByText('Regions').click();
    await chat.answers().getByText('The north returns least.').waitFor();
    await runCommand(page, 'Analytics Chat: Export Chat…');
    await nameFile(page, '.md', file);
    await notification(page, /exported/i).waitFor();
    await showHistory();
    await chat.view.getByRole('button', { name: /^Regions/ }).press('Delete');
    await row('Regions').waitFor({ state: 'detached' });
    await search().press('Escape');
    await newChat();
    await runCommand(page, 'Analytics Chat: Import Chat…');
    await nameFile(page, setup.editor.workspace ?? '', file);
    await chat.answers().getByText('The north returns least.').waitFor();
    await newChat();
    await showHistory();
    await row('Regions').waitFor();
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
    await frame.waitForFunction(() => {
      const log = document.querySelector('.log')?.getBoundingClientRect();
      const place = [...document.querySelectorAll('.log p')].find((one) => one.textContent.includes('falcon'));
      const at = place?.getBoundingClientRect();
      return log && at && at.top >= log.top && at.bottom <= log.bottom;
    });
    assert.equal(await focused(), 'Find in conversation');
    await page.keyboard.press('Escape');
  });

  it('are restored to their position in the list', async () => {
    assert.equal(await chat.view.getByText('Paragraph 119.').count(), 1);
    await showHistory();
    await chat.view.getByRole('button', { name: /^a long one/ }).press('Delete');
    // The list covers it.
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
    assert.equal(await chat.field.inputValue(), '');
    await showHistory();
    await row('top customers').getByText('top customers').click();
    await chat.answers().getByText('A shop in the north.').waitFor();
    assert.equal(await chat.field.inputValue(), '');
    await showHistory();
    await row('a first question').getByText('a first question').click();
    await chat.answers().getByText('A first answer.').waitFor();
    assert.equal(await chat.field.inputValue(), 'not sent yet');
    await chat.field.fill('');
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

  it('are all deleted when the history is cleared, without unread marks', async () => {
    await search().press('Escape');
    await newChat();
    await chat.ask('one that nobody looks at');
    const written = await service.next();
    await newChat();
    written.answer('It is there.');
    const badge = page
      .locator('.activitybar')
      .getByRole('tab', { name: /Analytics Chat/ })
      .locator('.badge-content');
    await badge.filter({ hasText: '1' }).waitFor();
    await runCommand(page, 'Analytics Chat: Clear History…');
    await dialog(page).getByRole('button', { name: 'Delete all chats' }).click();
    await badge.waitFor({ state: 'hidden' });
    await runCommand(page, 'Analytics Chat: Show History');
    await chat.view.getByText('No chats yet').waitFor();
  });
});

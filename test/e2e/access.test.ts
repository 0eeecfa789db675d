/** Accessibility of the chat: keyboard only, without motion, narrow and enlarged. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { innerFrame, type Chat } from '../support/chat.ts';
import { openFile, quickInput, runCommand, setSideBarWidth, webview } from './support/editor.ts';
import { useWrittenChat } from './support/writtenChat.ts';
import type { Written, WrittenService } from '../support/writtenService.ts';

const BRANCH = 'feature/sales-pipeline-rework-2026';
const SQL = 'SELECT status, MEASURE(orders.count) FROM orders GROUP BY 1';
const RESULT = {
  sqlQuery: SQL,
  queryTitle: 'Orders by status',
  description: 'Orders of all years',
  schema: [
    { name: 'status', column_type: 'string' },
    { name: 'orders_count', column_type: 'number' },
  ],
  data: [
    ['open', '12'],
    ['shipped', '345'],
  ],
  totalRows: 2,
  vegaSpec: JSON.stringify({
    mark: 'bar',
    encoding: { x: { field: 'status', type: 'nominal' }, y: { field: 'orders_count', type: 'quantitative' } },
  }),
};
const MEMBERS = [
  { name: 'orders.count', title: 'Count', description: '', type: 'number', aggType: 'count' },
  { name: 'orders.status', title: 'Status', description: '', type: 'string' },
];
const FOUND = { searchQuery: 'orders', cubes: [{ name: 'orders', type: 'view', title: 'Orders', members: MEMBERS }] };

describe('Accessibility', function () {
  this.timeout(90_000);
  const settings = { 'analyticsChat.mainBranch': BRANCH };
  const setup = useWrittenChat({ workspace: 'model', settings });
  let service: WrittenService;
  let page: Page;
  let chat: Chat;

  before(() => ({ service, page, chat } = setup));

  const work = (written: Written): void => {
    written.think('m1', 'The orders view has a *status*.');
    written.tool('t1', 'svcMeta', { searchQuery: 'orders' }, FOUND);
    written.tool('t2', 'svcSqlApi', { sqlQuery: SQL, queryTitle: 'Orders by status' });
  };
  const finish = async (written: Written): Promise<void> => {
    written.tool('t2', 'svcSqlApi', { sqlQuery: SQL, queryTitle: 'Orders by status' }, RESULT);
    written.answer('Most orders are **shipped**; see [the guide](https://example.com/guide).');
    await chat.told('Answer finished');
    await chat.view.getByRole('img', { name: /^Chart/ }).waitFor();
  };

  /** Accessible name of the focused element in the chat; empty if there is none. */
  const focused = async (): Promise<string> =>
    (await innerFrame(chat)).evaluate(() => {
      const active = document.activeElement;
      if (active === null || active === document.body) return '';
      return active.getAttribute('aria-label') ?? active.textContent?.trim() ?? '';
    });
  /** Presses a key until the control with this name is focused. */
  const tabTo = async (name: RegExp, key = 'Tab'): Promise<void> => {
    const passed: string[] = [];
    while (!name.test(await focused())) {
      assert.ok(passed.length < 40, `${name} is not reached: ${passed.join(', ')}`);
      await page.keyboard.press(key);
      passed.push(await focused());
    }
  };

  it('allows the whole main job by keyboard alone', async () => {
    await openFile(page, 'scratch.sql');
    await page.keyboard.press('Control+End');
    await setup.newChat();
    await tabTo(/^Message$/);
    await page.keyboard.type('orders by status');
    await tabTo(/^Send$/);
    await page.keyboard.press('Enter');
    const written = await service.next();
    assert.equal(await focused(), 'Message');
    work(written);
    await finish(written);
    assert.equal(await focused(), 'Message');
    await tabTo(/^Steps/, 'Shift+Tab');
    await page.keyboard.press('Enter');
    await chat.view.getByRole('group', { name: /^Model search/ }).waitFor();
    assert.match(await focused(), /^Steps/);
    await tabTo(/^Insert SQL$/);
    await page.keyboard.press('Enter');
    await page.locator('.editor-group-container.active .view-lines').filter({ hasText: 'MEASURE' }).waitFor();

    await runCommand(page, 'Analytics Chat: Open Chat');
    await tabTo(/^Message$/);
    await page.keyboard.type('endless');
    await page.keyboard.press('Enter');
    await service.next();
    await chat.button('Stop').waitFor();
    await tabTo(/^Stop$/);
    await page.keyboard.press('Enter');
    await chat.told('Stopped');
    assert.equal(await focused(), 'Message');
    await page.keyboard.type('once more');
    await page.keyboard.press('Enter');
    await service.next();
    await chat.button('Stop').waitFor();
    await page.keyboard.press('Escape');
    await chat.told('Stopped');
    assert.equal(await focused(), 'Message');
  });

  it('restores the focus after a prompt', async () => {
    await setup.newChat();
    await tabTo(/^Branch/, 'Shift+Tab');
    for (const name of [/^Branch/, /^Identity/, /^Attach context/]) {
      await tabTo(name);
      await page.keyboard.press('Enter');
      await quickInput(page).waitFor();
      await page.keyboard.press('Escape');
      await (await innerFrame(chat)).waitForFunction(() => document.hasFocus());
      assert.match(await focused(), name);
    }
  });

  it('leaves the focus in the editor that is clicked while a prompt is open', async () => {
    await openFile(page, 'scratch.sql');
    await page.keyboard.press('Control+End');
    await setup.newChat();
    await chat.button(/^Branch/).click();
    const prompt = page.locator('.quick-input-widget:visible').filter({ hasText: 'Switch Branch' });
    await prompt.locator('input:focus').waitFor();
    // The cursor is already at the end, where a click would not change the selection.
    await page.locator('.editor-group-container.active .view-line').first().click();
    await prompt.waitFor({ state: 'hidden' });
    const typed = '-- typed in the editor, not in the chat';
    await page.keyboard.type(typed, { delay: 10 });
    await page
      .locator('.view-line')
      .filter({ hasText: typed.replaceAll(' ', '\u00a0') })
      .waitFor();
    assert.equal(await chat.field.inputValue(), '');
  });

  it('keeps the title and all actions of a results tab in a narrow editor', async () => {
    await setup.newChat();
    await chat.ask('orders by status');
    const written = await service.next();
    work(written);
    await finish(written);
    await setSideBarWidth(page, 500);
    await chat.button('Open results').click();
    const tab = webview(page, 'editor');
    await tab.getByRole('grid').waitFor();
    await setSideBarWidth(page, 500);
    await page.setViewportSize({ width: 780, height: 800 });
    const width = (): Promise<number> => tab.locator('body').evaluate((body) => body.clientWidth);
    while ((await width()) > 260) await page.evaluate(() => new Promise(requestAnimationFrame));
    for (const name of ['Copy results', 'Export results', 'Open SQL']) {
      const box = await tab.getByRole('button', { name }).evaluate((button) => button.getBoundingClientRect().right);
      assert.ok(box <= (await width()), `${name} is cut off`);
    }
    const title = tab.getByRole('heading', { name: 'Orders by status' });
    assert.equal(
      await title.evaluate((heading) => heading.scrollWidth > heading.clientWidth),
      false,
      'the title is cut',
    );
    const [head, rows] = [await tab.locator('header').boundingBox(), await tab.getByRole('grid').boundingBox()];
    assert.ok(head && rows && head.y + head.height <= rows.y + 1, 'the header lies over the rows');
    await page.setViewportSize({ width: 1280, height: 800 });
    await runCommand(page, 'View: Close Editor');
  });
});

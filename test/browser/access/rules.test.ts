/** Accessibility rules (WCAG 2.2 AA including target size), checked with axe-core in every state and kind of theme. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { pasteFile, type Chat } from '../../support/chat.ts';
import { pixel } from '../../support/samples.ts';
import type { Written, WrittenService } from '../../support/service/writtenService.ts';
import { useWrittenExtension } from '../support/extension/written.ts';
import { keepsAccessRules, violations } from '../support/accessRules.ts';

const SQL = 'SELECT status, MEASURE(orders.count) FROM orders GROUP BY 1';
const asked = (queryTitle: string) => ({ sqlQuery: SQL, queryTitle });
const resultOf = (queryTitle: string, more = 0) => ({
  ...asked(queryTitle),
  schema: [
    { name: 'status', column_type: 'string' },
    { name: 'orders_count', column_type: 'number' },
  ],
  data: [
    ['open', 12 + more],
    ['shipped', '345'],
  ],
  totalRows: 2000,
  vegaSpec: JSON.stringify({
    mark: 'bar',
    encoding: { x: { field: 'status', type: 'nominal' }, y: { field: 'orders_count', type: 'quantitative' } },
  }),
});
const MEMBERS = Array.from({ length: 9 }, (_, index) => ({
  name: `orders.count${index}`,
  title: `Count ${index}`,
  description: '',
  type: 'number',
  ...(index > 4 ? {} : { aggType: 'count' }),
}));
const FOUND = { searchQuery: 'orders', cubes: [{ name: 'orders', type: 'view', title: 'Orders', members: MEMBERS }] };
const PROSE = `Most are **shipped**; see [the guide](https://example.com/guide).

| status | count |
| --- | --: |
| open | 12 |

> Counted *today* with \`count\`.

\`\`\`sql
${SQL} -- and no more
\`\`\`
`;

describe('axe', () => {
  const settings = { 'analyticsChat.branches': ['dev-branch'] };
  // Disable animations to save time.
  const setup = useWrittenExtension({ settings, reducedMotion: 'reduce' });
  let service: WrittenService;
  let page: Page;
  let chat: Chat;

  before(() => ({ service, page, chat } = setup));

  const keepsRules = (checked: Page): Promise<void> => keepsAccessRules(checked, setup.editor);
  const work = (written: Written): void => {
    written.think('m1', 'The orders view has a *status*.');
    written.tool('t1', 'svcMeta', { searchQuery: 'orders' }, FOUND);
    written.tool('t2', 'svcSqlApi', asked('Orders by status'), resultOf('Orders by status'));
  };

  it('finds no violations on the first screen', () => keepsRules(page));

  it('finds no violations in a narrow view with the menu of a card', async () => {
    await setup.newChat();
    await page.setViewportSize({ width: 250, height: 800 });
    await pasteFile(chat, pixel);
    await chat.ask('orders by status');
    const written = await service.next();
    work(written);
    written.answer(PROSE);
    await chat.told('Answer finished');
    await pasteFile(chat, pixel);
    await chat.button('Remove image').waitFor();
    await keepsRules(page);
    await chat.button('More actions').click();
    await chat.view.getByRole('menuitem', { name: 'Open results' }).waitFor();
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press('Escape');
    await chat.button('Remove image').click();
    await page.setViewportSize({ width: 500, height: 800 });
  });

  it('finds no violations in answers: finished with chart, table and SQL, failed, and streaming with a queue', async () => {
    await setup.newChat();
    await chat.ask('orders by status');
    const first = await service.next();
    work(first);
    first.tool('t3', 'svcSqlApi', asked('As a table'), resultOf('As a table'));
    first.tool('t4', 'svcSqlApi', asked('Broken'), { error: 'no such column' });
    first.tool('t5', 'svcForecast', { horizon: 12 }, { forecast: [1, 2] });
    first.answer(PROSE);
    await chat.told('Answer finished');
    await chat.button(/^Steps/).click();
    const table = chat.view.getByRole('group', { name: 'SQL query: As a table' });
    await table.getByRole('button', { name: 'Show table' }).click();
    await table.getByRole('grid', { name: /^Results/ }).waitFor();
    await table.getByRole('button', { name: 'SQL', exact: true }).click();
    const charted = chat.view.getByRole('group', { name: 'SQL query: Orders by status' });
    await charted.getByRole('img', { name: /^Chart/ }).waitFor();
    await charted.getByRole('button', { name: 'Change chart' }).click();
    await chat.ask('fail');
    (await service.next()).line({ error: 'The warehouse does not answer.' });
    await chat.view.getByRole('alert').waitFor();
    await chat.ask('and by month?');
    const running = await service.next();
    running.think('m2', 'By month.');
    running.tool('t6', 'svcSqlApi', asked('By month'));
    running.say('It is');
    await chat.ask('and by week?');
    await chat.view.getByRole('list', { name: 'Queued messages' }).waitFor();
    await chat.field.fill('/');
    await chat.view.getByRole('listbox', { name: 'Commands' }).waitFor();
    await keepsRules(page);
    await chat.field.fill('');
    await chat.button('Remove queued message').click();
    await chat.button('Remove queued message').waitFor({ state: 'detached' });
    running.answer('over.');
    await chat.told('Answer finished');
  });

  it('finds no violations in a results tab, its menu, a value and a filter', async () => {
    await chat.button('Open results').first().click();
    const tab = await setup.editor.tab();
    await tab.getByRole('grid').waitFor();
    await keepsRules(tab);
    await tab.getByRole('gridcell').first().click();
    for (const keys of ['Shift+F10', 'Enter', 'ArrowUp Alt+ArrowDown f Enter']) {
      for (const key of keys.split(' ')) await tab.keyboard.press(key);
      const popup = tab.locator('[role=menu], dialog, [role=dialog]');
      await popup.waitFor();
      await keepsRules(tab);
      await tab.keyboard.press('Escape');
      await popup.waitFor({ state: 'detached' });
    }
    await setup.editor.closeTabs();
  });

  it('finds no violations in the find bar and the list of chats', async () => {
    await setup.newChat();
    for (const question of ['orders by status', 'status of orders']) {
      await chat.ask(question);
      (await service.next()).answer('Some orders are open, and some orders are shipped.');
      await chat.told('Answer finished');
    }
    await setup.editor.run('analyticsChat.find');
    await chat.view.getByRole('textbox', { name: 'Find in conversation' }).fill('orders');
    await keepsRules(page);
    await page.keyboard.press('Escape');
    await setup.editor.run('analyticsChat.history');
    const search = chat.view.getByRole('textbox', { name: 'Search chats' });
    await chat.view.getByRole('list', { name: 'Chats' }).getByRole('listitem').first().waitFor();
    await search.fill('some');
    await chat.view.locator('mark').first().waitFor();
    await keepsRules(page);
    await search.press('Escape');
  });

  it('finds no violations in a comparison', async () => {
    service.forget();
    await setup.editor.run('analyticsChat.compareBranches', {
      ...{ question: 'orders by status', left: 'main', right: 'dev-branch' },
    });
    for (const more of [0, 1]) {
      const side = await service.next();
      side.tool(`t${more}`, 'svcSqlApi', asked('Orders'), resultOf('Orders', more));
      side.answer(PROSE);
    }
    const tab = await setup.editor.tab();
    await tab.getByRole('table', { name: 'Results compared' }).waitFor();
    await keepsRules(tab);
  });
});

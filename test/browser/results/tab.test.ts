/** The layout of the tab with the rows of a result. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { finish, work } from '../../support/service/ordersAnswer.ts';
import { becomes, until } from '../../support/until.ts';
import { useWrittenExtension } from '../support/extension/written.ts';

describe('A results tab', () => {
  const setup = useWrittenExtension();

  it('shows its title and all actions in a narrow editor', async () => {
    const { chat, service } = setup;
    await chat.ask('orders by status');
    const written = await service.next();
    work(written);
    await finish(written, chat);
    await chat.button('Open results').click();
    const tab = await setup.editor.tab('Orders by status');
    await tab.getByRole('grid').waitFor();
    await tab.setViewportSize({ width: 255, height: 800 });
    const names = ['Copy results', 'Export results', 'Open SQL'];
    for (const name of names) {
      await until(
        () => tab.getByRole('button', { name }).evaluate((button) => button.getBoundingClientRect().right <= 255),
        () => `${name} is cut off.`,
      );
    }
    const boxes = await Promise.all(names.map((name) => tab.getByRole('button', { name }).boundingBox()));
    assert.equal(new Set(boxes.map((box) => box?.y)).size, 1, 'the actions are beside each other');
    const title = tab.getByRole('heading', { name: 'Orders by status' });
    assert.equal(
      await title.evaluate((heading) => heading.scrollWidth > heading.clientWidth),
      false,
      'the title is cut',
    );
    const [head, rows] = [await tab.locator('header').boundingBox(), await tab.getByRole('grid').boundingBox()];
    assert.ok(head && rows && head.y + head.height <= rows.y + 1, 'the header lies over the rows');
    await setup.editor.closeTabs();
  });

  it('shows the chart of its answer instead of the rows, with all rows once they are loaded', async () => {
    await setup.chat.button('Open results').click();
    const tab = await setup.editor.tab('Orders by status');
    await tab.getByRole('grid').waitFor();
    const post = (message: object): Promise<void> =>
      tab.evaluate((sent) => window.postMessage(sent, window.origin), message);
    const show = (spec?: object): Promise<void> =>
      post({
        type: 'table',
        title: 'Charted',
        table: { columns: [{ name: 'n', type: 'number' }], rows: [[1], [2]], totalRows: 3 },
        ...(spec ? { spec: JSON.stringify(spec) } : {}),
        guardFormulas: true,
        remember: null,
        l10n: {},
      });
    await show();
    await tab.getByRole('button', { name: 'Show chart' }).waitFor({ state: 'detached' });
    await show({ mark: 'point', encoding: { x: { field: 'n', type: 'quantitative' } } });
    await tab.getByRole('button', { name: 'Show chart' }).click();
    await tab.getByRole('img', { name: /^Chart: Charted.*\. 2 rows/ }).waitFor();
    await tab.getByText('The chart shows 2 of 3 rows.').waitFor();
    assert.equal(await tab.getByRole('grid').count(), 0);
    await post({ type: 'rows', from: 0, rows: [[1], [2], [3]], state: 'loading' });
    await post({ type: 'rows', from: 3, rows: [], state: 'done' });
    await tab.getByRole('img', { name: /^Chart: Charted.*\. 3 rows/ }).waitFor();
    await tab.getByRole('button', { name: 'Show table' }).click();
    await becomes(() => tab.getByRole('grid').getAttribute('aria-rowcount'), '4');
    await show({ mark: 'bomb' });
    await tab.getByRole('button', { name: 'Show chart' }).click();
    await tab.getByText(/^Can’t draw the chart: /).waitFor();
    await tab.getByRole('grid').waitFor();
    await setup.editor.closeTabs();
  });

  it('takes the focus only when VS Code gives it, so that an open prompt stays open', async () => {
    const { chat } = setup;
    await chat.button('Open results').click();
    const tab = await setup.editor.tab('Orders by status');
    const hasFocusedCell = (): Promise<boolean> =>
      tab.evaluate(() => document.activeElement?.closest('[role="grid"]') !== null);
    await tab.getByRole('gridcell').first().waitFor();
    await until(hasFocusedCell);
    await tab.addInitScript(() => (document.hasFocus = () => false));
    await tab.reload();
    await tab.getByRole('gridcell').first().waitFor();
    assert.equal(await hasFocusedCell(), false);
    await tab.evaluate(() => window.dispatchEvent(new Event('focus')));
    await until(hasFocusedCell);
    await setup.editor.closeTabs();
  });

  it('copies all rows with or without headers, and formulas as the settings say', async () => {
    await setup.chat.button('Open results').click();
    const tab = await setup.editor.tab('Orders by status');
    await tab.getByRole('grid').waitFor();
    const show = (guardFormulas: boolean): Promise<void> =>
      tab.evaluate((guard) => {
        const columns = [{ name: 'status', type: 'string', kind: 'string' }];
        const table = { columns, rows: [['=1+1'], ['open']], totalRows: 2 };
        const message = { type: 'table', title: 'Formulas', table, guardFormulas: guard, remember: null, l10n: {} };
        window.postMessage(message, window.origin);
      }, guardFormulas);
    const menu = tab.getByRole('menu', { name: 'Copy results' });
    const copies = async (expected: string): Promise<void> => {
      setup.editor.clipboard = '';
      if (!(await menu.isVisible())) await tab.getByRole('button', { name: 'Copy results' }).click();
      await menu.getByRole('menuitem', { name: 'Copy as CSV' }).click();
      await becomes(() => Promise.resolve(setup.editor.clipboard.trimEnd()), expected);
    };
    await show(true);
    await tab.getByRole('grid', { name: 'Results: Formulas' }).waitFor();
    await copies("status\r\n'=1+1\r\nopen");
    await tab.getByRole('button', { name: 'Copy results' }).click();
    const headers = menu.getByRole('menuitemcheckbox', { name: 'With Headers' });
    await headers.click();
    await headers.and(tab.locator('[aria-checked=false]')).waitFor();
    await copies("'=1+1\r\nopen");
    await show(false);
    await copies('=1+1\r\nopen');
    await setup.editor.closeTabs();
  });
});

/** The layout of the tab with the rows of a result. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { finish, work } from '../../support/service/ordersAnswer.ts';
import { until } from '../../support/until.ts';
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
});

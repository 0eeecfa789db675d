/** Loading and exporting all rows of a result. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { before, describe, it } from 'mocha';
import type { Sandbox } from '../../sandbox/server.ts';
import type { Chat } from '../../support/chat.ts';
import { becomes, until } from '../../support/until.ts';
import type { Prompts } from '../support/extension/prompts.ts';
import { DAYS, useResults } from './support.ts';

/** The count while rows are loading, after the first of them. */
const PART = /^(?!100 )\d+ of 366 rows/;

describe('All rows of a result', () => {
  const setup = useResults();
  let sandbox: Sandbox;
  let chat: Chat;
  let prompts: Prompts;

  before(() => ({ sandbox, chat, prompts } = setup));

  it('load all rows, and export them unchanged', async () => {
    const days = await setup.ask(DAYS);
    await days.getByText('100 of 366 rows', { exact: true }).waitFor();
    await days.getByRole('button', { name: 'Load all' }).click();
    await days.getByText('All 366 rows', { exact: true }).waitFor();
    await days.getByRole('img', { name: /^Chart.*\. 366 rows/ }).waitFor();
    assert.equal(await days.getByText(/The chart shows/).count(), 0);
    await days.getByRole('button', { name: 'Show table' }).click();
    const rowCount = (): Promise<string | null> =>
      days.getByRole('grid', { name: /^Results/ }).getAttribute('aria-rowcount');
    await becomes(rowCount, '367');

    await days.getByRole('button', { name: 'Export results' }).click();
    await prompts.pick('All 366 rows');
    await prompts.pick('CSV');
    await setup.save('Orders by day, 2024.csv');
    await prompts.message('366 rows were exported');
    const rows = parse(await setup.written('Orders by day, 2024.csv')) as string[][];
    const all = await setup.allRows();
    assert.equal(all.length, 366);
    assert.deepEqual(rows.slice(1), all);
  });

  it('are exported and opened as shown: sorted, filtered and with the columns in view', async () => {
    const days = await setup.ask(DAYS);
    await days.getByRole('button', { name: 'Show table' }).click();
    const grid = days.getByRole('grid', { name: /^Results/ });
    for (let clicks = 0; clicks < 2; clicks += 1) await grid.getByRole('columnheader').nth(1).click();
    await grid.locator('[aria-sort=descending]').waitFor();
    await grid.getByRole('columnheader').nth(2).click({ button: 'right' });
    await chat.view.getByRole('menuitem', { name: 'Hide Column', exact: true }).click();

    await days.getByRole('button', { name: 'Export results' }).click();
    await prompts.pick('The rows and columns as shown');
    await prompts.pick('CSV');
    await prompts.file(setup.path('Shown.csv'));
    await prompts.message('100 rows were exported');
    const shown = parse(await setup.written('Shown.csv')) as string[][];

    await days.getByRole('button', { name: 'Load all' }).click();
    await days.getByText('All 366 rows', { exact: true }).waitFor();
    await days.getByRole('button', { name: 'Open results' }).click();
    const tab = await setup.editor.tab();
    await tab.getByText('All 366 rows', { exact: true }).waitFor();
    await tab.getByRole('grid').locator('[aria-sort=descending]').waitFor();
    await becomes(() => tab.getByRole('grid').getByRole('columnheader').count(), 2);
    await tab.getByRole('button', { name: 'Export results' }).click();
    await prompts.pick('The rows and columns as shown');
    await prompts.pick('CSV');
    await prompts.file(setup.path('All shown.csv'));
    await prompts.message('366 rows were exported');
    const whole = parse(await setup.written('All shown.csv')) as string[][];
    const all = await setup.allRows();
    assert.deepEqual(
      shown.slice(1),
      all
        .slice(0, 100)
        .map(([day]) => [day])
        .toReversed(),
    );
    assert.deepEqual(whole.slice(1), all.map(([day]) => [day]).toReversed());
    await setup.editor.closeTabs();
  });

  it('never show a part of the rows as all of them', async () => {
    sandbox.faults({ endpoint: 'query', bytesPerSecond: 1500 });
    const days = await setup.ask(DAYS);
    await days.getByRole('button', { name: 'Load all' }).click();
    const isLoading = (): boolean => prompts.progress.has('Loading all rows…');
    await until(isLoading);
    await days.getByText(PART).waitFor();
    // The new page gets only the rows that are loaded from now on.
    const sideBar = await setup.editor.sideBar;
    await sideBar.setVisible(false);
    await sideBar.setVisible(true);
    await until(() => !isLoading());
    await days.getByText('100 of 366 rows', { exact: true }).waitFor();
    await days.getByRole('button', { name: 'Load all' }).click();
    await days.getByText('All 366 rows', { exact: true }).waitFor();
  });

  it('open in their own tab, with all rows and every format', async () => {
    const days = chat.view.getByRole('group', { name: /^SQL query/ }).first();
    await days.getByRole('button', { name: 'Open results' }).click();
    const tab = await setup.editor.tab();
    await tab.getByText('100 of 366 rows', { exact: true }).waitFor();
    await tab.getByRole('button', { name: 'Load all' }).press('Enter');
    await tab.getByText('All 366 rows', { exact: true }).waitFor();
    const grid = tab.getByRole('grid', { name: /^Results/ });
    // The focused button was removed, and the rows have the focus.
    await grid.locator('[role=gridcell]:focus').press('Shift+ArrowDown');
    await tab.keyboard.press('Control+c');
    await tab.getByRole('status').filter({ hasText: '2 cells copied' }).waitFor();
    await becomes(() => grid.getAttribute('aria-rowcount'), '367');
    await tab.getByRole('button', { name: 'Copy results' }).click();
    await tab.getByRole('menuitem', { name: 'Copy as CSV' }).click();
    const all = await setup.allRows();
    assert.deepEqual((parse(await setup.copied(367, '\r\n')) as string[][]).slice(1), all);
  });

  it('say why they could not be loaded, and where to change the address', async () => {
    await setup.editor.closeTabs();
    const days = await setup.ask(DAYS);
    sandbox.faults({ endpoint: 'query', status: 404, body: '{"error":"No such path."}' });
    await days.getByRole('button', { name: 'Load all' }).click();
    const message = await prompts.message('The data query failed: No such path.');
    assert.deepEqual(message.actions, ['Open settings', 'Show log']);
    message.choose();
  });

  it('need a key of their own if the data query API is on another origin', async () => {
    setup.editor.workspace.setSetting('analyticsChat.dataQueryUrl', sandbox.dataQueryUrl);
    const days = await setup.ask(DAYS);
    const { origin } = new URL(sandbox.dataQueryUrl);
    await days.getByRole('button', { name: 'Load all' }).click();
    (await prompts.message(`There is no key for ${origin} yet`)).choose('Set API key');
    await prompts.enter(sandbox.apiKey);
    await days.getByRole('button', { name: 'Load all' }).click();
    await days.getByText('All 366 rows', { exact: true }).waitFor();
  });

  // The last test: the extension doesn't start again.
  it('leave no file if the window is reloaded during an export', async () => {
    sandbox.faults({ endpoint: 'query', bytesPerSecond: 500 });
    const days = chat.view.getByRole('group', { name: /^SQL query/ }).last();
    await days.getByRole('button', { name: 'Export results' }).click();
    await prompts.pick('All 366 rows');
    await prompts.pick('CSV');
    await prompts.file(setup.path('Reloaded.csv'));
    const left = (): string[] => readdirSync(setup.path('.')).filter((name) => name.startsWith('Reloaded.csv'));
    await until(() => left().length > 0);
    await setup.deactivate();
    assert.deepEqual(left(), []);
  });
});

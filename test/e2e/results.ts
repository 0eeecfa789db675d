/** Results, charts and comparisons where VS Code takes part: dialogs, themes, documents and restored tabs. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, it } from 'mocha';
import type { Locator, Page } from 'playwright-core';
import type { Sandbox } from '../sandbox/server.ts';
import type { Chat } from '../support/chat.ts';
import { becomes, until } from '../support/until.ts';
import { openNewChat } from './support/chat.ts';
import { compare } from './support/compare.ts';
import {
  nameFile,
  notification,
  quickPickItem,
  reloadWindow,
  runCommand,
  setSideBarWidth,
  webview,
} from './support/editor.ts';
import type { SandboxEditor } from './support/sandboxEditor.ts';
import { switchBranch } from './support/testExplorer.ts';

const MONTHS = 'revenue by month in 2024';

export const results = (setup: SandboxEditor): void => {
  let sandbox: Sandbox;
  let page: Page;
  let chat: Chat;
  let card: Locator;

  before(async () => {
    ({ sandbox, page } = setup);
    await switchBranch(page, 'main');
    chat = await openNewChat(page);
    // Wide enough for all actions of a card.
    await setSideBarWidth(page, 500);
  });

  /** Accepts the file name that the save dialog proposes, and waits until the file has such contents. */
  const save = async (name: string, isComplete: (text: string) => boolean): Promise<void> => {
    await nameFile(page, `/${name}`);
    const path = join(setup.editor.workspace ?? '', name);
    await until(
      () => existsSync(path) && isComplete(readFileSync(path, 'utf8')),
      () => `${name} was not written as expected`,
    );
  };
  /** Without the list of themes, which closes if the chat gets the focus back after a dialog. */
  const toggleTheme = (): Promise<void> => runCommand(page, 'Preferences: Toggle between Light/Dark Themes');
  /** Marks of the chart, without axes and legends. */
  const marks = (kind: string): Locator => card.locator(`.role-mark.mark-${kind} > *`);

  it('show a chart in the colors of the theme, save it, and follow its specification in the editor', async () => {
    await chat.ask(MONTHS);
    await chat.told('Answer finished');
    card = chat.view.getByRole('group', { name: /^SQL query/ });
    await card.getByRole('img', { name: /^Chart/ }).waitFor();
    await card.getByRole('button', { name: 'Save chart' }).click();
    await chat.view.getByRole('menuitem', { name: 'SVG on White', exact: true }).click();
    await save('Revenue by month, 2024.svg', (text) => /^<svg[\s\S]*Revenue[\s\S]*<\/svg>$/i.test(text));

    for (const theme of ['light', 'dark']) {
      const color = await card.locator('.role-axis-label text').first().getAttribute('fill');
      await toggleTheme();
      await card.locator(`.role-axis-label text:not([fill="${color}"])`).first().waitFor();
      await page.locator(`.monaco-workbench.vs${theme === 'dark' ? '-dark' : ''}`).waitFor();
    }

    await card.getByRole('button', { name: 'Change chart' }).click();
    const studio = card.getByRole('group', { name: 'Change chart' });
    await studio.getByRole('button', { name: 'Open in editor' }).click();
    const text = page.locator('.editor-group-container.active .monaco-editor');
    await text.locator('.view-lines').filter({ hasText: '"mark"' }).waitFor();
    const type = async (spec: string): Promise<void> => {
      await text.locator('.view-lines').click();
      await page.keyboard.press('Control+a');
      await page.evaluate((content) => navigator.clipboard.writeText(content), spec);
      await page.keyboard.press('Control+v');
    };
    const encoding =
      '"encoding":{"x":{"field":"month","type":"temporal"},"y":{"field":"revenue","type":"quantitative"}}';
    await type(`{"mark":"point",${encoding}}`);
    await marks('symbol').nth(11).waitFor();
    await type(`{"mark":"point",${encoding}`);
    await card.getByText(/not valid JSON/).waitFor();
    // The last good chart stays.
    await becomes(() => marks('symbol').count(), 12);
    await type(`{"mark":"area",${encoding}}`);
    await marks('area').first().waitFor();
    await card.getByText(/not valid JSON/).waitFor({ state: 'detached' });
    await studio.getByRole('button', { name: 'Original chart' }).click();
    await text.locator('.view-lines').filter({ hasText: '"title"' }).waitFor();
    await runCommand(page, 'View: Revert and Close Editor');
  });

  it('are exported through dialogs, and keep their tab and a comparison after a window reload', async () => {
    await chat.ask('orders by day in 2024');
    card = chat.view.getByRole('group', { name: /^SQL query: Orders by day/ });
    await card.getByText('100 of 366 rows', { exact: true }).waitFor();
    await card.getByRole('button', { name: 'Export results' }).click();
    await quickPickItem(page, 'All 366 rows').click();
    await quickPickItem(page, 'CSV').click();
    await save('Orders by day, 2024.csv', (text) => text.trim().split('\n').length === 367);
    await notification(page, '366 rows were exported').waitFor();
    // A finished progress message can stay for a moment beside the one of the next export.
    await notification(page, 'Exporting all rows').waitFor({ state: 'detached' });

    sandbox.faults({ endpoint: 'query', bytesPerSecond: 500 });
    await card.getByRole('button', { name: 'Export results' }).click();
    await quickPickItem(page, 'All 366 rows').click();
    await quickPickItem(page, 'JSON').click();
    await nameFile(page, '/Orders by day, 2024.json');
    const progress = notification(page, 'Exporting all rows');
    await progress.getByRole('button', { name: 'Cancel' }).click();
    await progress.waitFor({ state: 'detached' });
    sandbox.faults();

    await card.getByRole('button', { name: 'Open results' }).click();
    // The tab takes the focus, which would close the prompts of the comparison.
    await webview(page, 'editor').locator('[role=gridcell]:focus').waitFor();
    await compare(page, MONTHS, ['main', 'dev-net-revenue']);
    const comparison = webview(page, 'editor');
    await comparison.getByText('12 changed', { exact: true }).waitFor();
    await page.locator('.statusbar-item').filter({ hasText: 'main' }).first().waitFor();
    const asked = sandbox.requests.length;
    await reloadWindow(page);
    await comparison.getByRole('region', { name: 'Right: dev-net-revenue as dev' }).waitFor();
    await comparison.getByText('12 changed', { exact: true }).waitFor();
    assert.equal(sandbox.requests.length, asked);
    await page.getByRole('tab', { name: /^Orders by day/ }).click();
    await webview(page, 'editor').getByText('100 of 366 rows', { exact: true }).waitFor();
    await webview(page, 'editor')
      .getByRole('grid', { name: /^Results: Orders by day/ })
      .waitFor();
  });
};

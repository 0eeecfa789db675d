/** All questions of a workspace asked on two branches, in the real VS Code. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import type { Sandbox } from '../sandbox/server.ts';
import { until } from '../support/until.ts';
import { pick } from './support/compare.ts';
import { runCommand, webview } from './support/editor.ts';
import { useSandboxEditor } from './support/sandboxEditor.ts';
import { screenshot } from './support/screenshot.ts';

const QUESTIONS = 33;

describe('Comparing answers across branches', function () {
  this.timeout(180_000);
  const setup = useSandboxEditor({ viewport: { width: 1300, height: 900 } });
  let sandbox: Sandbox;
  let page: Page;
  let tab: FrameLocator;
  before(() => {
    ({ sandbox, page } = setup);
    tab = webview(page, 'editor');
  });

  const rows = (): Locator => tab.getByRole('table', { name: 'Questions' }).locator('tbody tr');
  const filter = (name: RegExp): Locator =>
    tab.getByRole('group', { name: 'Filter by state' }).getByRole('button', { name });
  const sent = (path: string): number => sandbox.requests.filter((request) => request.path.endsWith(path)).length;
  async function start(): Promise<void> {
    await runCommand(page, 'Analytics Chat: Compare Answers Across Branches…');
    await pick(page, /^Select the first branch/, 'main');
    await pick(page, /^Select the branch to compare “main” with/, 'dev-net-revenue');
  }

  it('lists the changes of each question, and opens both answers of one without asking again', async () => {
    await start();
    await tab
      .getByRole('paragraph')
      .filter({ hasText: /^\d+ changed · \d+ the same/ })
      .waitFor();
    assert.equal(await rows().count(), QUESTIONS);
    assert.equal(sent('/stream-chat-state'), 2 * QUESTIONS);
    await screenshot(page, 'compare answers dark');

    await filter(/^Changed/).click();
    const names = await rows().locator('.answer-name').allInnerTexts();
    assert.ok(names.length > 0 && names.every((name) => /revenue/.test(name)), names.join());
    const row = rows().filter({ hasText: 'revenue by month in 2024' });
    await row.getByText(/^12 of 12 rows changed, −\d/).waitFor();
    await row.getByText('Changed numbers').waitFor();

    await rows().first().getByRole('button').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await tab.getByRole('region', { name: 'Right: dev-net-revenue as dev' }).waitFor();
    await tab.getByRole('heading', { name: 'revenue by month in 2024' }).waitFor();
    await tab.getByText('12 changed', { exact: true }).waitFor();
    assert.equal(sent('/stream-chat-state'), 2 * QUESTIONS);

    await runCommand(page, 'View: Close Editor');
    // The page was discarded while it was hidden: rows, summary and filter are back.
    await filter(/^Changed/)
      .and(tab.locator('[aria-pressed="true"]'))
      .waitFor();
    assert.equal(await rows().count(), names.length);
    await page.setViewportSize({ width: 760, height: 900 });
    await screenshot(page, 'compare answers narrow');
    await page.setViewportSize({ width: 1300, height: 900 });
    await runCommand(page, 'View: Close All Editors');
  });

  it('aborts on the service when it is canceled, and keeps finished comparisons', async () => {
    const [asked, aborted] = [sent('/stream-chat-state'), sent('/chat/abort')];
    sandbox.faults({ pace: 30 });
    await start();
    await tab.getByText(/^[1-9]\d* of 33 questions compared$/).waitFor();
    await screenshot(page, 'compare answers running');
    await tab.getByRole('button', { name: 'Cancel', exact: true }).click();
    await tab
      .getByRole('paragraph')
      .filter({ hasText: /\d+ canceled/ })
      .waitFor();
    assert.ok(sent('/chat/abort') > aborted);
    assert.ok(sent('/stream-chat-state') - asked < 2 * QUESTIONS);
    await filter(/^(Changed|Same)/)
      .first()
      .waitFor();
    sandbox.faults();
    await tab.getByRole('button', { name: 'Ask Again' }).click();
    await until(async () => (await rows().filter({ hasText: 'Canceled' }).count()) === 0);
    await tab
      .getByRole('paragraph')
      .filter({ hasText: /^\d+ changed · \d+ the same/ })
      .waitFor();
  });
});

/** All questions of a workspace asked on two branches. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import type { Locator, Page } from 'playwright-core';
import type { Sandbox } from '../../sandbox/server.ts';
import { becomes } from '../../support/until.ts';
import { keepsAccessRules } from '../support/accessRules.ts';
import { useSandboxExtension } from '../support/extension/sandbox.ts';

const QUESTIONS = 33;
const CHANGED = 8;
/** Each question is asked once on each branch, and those that differ three times. */
const REQUESTS = 2 * QUESTIONS + 4 * CHANGED;

describe('Comparing answers across branches', () => {
  const setup = useSandboxExtension({ workspace: 'model', viewport: { width: 1300, height: 900 } });
  let sandbox: Sandbox;
  let tab: Page;
  before(() => ({ sandbox } = setup));

  const rows = (): Locator => tab.getByRole('table', { name: 'Questions' }).locator('tbody tr');
  const filter = (name: RegExp): Locator =>
    tab.getByRole('group', { name: 'Filter by state' }).getByRole('button', { name });
  const sent = (path: string): number => sandbox.requests.filter((request) => request.path.endsWith(path)).length;
  /** What a restart of VS Code restores the tab from. */
  const saved = () => tab.evaluate(() => JSON.parse(sessionStorage.getItem('state') ?? '{}') as { rows?: unknown[] });
  async function start(): Promise<void> {
    const comparing = setup.editor.run('analyticsChat.compareAnswers');
    await setup.prompts.pick('main');
    await setup.prompts.pick('dev-net-revenue');
    const question = await setup.prompts.message('Ask 33 questions on “main” and on “dev-net-revenue”?');
    assert.match(question.detail, /^At most 198 requests/);
    question.choose('Ask');
    tab = await setup.editor.tab();
    await comparing;
  }

  it('lists the changes of each question, and opens both answers of one without asking again', async () => {
    await start();
    await tab
      .getByRole('paragraph')
      .filter({ hasText: /^\d+ changed · \d+ the same/ })
      .waitFor();
    await becomes(() => rows().count(), QUESTIONS);
    assert.equal(sent('/stream-chat-state'), REQUESTS);
    await becomes(async () => (await saved()).rows?.length, QUESTIONS);

    await filter(/^Same/).click();
    await rows().first().getByRole('button').press('ArrowDown');
    await rows().nth(1).locator('button:focus').waitFor();
    await tab.keyboard.press('End');
    await rows().last().locator('button:focus').waitFor();
    await tab.keyboard.press('ArrowUp');
    await rows()
      .nth((await rows().count()) - 2)
      .locator('button:focus')
      .waitFor();
    await tab.keyboard.press('Home');
    await rows().first().locator('button:focus').waitFor();

    const changed = filter(/^Changed/).and(tab.locator('[aria-pressed="true"]'));
    await filter(/^Changed/).click();
    await changed.waitFor();
    const names = await rows().locator('.answer-name').allInnerTexts();
    assert.ok(names.length > 0 && names.every((name) => /revenue/.test(name)), names.join());
    const row = rows().filter({ hasText: 'revenue by month in 2024' });
    await row.getByText(/^12 of 12 rows changed, −\d/).waitFor();
    await row.getByText('Changed numbers').waitFor();
    // Beside a side bar.
    await tab.setViewportSize({ width: 780, height: 900 });
    assert.ok((await row.getByRole('button').first().boundingBox())!.height < 40, 'the question is on one line');
    await tab.setViewportSize({ width: 1300, height: 900 });

    const tabs = tab.context().pages().length;
    const { x, y, width } = (await rows().last().locator('.answer-message').boundingBox())!;
    await tab.mouse.move(x + 14, y + 14);
    await tab.mouse.down();
    await tab.mouse.move(x + width / 2, y + 14, { steps: 3 });
    await tab.mouse.up();
    assert.notEqual(await tab.evaluate(() => String(getSelection())), '');

    await rows().first().getByRole('button').focus();
    await tab.keyboard.press('ArrowDown');
    await tab.keyboard.press('Enter');
    const comparison = await setup.editor.tab('Compare: revenue by month in 2024');
    await comparison.getByRole('region', { name: 'Right: dev-net-revenue as dev' }).waitFor();
    assert.equal(tab.context().pages().length, tabs + 1, 'selecting text opens nothing');
    await comparison.getByRole('heading', { name: 'revenue by month in 2024' }).waitFor();
    await comparison.getByText('12 changed', { exact: true }).waitFor();
    assert.equal(sent('/stream-chat-state'), REQUESTS);

    await setup.editor.activate(tab);
    // The page was discarded while it was hidden: rows, summary and filter are back.
    await changed.waitFor();
    await becomes(() => rows().count(), names.length);
    await setup.editor.closeTabs();
  });

  it('aborts on the service when it is canceled, and keeps finished comparisons', async () => {
    const [asked, aborted] = [sent('/stream-chat-state'), sent('/chat/abort')];
    sandbox.faults({ pace: 30, requests: REQUESTS });
    await start();
    const cost = 'Asking 33 questions on main and dev-net-revenue, at most 198 requests';
    await tab.getByRole('paragraph').filter({ hasText: cost }).waitFor();
    await tab.getByText(/^[1-9]\d* of 33 questions compared$/).waitFor();
    assert.equal((await saved()).rows, undefined, 'after a restart, no question would be asked');
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
  });

  it('waits for a branch that is not served yet, and asks the canceled questions again', async () => {
    sandbox.faults({ badBranch: 'dev-net-revenue', requests: REQUESTS });
    await filter(/^Canceled/).click();
    await tab.getByRole('button', { name: 'Ask again' }).click();
    await tab
      .getByRole('paragraph')
      .filter({ hasText: 'Waiting until the service serves the branch “dev-net-revenue”…' })
      .waitFor();
    await keepsAccessRules(tab, setup.editor);
    sandbox.faults();
    await becomes(() => rows().filter({ hasText: 'Canceled' }).count(), 0);
    await tab
      .getByRole('paragraph')
      .filter({ hasText: /^\d+ changed · \d+ the same/ })
      .waitFor();
    // No question is canceled any more, so all are shown.
    await becomes(() => rows().count(), QUESTIONS);
  });

  it('keeps the accessibility rules in every kind of theme', () => keepsAccessRules(tab, setup.editor));

  it('shows the question and what changed beside the columns of many branches, without scrolling', async () => {
    const branches = ['main', 'dev-net-revenue', 'feature/customer-groups', 'fix/returns-in-margin', 'release/2024-12'];
    const contexts = branches.map((branch) => ({ branch, identity: 'dev' }));
    const cells = contexts.map(() => ({ state: 'answered', message: '100 of 12,345 rows', canOpen: true }));
    const row = { name: 'revenue', text: 'revenue by month', state: 'same', message: '', cells };
    await tab.evaluate((change) => window.postMessage({ type: 'page', change }, window.origin), {
      contexts,
      rows: [row, row],
    });
    const question = rows().first().getByRole('rowheader');
    const scrolled = (part: Locator): Promise<number> => part.evaluate((each) => each.scrollWidth - each.clientWidth);
    for (const width of [1300, 600, 290]) {
      await tab.setViewportSize({ width, height: 900 });
      await becomes(async () => ((await question.boundingBox())?.width ?? 0) >= 100, true);
      for (const part of [tab.locator('main'), tab.getByRole('region', { name: 'Questions' })])
        await becomes(() => scrolled(part), 0);
    }
  });
});

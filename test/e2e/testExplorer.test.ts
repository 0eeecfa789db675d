/** Question tests in VS Code's Test Explorer, on the demo's workspace. */
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { startSandbox, type Sandbox } from '../sandbox/server.ts';
import { becomes, until } from '../support/until.ts';
import { repoRoot } from '../vscode/paths.ts';
import { openChat, openNewChat } from './support/chat.ts';
import { openFile, quickInput, runCommand, statusBarItem, webview } from './support/editor.ts';
import { launch, type Launched } from './support/launch.ts';
import { step } from './support/step.ts';
import {
  chooseForTest,
  openTestExplorer,
  runAllTests,
  runEnd,
  switchBranch,
  testRow,
  testsIn,
} from './support/testExplorer.ts';

const REVENUE = [
  'revenue_by_quarter',
  'revenue_by_month_2024',
  'revenue_by_region_2024',
  'revenue_by_category_last_quarter',
  'revenue_in_germany_by_quarter',
  'revenue_2024_and_2023',
  'top_products_by_revenue',
  'revenue_per_order_q3_2024',
];
/** Without an expected result. */
const OPEN_QUESTION = 'eval_questions:\n  - name: orders_by_quarter\n    question: orders by quarter in 2024\n';
const DUPLICATE = 'eval_questions:\n  - name: orders_by_status\n    question: orders?\n    sql: SELECT 1\n';

describe('the Test Explorer', function () {
  this.timeout(400_000);
  let sandbox: Sandbox;
  let source: string;
  let editor: Launched;
  let page: Page;

  const baselines = (): string[] => {
    const folder = join(editor.workspace ?? '', '.analytics-chat', 'baselines');
    return existsSync(folder) ? readdirSync(folder) : [];
  };
  const questionsAsked = (): number =>
    sandbox.requests.filter(({ path }) => path.endsWith('/stream-chat-state')).length;

  before(async () => {
    sandbox = await startSandbox();
    source = join(mkdtempSync(join(realpathSync(tmpdir()), 'questions-')), 'shop');
    cpSync(join(repoRoot, 'test', 'fixtures', 'workspaces', 'model'), source, { recursive: true });
    mkdirSync(join(source, '.analytics-chat'));
    writeFileSync(join(source, '.analytics-chat', 'questions.yml'), OPEN_QUESTION);
    writeFileSync(join(source, 'agents', 'eval_questions', 'twice.yml'), DUPLICATE);
  });
  // A window each, because VS Code keeps the names of past results in the tree.
  beforeEach(async () => {
    editor = await launch({
      workspace: source,
      viewport: { width: 1280, height: 1200 },
      env: { ANALYTICS_CHAT_API_URL: sandbox.chatApiUrl, ANALYTICS_CHAT_API_KEY: sandbox.apiKey },
      settings: {
        'analyticsChat.dataQueryUrl': sandbox.dataQueryUrl,
        'testing.automaticallyOpenTestResults': 'neverOpen',
      },
    });
    ({ page } = editor);
  });
  afterEach(() => editor.stop());
  after(async () => {
    await sandbox.stop();
    rmSync(join(source, '..'), { recursive: true, force: true });
  });

  it('lists the questions, and fails those that a branch changes', async () => {
    await step(
      'lists each question below its file and in the gutter, and reports a duplicate at its line',
      async () => {
        await openFile(page, 'eval_questions.yml');
        await openTestExplorer(page);
        await testRow(page, 'orders_by_quarter', 'Not yet run').waitFor();
        await becomes(async () => (await testsIn(page, 'Not yet run')).length, 34);
        await page.locator('.monaco-editor .testing-run-glyph').nth(5).waitFor();
        await runCommand(page, 'Problems: Focus on Problems View');
        await page
          .getByText(/The name “orders_by_status” is already used/)
          .first()
          .waitFor();
      },
    );
    await step('fails exactly the questions on revenue on the branch that changes it, and none on main', async () => {
      await switchBranch(page, 'dev-net-revenue');
      await openFile(page, 'eval_questions.yml');
      await openTestExplorer(page);
      await runAllTests(page);
      assert.match(await runEnd(page), /25\/33/);
      await becomes(async () => (await testsIn(page, 'Failed')).sort(), [...REVENUE].sort());

      // Of any question: they are listed in the order in which their answers arrived.
      await page.locator('.test-error-content-widget').first().click();
      const [expected, actual] = [0, 1].map((side) =>
        page.locator('.zone-widget .monaco-editor .view-lines').nth(side),
      );
      await expected?.filter({ hasText: /\d/ }).waitFor();
      await actual?.filter({ hasText: /\d/ }).waitFor();
      assert.notEqual(await expected?.textContent(), await actual?.textContent());
      await page.keyboard.press('Escape');

      await runCommand(page, 'Test Results: Focus on Test Results View');
      await page
        .locator('.xterm-rows')
        .getByText(/^\s*75 % \(25\/33\) · 1 without expected result · 42 requests · /)
        .waitFor();
      await chooseForTest(page, 'revenue_by_quarter', 'Execute Using Profile...');
      await quickInput(page).fill('Run on Main Branch');
      await page.keyboard.press('Enter');
      await testRow(page, 'revenue_by_quarter', 'Passed').waitFor();
      await chooseForTest(page, 'revenue_by_month_2024', 'Compare with Main');
      await webview(page, 'editor').getByRole('table', { name: 'Results compared' }).waitFor();
      await runCommand(page, 'Analytics Chat: Copy CI Workflow');
      await page.waitForFunction(async () =>
        /CHECKSUM: [0-9a-f]{128} {2}analytics-chat-[^]* eval --branch "\$BRANCH"/.test(
          await navigator.clipboard.readText(),
        ),
      );
    });
  });

  it('keeps threads out of the history, accepts results, makes tests of answers, and can be canceled', async () => {
    await step('keeps the threads of tests out of the history until one is opened', async () => {
      await openTestExplorer(page);
      const chat = await openChat(page);
      await openTestExplorer(page);
      await chooseForTest(page, 'orders_by_status', 'Run Test');
      await testRow(page, 'orders_by_status', 'Passed').waitFor();
      await chooseForTest(page, 'orders_by_channel_2024', 'Run Test');
      await testRow(page, 'orders_by_channel_2024', 'Passed').waitFor();
      await chooseForTest(page, 'orders_by_status', 'Open Chat');
      await chat.view.getByRole('article', { name: 'You' }).filter({ hasText: 'orders by status' }).waitFor();
      await runCommand(page, 'Analytics Chat: Show History');
      const kept = chat.view.locator('.thread-name');
      await kept.first().waitFor();
      await becomes(() => kept.allTextContents(), ['orders by status']);
    });
    await step('accepts a result as expected by writing one file, and the question then passes', async () => {
      await openTestExplorer(page);
      await chooseForTest(page, 'orders_by_quarter', 'Run Test');
      await testRow(page, 'orders_by_quarter', 'Skipped').waitFor();
      assert.deepEqual(baselines(), []);
      await chooseForTest(page, 'orders_by_quarter', 'Accept as Expected');
      await statusBarItem(page, 'Accepted:').waitFor();
      assert.deepEqual(baselines(), ['orders_by_quarter.yml']);
      assert.equal(
        readFileSync(join(editor.workspace ?? '', '.analytics-chat', 'questions.yml'), 'utf8'),
        OPEN_QUESTION,
      );
      await chooseForTest(page, 'orders_by_quarter', 'Run Test');
      await testRow(page, 'orders_by_quarter', 'Passed').waitFor();
    });
    await step('makes a test of an answer, which then passes', async () => {
      const chat = await openNewChat(page);
      await chat.ask('revenue by month in 2024');
      await chat.told('Answer finished');
      await chat.button('Add as test…').click();
      await page.waitForFunction(
        () =>
          document.querySelector<HTMLInputElement>('.quick-input-widget input')?.value === 'revenue_by_month_in_2024',
      );
      await quickInput(page).press('Enter');
      await page.getByRole('tab', { name: /^questions\.yml/, selected: true }).waitFor();
      await becomes(
        () => readFileSync(join(editor.workspace ?? '', '.analytics-chat', 'questions.yml'), 'utf8'),
        `${OPEN_QUESTION}  - name: revenue_by_month_in_2024\n    question: revenue by month in 2024\n`,
      );
      await becomes(() => baselines().sort(), ['orders_by_quarter.yml', 'revenue_by_month_in_2024.yml']);
      await openTestExplorer(page);
      await chooseForTest(page, 'revenue_by_month_in_2024', 'Run Test');
      await testRow(page, 'revenue_by_month_in_2024', 'Passed').waitFor();
    });
    await step('stops the answers on the service when the run is canceled', async () => {
      await openTestExplorer(page);
      sandbox.faults(...Array.from({ length: 4 }, () => ({ stallAfter: 1 })));
      const [before, askedBefore] = [sandbox.requests.length, questionsAsked()];
      const requestsTo = (path: RegExp): number =>
        sandbox.requests.slice(before).filter((request) => path.test(request.path)).length;
      await runAllTests(page);
      await until(() => requestsTo(/\/stream-chat-state$/) === 4);
      await runCommand(page, 'Test: Cancel Test Run');
      await until(() => requestsTo(/\/abort$/) === 4);
      sandbox.faults();
      await runEnd(page);
      assert.ok(questionsAsked() - askedBefore < 12, 'waiting questions are not asked');
    });
  });
});

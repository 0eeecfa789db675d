/** Inserting generated SQL into files in the real VS Code; its window also shows results, corrections and a virtual workspace. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { parse } from 'yaml';
import type { Sandbox } from '../sandbox/server.ts';
import { ask, queryOf } from '../unit/sandbox/support.ts';
import { certifying } from './certify.ts';
import { results } from './results.ts';
import { openChat } from './support/chat.ts';
import type { Chat } from '../support/chat.ts';
import {
  dialog,
  notification,
  openFile,
  quickInput,
  quickPickItem,
  runCommand,
  savedText,
  statusBarItem,
  webview,
} from './support/editor.ts';
import type { Launched } from './support/launch.ts';
import { useSandboxEditor, type SandboxEditor } from './support/sandboxEditor.ts';
import { step } from './support/step.ts';
import { virtualWorkspace } from './virtual.ts';

const QUESTION = 'revenue by month in 2024';
const OTHER_QUESTION = 'top 10 products by revenue';
const REPORTS = 'reports:\r\n  - name: revenue\r\n    query: |\r\n      \r\n    owner: ana\r\n';
const NOTEBOOK = JSON.stringify({
  cells: [{ cell_type: 'code', execution_count: null, metadata: {}, outputs: [], source: ['# here\n'] }],
  metadata: { language_info: { name: 'python' } },
  nbformat: 4,
  nbformat_minor: 5,
});

describe('With an answer', function () {
  this.timeout(240_000);
  const settings = { 'files.readonlyInclude': { '**/locked.sql': true }, 'files.trimFinalNewlines': false };
  const setup = useSandboxEditor({ viewport: { width: 1400, height: 900 }, settings });

  describe('Inserting SQL', () => insertion(setup));
  describe('Results', () => results(setup));
  describe('Certifying and correcting an answer', () => certifying(setup));
  describe('A virtual workspace', () => virtualWorkspace(setup));
});

function insertion(setup: SandboxEditor): void {
  let sandbox: Sandbox;
  let editor: Launched;
  let page: Page;
  let chat: Chat;
  let sql: string;
  let otherSql: string;

  before(async () => {
    ({ sandbox, editor, page } = setup);
    for (const [name, text] of Object.entries({
      'queries/reports.yml': REPORTS,
      'queries/start.yml': 'name: revenue\n',
      'queries/locked.sql': '-- Nobody writes here.\n',
      'queries/three.sql': '-- top\n\n\n\n-- end\n',
      'queries/tricky.sql': '',
      'queries/members.sql': '',
      'queries/preview.sql': '-- before\n',
      'tests/no_orphans.sql': '-- no orphans\n',
      'notebooks/sales.ipynb': NOTEBOOK,
    })) {
      mkdirSync(dirname(fileOf(name)), { recursive: true });
      writeFileSync(fileOf(name), text);
    }
    chat = await openChat(page);
    for (const question of [OTHER_QUESTION, QUESTION]) {
      await chat.ask(question);
      await chat.told('Answer finished');
    }
    const sqlOf = async (input: string): Promise<string> => queryOf(await ask(sandbox, { input })).sqlQuery;
    [sql, otherSql] = await Promise.all([sqlOf(QUESTION), sqlOf(OTHER_QUESTION)]);
  });

  /** A step that starts without open editors. */
  const insertionStep = (title: string, work: () => Promise<void>): Promise<void> =>
    step(title, async () => {
      await runCommand(page, 'View: Close All Editors');
      await work();
    });
  const fileOf = (name: string): string => join(editor.workspace ?? '', name);
  const bytesOf = (name: string): string => readFileSync(fileOf(name), 'utf8');
  const insertLast = (): Promise<void> => chat.button('Insert SQL').last().click();
  const shown = (text: string) => page.locator('.editor-group-container.active .view-lines').filter({ hasText: text });
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };

  /** Selects the first matching query of the chat, which is the last one asked. */
  const pickQuery = async (text = ''): Promise<void> => {
    await runCommand(page, 'Analytics Chat: Insert SQL…');
    const field = page.getByPlaceholder('Select a query to preview its insertion');
    await field.fill(text);
    await page.locator('.quick-input-widget:visible .monaco-list-row').first().click();
  };

  const applyInsertion = (): Promise<void> => page.getByRole('button', { name: 'Apply', exact: true }).click();

  it('writes at the cursors of any editor, or where the user chooses', async () => {
    await insertionStep('writes into a block scalar by keyboard alone, and one undo restores every byte', async () => {
      await openFile(page, 'reports.yml');
      await press('Control+Home', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'End');
      await openChat(page);
      const last = chat.button('Insert SQL').last();
      const isThere = (): Promise<boolean> => last.evaluate((button) => button === document.activeElement);
      for (let presses = 0; !(await isThere()); presses += 1) {
        assert.ok(presses < 30, 'the Tab key reaches the button');
        await page.keyboard.press('Shift+Tab');
      }
      await page.keyboard.press('Enter');
      await shown('MEASURE').waitFor();
      await page.locator('.editor-group-container.active .monaco-editor.focused').waitFor();
      const text = await savedText(editor, 'queries/reports.yml');
      const { reports } = parse(text) as { reports: { query: string; owner: string }[] };
      assert.equal(reports[0]?.query.trimEnd(), sql);
      assert.equal(reports[0]?.owner, 'ana');
      assert.equal(text.replaceAll('\r\n', '').includes('\n'), false, 'the file keeps its line ends');
      await openFile(page, 'reports.yml');
      await press('Control+z');
      await shown('MEASURE').waitFor({ state: 'detached' });
      assert.equal(await savedText(editor, 'queries/reports.yml'), REPORTS);
    });

    await insertionStep('leaves the cursor after the SQL', async () => {
      await openFile(page, 'start.yml');
      await press('Control+Home');
      await insertLast();
      await shown('MEASURE').waitFor();
      await page.locator('.editor-group-container.active .monaco-editor.focused').waitFor();
      await statusBarItem(page, 'Ln 8, Col 13').waitFor();
      await page.keyboard.type(' -- more');
      await shown('-- more').waitFor();
      const lines = (await savedText(editor, 'queries/start.yml')).split('\n');
      assert.equal(lines.filter((line) => line.endsWith(' -- more')).length, 1);
      assert.ok(lines.includes('name: revenue'), 'the line below is as it was');
    });

    await insertionStep('asks for a target if no editor is open, and creates a new file', async () => {
      await insertLast();
      await page.getByText('No editor is open. Where should the SQL go?').waitFor();
      await quickInput(page).fill('New SQL file');
      await quickPickItem(page, 'New SQL file').click();
      await shown('MEASURE').waitFor();
      await page.getByRole('tab', { name: /Untitled-1/, selected: true }).waitFor();
      await runCommand(page, 'View: Revert and Close Editor');
    });

    await insertionStep('reports a read-only file, and offers to open the SQL beside it', async () => {
      await openFile(page, 'locked.sql');
      await insertLast();
      const warning = notification(page, 'This file can’t be changed');
      await warning.getByRole('button', { name: 'Open beside' }).click();
      await shown('MEASURE').waitFor();
      assert.equal(bytesOf('queries/locked.sql'), '-- Nobody writes here.\n');
      await runCommand(page, 'View: Revert and Close Editor');
    });

    await insertionStep('inserts at each of three cursors, and one undo removes all of it', async () => {
      await openFile(page, 'three.sql');
      const before = bytesOf('queries/three.sql');
      await press('Control+Home', 'ArrowDown', 'Shift+Alt+ArrowDown', 'Shift+Alt+ArrowDown');
      await page.getByText('3 selections').waitFor();
      await insertLast();
      await shown('MEASURE').waitFor();
      const text = await savedText(editor, 'queries/three.sql');
      assert.equal(text.split('MEASURE(').length - 1, 3);
      assert.ok(text.startsWith('-- top\n') && text.endsWith('-- end\n'));
      await press('Control+z');
      await shown('MEASURE').waitFor({ state: 'detached' });
      assert.equal(await savedText(editor, 'queries/three.sql'), before);
    });

    await insertionStep('writes into a notebook cell', async () => {
      await page.keyboard.press('F1');
      await quickInput(page).fill('sales.ipynb');
      await quickPickItem(page, 'sales.ipynb').click();
      const cell = page.locator('.notebook-editor .cell-editor-part, .notebookOverlay .cell .monaco-editor').first();
      await cell.click();
      await press('Control+End');
      await insertLast();
      await page.locator('.notebookOverlay .view-lines').filter({ hasText: 'MEASURE' }).waitFor();
      await page.locator('.notebookOverlay .cell .monaco-editor.focused').waitFor();
      const { cells } = JSON.parse(await savedText(editor, 'notebooks/sales.ipynb')) as {
        cells: { source: string[] }[];
      };
      assert.equal(cells.length, 1);
      assert.ok(cells[0]?.source.join('').includes('MEASURE('));
    });

    await insertionStep('inserts the name of a member from a model search', async () => {
      await openFile(page, 'members.sql');
      await chat.view
        .getByRole('button', { name: /^Steps/ })
        .last()
        .click();
      await chat.view.getByRole('textbox', { name: 'Filter members' }).last().fill('units');
      await chat.button('Insert sales.units_sold').last().click();
      await shown('sales.units_sold').waitFor();
      assert.equal(await savedText(editor, 'queries/members.sql'), 'sales.units_sold');
      await chat.view
        .getByRole('button', { name: /^Steps/ })
        .last()
        .click();
    });
  });

  it('shows a preview of any SQL of the thread before it is written', async () => {
    await insertionStep('shows a preview, and writes the change after confirmation', async () => {
      await openFile(page, 'preview.sql');
      await press('Control+End');
      await pickQuery();
      await page.locator('.diff-editor, .monaco-diff-editor').first().waitFor();
      assert.equal(bytesOf('queries/preview.sql'), '-- before\n');
      await applyInsertion();
      await page.locator('.monaco-diff-editor').waitFor({ state: 'detached' });
      await page
        .locator('.editor-group-container.active .monaco-editor.focused')
        .getByText('MEASURE')
        .first()
        .waitFor();
      assert.equal((await savedText(editor, 'queries/preview.sql')).trimEnd(), `-- before\n${sql}`);
    });

    await insertionStep('offers all SQL of the thread', async () => {
      await openFile(page, 'scratch.sql');
      await press('Control+End');
      await pickQuery('top');
      await applyInsertion();
      await page.locator('.monaco-diff-editor').waitFor({ state: 'detached' });
      await shown('MEASURE').waitFor();
      assert.ok((await savedText(editor, 'queries/scratch.sql')).includes(otherSql));
    });

    await insertionStep('replaces the selection after a preview if the user chooses so', async () => {
      await openFile(page, 'preview.sql');
      await press('Control+a');
      await pickQuery();
      await quickPickItem(page, 'Replace the selection').click();
      await applyInsertion();
      await page.locator('.monaco-diff-editor').waitFor({ state: 'detached' });
      await page
        .locator('.editor-group-container.active .monaco-editor.focused .view-lines')
        .filter({ hasNotText: 'before' })
        .waitFor();
      assert.ok(!(await savedText(editor, 'queries/preview.sql')).includes('-- before'));
    });
  });

  it('warns before SQL is inserted that the file cannot run, or that reads differently from what it does', async () => {
    await insertionStep('warns before semantic SQL is inserted into a dbt model, with choices', async () => {
      await openFile(page, 'monthly_revenue.sql');
      const before = bytesOf('models/marts/monthly_revenue.sql');
      await press('Control+End');
      await insertLast();
      const box = dialog(page);
      await box.getByText('This is semantic SQL').waitFor();
      for (const name of ['Insert anyway', 'Insert as a comment', 'Open beside'])
        await box.getByRole('button', { name }).waitFor();
      await box.getByRole('button', { name: 'Cancel' }).click();
      await box.waitFor({ state: 'detached' });
      assert.equal(bytesOf('models/marts/monthly_revenue.sql'), before);
      await insertLast();
      await box.getByRole('button', { name: 'Insert as a comment' }).click();
      await shown('MEASURE').waitFor();
      const added = (await savedText(editor, 'models/marts/monthly_revenue.sql')).replace(before, '').trim();
      assert.match(added, /MEASURE/);
      assert.match(added, /^(--.*(\n|$))+$|^\/\*[^]*\*\/$|^\{#[^]*#\}$/);
      await press('Control+z');
      await shown('MEASURE').waitFor({ state: 'detached' });
      await insertLast();
      await box.getByRole('button', { name: 'Insert anyway' }).click();
      await shown('MEASURE').waitFor();
      const anyway = await savedText(editor, 'models/marts/monthly_revenue.sql');
      assert.ok(anyway.includes(sql));
      await insertLast();
      await box.getByRole('button', { name: 'Open beside' }).click();
      await page.getByRole('tab', { name: /Untitled-\d/, selected: true }).waitFor();
      await shown('MEASURE').waitFor();
      assert.equal(bytesOf('models/marts/monthly_revenue.sql'), anyway);
      await runCommand(page, 'View: Revert and Close Editor');
    });

    await insertionStep('warns in the tests of a dbt project as well as in its models', async () => {
      await openFile(page, 'no_orphans.sql');
      await press('Control+End');
      await insertLast();
      await dialog(page).getByText('This is semantic SQL').waitFor();
      await dialog(page).getByRole('button', { name: 'Cancel' }).click();
      await dialog(page).waitFor({ state: 'detached' });
      assert.equal(bytesOf('tests/no_orphans.sql'), '-- no orphans\n');
    });

    await insertionStep('warns in the preview too, and shows the chosen form', async () => {
      await openFile(page, 'stg_orders.sql');
      const before = bytesOf('models/staging/stg_orders.sql');
      await press('Control+End');
      await pickQuery();
      await dialog(page).getByRole('button', { name: 'Insert as a comment' }).click();
      await applyInsertion();
      await page.locator('.monaco-diff-editor').waitFor({ state: 'detached' });
      const added = (await savedText(editor, 'models/staging/stg_orders.sql')).replace(before, '').trim();
      assert.match(added, /^(--.*(\n|$))+$|^\/\*[^]*\*\/$|^\{#[^]*#\}$/);
    });

    await insertionStep('warns about SQL with hidden or reordering characters', async () => {
      const tricky =
        "SELECT MEASURE(sales.revenue) AS revenue FROM sales /* \u202E */ WHERE sales.region <> 'a\u200Bb'";
      await chat.ask(tricky);
      await chat.view.getByText('1 row', { exact: true }).waitFor();
      await openFile(page, 'tricky.sql');
      await insertLast();
      const box = dialog(page);
      await box.getByText(/reorder displayed text \(.*U\+202E/).waitFor();
      await box.getByText(/invisible characters \(.*U\+200B/).waitFor();
      await box.getByRole('button', { name: 'Cancel' }).click();
      assert.equal(bytesOf('queries/tricky.sql'), '');
      await insertLast();
      await box.getByRole('button', { name: 'Insert anyway' }).click();
      await shown('MEASURE').waitFor();
      assert.equal((await savedText(editor, 'queries/tricky.sql')).trimEnd(), tricky);
    });
  });

  it('switches the branch of the next question, not of a running one', async () => {
    await runCommand(page, 'View: Close All Editors');
    const first = sandbox.requests.length;
    const asked = () =>
      sandbox.requests
        .slice(first)
        .filter(({ path }) => path.endsWith('/chat/stream-chat-state'))
        .map(({ body }) => JSON.parse(body) as Record<string, unknown>);
    // The answer stalls, then the connection is lost: it must resume after the switch.
    sandbox.faults({ stallAfter: 600, stall: 6000, cutAfter: 700 });
    await chat.ask('orders by channel in 2024');
    await chat.button('Stop').waitFor();
    await runCommand(page, 'Analytics Chat: Switch Branch…');
    await quickInput(page).fill('dev-margin');
    await quickPickItem(page, 'dev-margin').click();
    await chat.button('Branch: dev-margin').waitFor();
    await chat.button('Stop').waitFor({ state: 'detached' });
    // The backfill of the thread is not a question.
    const running = asked().filter(({ input }) => input !== undefined);
    assert.ok(running.length > 1, 'the answer was taken up again');
    for (const { activeBranchName, messageId } of running) {
      assert.ok(activeBranchName === undefined || activeBranchName === 'main');
      assert.equal(messageId, running[0]?.messageId);
    }
    await chat.ask(QUESTION);
    await webview(page).getByText('main → dev-margin · dev').waitFor();
    await chat.button('Stop').waitFor({ state: 'detached' });
    const next = asked().findLast(({ input }) => input === QUESTION);
    assert.equal(next?.activeBranchName, 'dev-margin');
    assert.equal(next?.isDefaultBranch, false);
  });
}

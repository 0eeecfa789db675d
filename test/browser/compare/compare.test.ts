/** One question asked twice, side by side in one tab. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'mocha';
import type { Locator, Page } from 'playwright-core';
import type { Sandbox } from '../../sandbox/server.ts';
import { becomes, until } from '../../support/until.ts';
import { ask, queryOf } from '../../unit/sandbox/support.ts';
import type { Prompts } from '../support/extension/prompts.ts';
import { useSandboxExtension } from '../support/extension/sandbox.ts';

const QUESTION = 'revenue by month in 2024';
const europe = { externalId: 'europe', userAttributes: [{ name: 'region', value: 'Europe' }] };

/** Numbers as the page formats them. */
const written = (value: number): string =>
  value.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const signed = (value: number): string => (value > 0 ? '+' : '') + written(value);

describe('Comparisons', () => {
  const settings = { 'analyticsChat.identities': { europe } };
  const setup = useSandboxExtension({ settings, workspace: 'model', viewport: { width: 1500, height: 1000 } });
  let sandbox: Sandbox;
  let prompts: Prompts;
  let tab: Page;

  before(() => ({ sandbox, prompts } = setup));

  /** Asks a question on two branches or as two identities, in a new tab. */
  const compare = async (
    question: string,
    [left, right]: readonly [string, string],
    what: 'Two branches' | 'Two identities' = 'Two branches',
  ): Promise<void> => {
    await setup.editor.closeTabs();
    const comparing = setup.editor.run('analyticsChat.compareBranches');
    await prompts.enter(question);
    for (const label of [what, left, right]) await prompts.pick(label);
    await comparing;
    tab = await setup.editor.tab(question);
  };
  const texts = async (rows: Locator): Promise<string[][]> => {
    const all = await rows.all();
    return Promise.all(
      all.map(async (row) => (await row.locator('th, td').allInnerTexts()).map((text) => text.trim())),
    );
  };
  const rows = (): Locator => tab.getByRole('table', { name: 'Results compared' }).locator('tbody tr');
  const amounts = async (branch: string): Promise<Map<string, number>> => {
    const isDefaultBranch = branch === 'main';
    const { data } = queryOf(await ask(sandbox, { input: QUESTION, activeBranchName: branch, isDefaultBranch }));
    return new Map(data.map(([month, amount]) => [String(month).slice(0, 10), Number(amount)]));
  };

  it('ask the same question on two branches and show both answers', async () => {
    await compare(QUESTION, ['main', 'dev-net-revenue']);
    const left = tab.getByRole('region', { name: 'Left: main as dev' });
    const right = tab.getByRole('region', { name: 'Right: dev-net-revenue as dev' });
    for (const side of [left, right])
      await side.getByRole('article', { name: 'Assistant' }).getByText('12 rows', { exact: true }).waitFor();
    const asked = sandbox.requests.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
    assert.deepEqual(
      // Both are sent at once, so either may arrive first.
      asked
        .map(({ input, activeBranchName, isDefaultBranch }) => ({ input, activeBranchName, isDefaultBranch }))
        .sort((a, b) => Number(b.isDefaultBranch) - Number(a.isDefaultBranch)),
      [
        { input: QUESTION, activeBranchName: 'main', isDefaultBranch: true },
        { input: QUESTION, activeBranchName: 'dev-net-revenue', isDefaultBranch: false },
      ],
    );
  });

  it('mark changes in words, with absolute and relative differences', async () => {
    await tab.getByText('12 changed', { exact: true }).waitFor();
    const [main, branch] = await Promise.all([amounts('main'), amounts('dev-net-revenue')]);
    assert.equal(main.size, 12);
    const expected = [...main].map(([month, before]) => {
      const now = branch.get(month) ?? NaN;
      const change = now - before;
      return ['Changed', month, written(before), written(now), signed(change), `${signed((change / before) * 100)}%`];
    });
    await becomes(() => texts(rows()), expected);
    const edges = async (cell: Locator): Promise<number[]> => {
      const { x, width } = (await cell.boundingBox())!;
      return [x, x + width].map(Math.round);
    };
    const measure = await edges(tab.getByRole('columnheader', { name: 'revenue', exact: true }));
    const [first, last] = [rows().first().locator('td').nth(1), rows().first().locator('td').last()];
    assert.deepEqual(measure, [(await edges(first))[0], (await edges(last))[1]], 'the name is above all its columns');
    // Revenue went down in every month: the absolute and the relative change have its color.
    assert.equal(await rows().locator('.change.down').count(), 24);
  });

  it('show the definition that the branch has changed', async () => {
    const differing = tab.getByRole('table', { name: 'Definitions that differ' });
    const [[name, before, after] = [], ...others] = await texts(differing.locator('tbody tr'));
    assert.deepEqual(others, []);
    assert.equal(name, 'sales.revenue');
    assert.match(before ?? '', /^Revenue sum\s+What customers paid .* returns are not taken off/);
    assert.match(after ?? '', /^Net revenue sum\s+What customers paid .* less refunds/);
    const lines = await differing
      .locator('tr')
      .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => getComputedStyle(cell).borderLeftStyle)));
    assert.deepEqual(lines, Array(2).fill(['none', 'solid', 'solid']), 'lines between the sides, also in the header');
    await tab.getByText('The SQL is the same on both sides.').waitFor();
  });

  it('change the chart of only one side', async () => {
    const chart = (side: Locator, kind: string): Locator =>
      side.getByRole('img', { name: new RegExp(`${kind} chart`) });
    const [left, right] = [tab.getByRole('region', { name: /^Left:/ }), tab.getByRole('region', { name: /^Right:/ })];
    await chart(right, 'line').waitFor();
    await right.getByRole('button', { name: 'Change chart' }).click();
    await right.getByRole('combobox', { name: 'Chart type' }).selectOption('bar');
    await chart(right, 'bar').waitFor();
    await becomes(() => chart(left, 'line').count(), 1);
    await right.getByRole('button', { name: 'Original chart' }).click();
    await chart(right, 'line').waitFor();
    await right.getByRole('button', { name: 'Change chart' }).click();
  });

  it('send what a side takes time for to this side, whichever was clicked since', async () => {
    const right = tab.getByRole('region', { name: /^Right:/ });
    await right.getByRole('button', { name: 'Save chart' }).click();
    await tab.getByRole('menuitem', { name: 'SVG', exact: true }).evaluate((item: HTMLElement) => {
      item.click();
      const left = document.querySelector('[aria-label^="Left:"] .side-head') ?? document.body;
      left.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
    });
    const target = join(setup.folder, 'right.svg');
    await prompts.file(target);
    assert.match(await until(() => existsSync(target) && readFileSync(target, 'utf8')), /<svg/);
  });

  it('give charts the scales of the other side, so that a smaller number is a smaller mark', async () => {
    const axes = async (name: RegExp): Promise<string[]> => {
      const ticks = tab.getByRole('region', { name }).locator('.mark-text.role-axis-label text');
      return (await ticks.allTextContents()).filter((text) => /\d/.test(text));
    };
    await becomes(async () => (await axes(/^Right:/)).length > 0, true);
    await becomes(async () => JSON.stringify(await axes(/^Left:/)), JSON.stringify(await axes(/^Right:/)));
  });

  it('announce actions in the rows of a side', async () => {
    const right = tab.getByRole('region', { name: /^Right:/ });
    await right.getByRole('button', { name: 'Show table' }).click();
    await right.getByRole('grid').getByRole('gridcell').first().click();
    await tab.keyboard.press('Control+c');
    await tab.getByRole('status').filter({ hasText: '1 cell copied' }).waitFor();
  });

  it('keep what their sides show when their tab is shown again', async () => {
    await tab.evaluate(async () => {
      const answered = new Promise((resolve) =>
        window.addEventListener('message', ({ data }) => (data as { type: string }).type === 'runs' && resolve(data)),
      );
      document.dispatchEvent(new Event('visibilitychange'));
      await answered;
      for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    });
    const right = tab.getByRole('region', { name: /^Right:/ });
    await right.getByRole('grid').getByRole('gridcell').first().waitFor();
    await right.getByRole('button', { name: 'Show chart' }).click();
  });

  it('show how the SQL differs, and which rows a branch adds', async () => {
    await compare('revenue by customer segment in 2024', ['main', 'dev-customer-groups']);
    await tab.getByText('1 changed · 1 added · 2 the same', { exact: true }).waitFor();
    const difference = tab.getByRole('region', { name: 'SQL difference' });
    assert.match(await difference.locator('del').innerText(), /Only in main:\s+sales\.segment AS segment,/);
    assert.match(await difference.locator('ins').innerText(), /Only in dev-customer-groups:.*AS customer_group,/s);
    const found = (await texts(rows())).map(([status, group]) => `${status}: ${group}`);
    assert.deepEqual(found, ['Same: Consumer', 'Same: Small business', 'Changed: Enterprise', 'Added: Key account']);
    await tab.getByRole('columnheader', { name: 'segment → customer_group' }).waitFor();
  });

  it('compare two identities and show removed rows', async () => {
    await compare('revenue by region in 2024', ['dev', 'europe'], 'Two identities');
    await tab.getByRole('region', { name: 'Right: main as europe' }).waitFor();
    await rows().first().waitFor();
    const found = new Map((await texts(rows())).map(([status = '', region = '']) => [region, status]));
    assert.equal(found.get('Europe'), 'Same');
    assert.ok(found.size > 1);
    found.delete('Europe');
    assert.deepEqual([...new Set(found.values())], ['Removed']);
    const only = tab.getByRole('button', { name: 'Only differences' });
    await only.click();
    await becomes(() => rows().count(), found.size);
    await tab.getByText('The SQL is the same on both sides.').waitFor();
  });

  it('show a failure on its side, with a retry button', async () => {
    await compare(QUESTION, ['main', 'no-such-branch']);
    const right = tab.getByRole('region', { name: /^Right:/ });
    await right.getByRole('alert').getByText('The service does not know this branch').waitFor();
    await tab.getByRole('status').filter({ hasText: 'An answer failed' }).waitFor();
    await right.getByRole('button', { name: 'Retry' }).waitFor();
    await right.getByRole('button', { name: 'Switch branch' }).click();
    await prompts.pick('dev-net-revenue');
    await tab.getByRole('region', { name: 'Right: dev-net-revenue as dev' }).waitFor();
    await tab.getByText('12 changed', { exact: true }).waitFor();
    await tab.getByRole('alert').waitFor({ state: 'detached' });
    // The focused button was removed.
    await tab.locator('main:focus').waitFor();
  });
});

/** One question asked as several identities. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import type { Locator, Page } from 'playwright-core';
import { demoIdentities } from '../../sandbox/identities.ts';
import type { RunCell, RunComparison, RunPage, ToRuns } from '../../../src/shared/protocol/runs.ts';
import { becomes } from '../../support/until.ts';
import { keepsAccessRules } from '../support/accessRules.ts';
import { useSandboxExtension } from '../support/extension/sandbox.ts';

const NOBODY = { internalId: 'nobody@acme.example' };
/** The identities of the settings, after that of the connection. */
const COUNT = Object.keys(demoIdentities).length + 2;

describe('Asking as everyone', () => {
  const setup = useSandboxExtension({
    workspace: 'model',
    viewport: { width: 1300, height: 900 },
    settings: { 'analyticsChat.identities': { ...demoIdentities, Nobody: NOBODY } },
  });
  let tab: Page;
  const answers = (): Locator => tab.getByRole('table', { name: 'Answers by identity' });
  const results = (): Locator => tab.getByRole('table', { name: 'Results compared' });
  const summary = (text: string): Locator => tab.getByRole('paragraph').filter({ hasText: text });
  const sent = (): number => setup.sandbox.requests.filter(({ path }) => path.endsWith('/stream-chat-state')).length;

  before(async () => {
    const asking = setup.editor.run('analyticsChat.askAsEveryone');
    await setup.prompts.enter('revenue by region in 2024');
    tab = await setup.editor.tab();
    await asking;
    await summary(`${COUNT - 1} of ${COUNT} identities answered`).waitFor();
  });

  it('has a column for each identity, marks what differs, and names the identity that failed', async () => {
    assert.equal(sent(), COUNT);
    const heads = answers().getByRole('columnheader');
    await becomes(() => heads.count(), COUNT);
    const names = await heads.allTextContents();
    const ana = names.indexOf('Ana, Europe');
    await answers().getByRole('cell').nth(ana).getByText('1 row').waitFor();
    const row = results()
      .getByRole('row')
      .filter({ hasText: /^Europe/ });
    const cells = await row.getByRole('cell').allInnerTexts();
    assert.equal(cells[0], cells[ana]);
    assert.ok(
      cells.some((text) => /^≠\s[\d,.]+\s\(differs\)$/.test(text)),
      cells.join(),
    );
    await tab.getByRole('list', { name: 'Legend' }).getByText(`differs from ${names[0]}`).waitFor();
    await results()
      .getByRole('row')
      .filter({ hasText: /^North America/ })
      .getByText('no such row or column')
      .first()
      .waitFor();
    const failures = tab.getByRole('list', { name: 'Failures and access tests' });
    await failures.getByText(/Nobody: .*nobody@acme\.example/).waitFor();
    assert.equal(await tab.getByText(/^\d+ of \d+ rows$/).count(), 0, 'all rows are shown');
  });

  it('keeps the accessibility rules in every kind of theme', () => keepsAccessRules(tab, setup.editor));

  it('fits a narrow tab: only the table scrolls sideways', async () => {
    await tab.setViewportSize({ width: 250, height: 900 });
    await becomes(() => tab.locator('main').evaluate((main) => main.scrollWidth - main.clientWidth), 0);
    const size = await tab.getByRole('button', { name: 'Open chat as Ana, Europe' }).boundingBox();
    assert.ok(size && size.width >= 24 && size.height >= 24);
    await tab.setViewportSize({ width: 1300, height: 900 });
  });

  it('opens the chat of an identity', async () => {
    await tab.getByRole('button', { name: 'Open chat as Ana, Europe' }).click();
    await setup.page.getByText('main · Ana, Europe').waitFor();
    assert.equal(sent(), COUNT);
  });

  it('marks null and cells that an identity must not see, and counts the violated rules', async () => {
    const [sum, seen, hidden] = [{ text: '7' }, { text: 'x' }, { text: 'y', isChanged: true, isForbidden: true }];
    const values = (...own: object[]) => ({ values: own });
    const comparison: RunComparison = {
      members: [],
      notes: [{ kind: 'forbidden', text: 'Bob sees y.' }],
      queries: [
        {
          ...{ title: '', sql: [] },
          results: {
            ...{ dimensions: ['region'], isPartial: false, counts: { same: 0, changed: 1, added: 0, removed: 4 } },
            measures: [
              { name: 'sum', isNumber: true },
              { name: 'letter', isNumber: false },
            ],
            rows: [
              { status: 'changed', key: ['Europe'], cells: [values(sum, sum, {}), values(seen, hidden, {})] },
              { status: 'removed', key: [''], cells: [values(sum, {}, {}), values({ text: '' }, {}, {})] },
              { status: 'removed', key: [null], cells: [values(sum, {}, {}), values({ text: null }, {}, {})] },
            ],
          },
        },
      ],
    };
    const cell = (state: RunCell['state'], message: string): RunCell => ({ state, message, canOpen: false });
    const page: RunPage = {
      ...{ title: 'who sees what?', isRunning: true, summary: '', hasSides: false, canAskAgain: true, comparison },
      contexts: ['Ann', 'Bob', 'Eve'].map((identity) => ({ branch: 'main', identity })),
      rows: [
        {
          ...{ name: '', text: '', state: 'asking', message: '', canOpen: false, canAccept: false },
          cells: [cell('answered', '1 row'), cell('asking', ''), cell('waiting', '')],
        },
      ],
    };
    const post = (message: ToRuns): Promise<void> =>
      tab.evaluate((shown) => window.postMessage(shown, window.origin), message);
    await post({ type: 'runs', page, remember: {}, l10n: {} });
    await tab.getByText('1 of 3 identities asked').waitFor();
    const [first, empty, nothing] = [0, 1, 2].map((row) => results().locator('tbody tr').nth(row));
    const cells = first!.locator('td');
    const none = '–no such row or column';
    assert.deepEqual(await cells.allTextContents(), ['7', '7', none, 'x', 'y (must not be seen)', none]);
    for (const [row, text] of [
      [empty, ''],
      [nothing, 'NULL'],
    ] as const) {
      assert.equal(await row!.getByRole('rowheader').textContent(), text);
      assert.equal(await row!.locator('td').nth(3).textContent(), text);
    }
    const sides = await cells.evaluateAll((all) => all.map((each) => getComputedStyle(each).textAlign));
    assert.deepEqual(sides, ['end', 'end', 'end', 'start', 'start', 'start']);
    await tab.getByText('3 of 5 rows', { exact: true }).waitFor();
    await tab.getByRole('list', { name: 'Failures and access tests' }).getByText('Bob sees y.').waitFor();
    await post({ type: 'page', change: { contexts: page.contexts.slice(0, 2) } });
    await results().getByRole('columnheader', { name: 'Change in %' }).waitFor();
    await results().getByRole('cell', { name: 'y (must not be seen)' }).waitFor();
  });
});

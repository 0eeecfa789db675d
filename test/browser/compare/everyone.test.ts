/** One question asked as several identities. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import type { Locator, Page } from 'playwright-core';
import { demoIdentities } from '../../sandbox/identities.ts';
import type { EveryoneState } from '../../../src/shared/protocol/everyone.ts';
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
  const table = (): Locator => tab.getByRole('table', { name: 'Answers by identity' });
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
    const heads = table().getByRole('columnheader');
    await becomes(() => heads.count(), COUNT + 1);
    await heads
      .filter({ hasText: /^Ana, Europe/ })
      .getByText('1 row')
      .waitFor();
    const row = table()
      .getByRole('row')
      .filter({ hasText: /^Europe/ });
    const [dev = '', ana = '', ben = ''] = await row.getByRole('cell').allInnerTexts();
    assert.equal(dev, ana);
    assert.match(ben, /^[\d,.]+\s\(differs\)$/);
    await table()
      .getByRole('row')
      .filter({ hasText: /^North America/ })
      .getByText('no such row')
      .first()
      .waitFor();
    const failures = tab.getByRole('list', { name: 'Failures and access tests' });
    await failures.getByText(/Nobody: .*nobody@acme\.example/).waitFor();
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
    const [sum, seen, hidden] = [{ text: '7' }, { text: 'x' }, { text: 'y', differs: true, isForbidden: true }];
    const state: EveryoneState = {
      ...{ question: 'who sees what?', branch: 'main', isRunning: true },
      identities: [
        { name: 'Ann', state: 'answered', message: '1 row' },
        { name: 'Bob', state: 'asking', message: '' },
      ],
      table: {
        dimensions: ['region'],
        measures: [
          { name: 'sum', isNumber: true },
          { name: 'letter', isNumber: false },
        ],
        rows: [
          {
            key: ['Europe'],
            cells: [
              [sum, seen],
              [sum, hidden],
            ],
          },
          { key: [''], cells: [[sum, { text: '' }], null] },
          { key: [null], cells: [[sum, { text: null }], null] },
        ],
        totalRows: 3,
      },
      notes: [{ kind: 'forbidden', text: 'Bob sees y.' }],
    };
    const show = (shown: EveryoneState): Promise<void> =>
      tab.evaluate((message) => window.postMessage(message, window.origin), { type: 'everyone', state: shown });
    await show(state);
    await tab.getByText('1 of 2 identities asked').waitFor();
    const cells = table().locator('tbody tr').first().locator('td');
    assert.deepEqual(await cells.allTextContents(), ['7', 'x', '7', 'y (must not be seen)']);
    for (const [row, text] of ['', 'NULL'].entries()) {
      const shown = table()
        .locator('tbody tr')
        .nth(row + 1);
      assert.equal(await shown.getByRole('rowheader').textContent(), text);
      assert.equal(await shown.locator('td').nth(1).textContent(), text);
    }
    const sides = await cells.evaluateAll((all) => all.map((cell) => getComputedStyle(cell).textAlign));
    assert.deepEqual(sides, ['end', 'start', 'end', 'start']);
    const [ann, bob] = [state.identities[0]!, state.identities[1]!];
    const part = { ...state.table, totalRows: 5 };
    await show({ ...state, table: part, isRunning: false, identities: [ann, { ...bob, state: 'answered' }] });
    await tab.getByText('3 of 5 rows', { exact: true }).waitFor();
    await summary('2 of 2 identities answered · 1 access rule violated').waitFor();
  });
});

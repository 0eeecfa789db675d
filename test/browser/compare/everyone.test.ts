/** One question asked as several identities. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'mocha';
import type { Locator, Page } from 'playwright-core';
import { demoIdentities } from '../../sandbox/identities.ts';
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

  it('exports the answers and their rows, with a column for each identity', async () => {
    await tab.getByRole('button', { name: 'Export comparison' }).click();
    const target = join(setup.folder, 'everyone.md');
    await setup.prompts.file(target);
    (await setup.prompts.message('The comparison was exported.')).choose();
    const text = readFileSync(target, 'utf8');
    assert.match(text, /\n## main · Nobody\n\n\*There is no answer\.\*\n/);
    const names = await answers().getByRole('columnheader').allTextContents();
    for (const name of names) assert.match(text, new RegExp(`^\\| status \\|.*\\(${name}\\)`, 'm'));
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
});

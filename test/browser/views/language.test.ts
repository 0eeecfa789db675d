/** The chat in a pseudolocale: translations reach every string and fit. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'mocha';
import type { Chat } from '../../support/chat.ts';
import { repoRoot } from '../../vscode/paths.ts';
import { pseudo, PSEUDO } from '../../l10n/pseudo.ts';
import { useSandboxExtension } from '../support/extension/sandbox.ts';

const QUESTION = 'revenue by month in 2024';
const read = (name: string): Record<string, string> =>
  JSON.parse(readFileSync(join(repoRoot, 'l10n', name), 'utf8')) as Record<string, string>;
const english = read('bundle.l10n.json');
const bundle = Object.fromEntries(Object.entries(english).map(([key, text]) => [key, pseudo(text)]));

describe('Another language', () => {
  const setup = useSandboxExtension({
    ...{ language: PSEUDO, bundle, workspace: 'model' },
    viewport: { width: 300, height: 800 },
  });
  let chat: Chat;

  before(() => ({ chat } = setup));

  it('is used throughout the chat, from the first screen to the answer', async () => {
    await chat.view.getByRole('textbox', { name: pseudo('Message') }).fill(QUESTION);
    await chat.view.getByRole('button', { name: pseudo('Send') }).click();
    await chat.view
      .getByRole('status')
      .filter({ hasText: pseudo('Answer finished') })
      .waitFor();
    await chat.view.getByText(pseudo('{0} row|{0} rows').split('|')[1]?.replace('{0}', '12') ?? '').waitFor();
    const button = chat.view.getByRole('button', { name: pseudo('Steps: {0}').slice(0, 6) });
    await button.click();
    // Every accessible name is either translated or comes from the data.
    const names = await chat.view
      .locator('[aria-label]')
      .evaluateAll((all) => all.map((each) => each.getAttribute('aria-label') ?? ''));
    assert.deepEqual(
      names.filter((name) => /^[A-Z]/.test(name)),
      [],
    );
  });

  it('fits at 300 pixels even if strings are a third longer', async () => {
    const cut = await chat.view
      .locator('button, p, label, span, a, h1, h2, vscode-button, textarea')
      .evaluateAll((all) =>
        all
          .filter((each) => each.checkVisibility() && each.scrollWidth > each.clientWidth + 1)
          .filter((each) => getComputedStyle(each).overflowX !== 'visible' && !each.closest('.visually-hidden'))
          .map((each) => `${each.tagName}.${each.className}: ${each.textContent}`),
      );
    // Names from the data may be truncated, but none of ours.
    assert.deepEqual(
      cut.filter((text) => text.includes('[')),
      [],
    );
    const page = await setup.page.locator('html').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    assert.ok(page <= 0, `the page is ${page} px too wide`);
  });
});

describe('German', () => {
  const bundle = read('bundle.l10n.de.json');
  const setup = useSandboxExtension({
    language: 'de',
    bundle,
    workspace: 'model',
    viewport: { width: 250, height: 800 },
  });

  it('fits in the chart studio at 250 pixels', async () => {
    const { chat } = setup;
    await chat.view.getByRole('textbox', { name: bundle['Message'] }).fill(QUESTION);
    await chat.view.getByRole('button', { name: bundle['Send'] }).click();
    await chat.button(bundle['More actions'] ?? '').click();
    await chat.view.getByRole('menuitem', { name: bundle['Change chart'] }).click();
    const studio = chat.view.getByRole('group', { name: bundle['Change chart'] });
    await studio.waitFor();
    const cut = await studio.evaluate((box) => {
      const { right } = box.getBoundingClientRect();
      const labels = [...box.querySelectorAll('label, button')];
      return labels.filter((each) => each.getBoundingClientRect().right > right).map((each) => each.textContent);
    });
    assert.deepEqual(cut, []);
  });
});

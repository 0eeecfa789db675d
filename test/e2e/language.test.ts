/** The extension in other languages: translations reach every page and fit. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, describe, it } from 'mocha';
import type { FrameLocator } from 'playwright-core';
import { pseudo, PSEUDO, pseudoExtension } from '../vscode/pseudo.ts';
import { runCommand, setSideBarWidth, webview } from './support/editor.ts';
import { launch, type Launched } from './support/launch.ts';
import { useSandboxEditor } from './support/sandboxEditor.ts';
import { screenshot } from './support/screenshot.ts';

const QUESTION = 'revenue by month in 2024';

describe('Another language', function () {
  this.timeout(120_000);
  const extension = pseudoExtension();
  const setup = useSandboxEditor({ language: PSEUDO, extensions: [extension] });
  let editor: Launched;
  let chat: FrameLocator;

  before(async () => {
    ({ editor } = setup);
    await runCommand(editor.page, `Analytics Chat: ${pseudo('Open Chat')}`);
    await setSideBarWidth(editor.page, 300);
    chat = webview(editor.page);
  });
  after(() => rmSync(extension, { recursive: true, force: true }));

  it('is used throughout the chat, from the first screen to the answer', async () => {
    await chat.getByRole('textbox', { name: pseudo('Message') }).fill(QUESTION);
    await screenshot(editor.page, 'pseudo-language first screen');
    await chat.getByRole('button', { name: pseudo('Send') }).click();
    await chat
      .getByRole('status')
      .filter({ hasText: pseudo('Answer finished') })
      .waitFor();
    await chat.getByText(pseudo('{0} row|{0} rows').split('|')[1]?.replace('{0}', '12') ?? '').waitFor();
    const button = chat.getByRole('button', { name: pseudo('Steps: {0}').slice(0, 6) });
    await button.click();
    await screenshot(editor.page, 'pseudo-language answer');
    // Every accessible name is either translated or comes from the data.
    const names = await chat
      .locator('[aria-label]')
      .evaluateAll((all) => all.map((each) => each.getAttribute('aria-label') ?? ''));
    assert.deepEqual(
      names.filter((name) => /^[A-Z]/.test(name)),
      [],
    );
  });

  it('fits at 300 pixels even if strings are a third longer', async () => {
    const cut = await chat.locator('button, p, label, span, a, h1, h2, vscode-button, textarea').evaluateAll((all) =>
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
    const page = await chat.locator('html').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    assert.ok(page <= 0, `the page is ${page} px too wide`);
  });

  for (const [language, name, placeholder] of [
    ['de', 'Chat öffnen', 'Nach Ihren Daten fragen…'],
    ['fr', 'Ouvrir la conversation', 'Interrogez vos données…'],
  ] as const)
    it(`is ${language}, in commands and in the chat`, async () => {
      const translated = await launch({ server: editor.server, language });
      await runCommand(translated.page, `Analytics Chat: ${name}`);
      await webview(translated.page).getByPlaceholder(placeholder).waitFor();
      assert.equal(await webview(translated.page).locator('html').getAttribute('lang'), language);
      await screenshot(translated.page, `language ${language}`);
      await translated.stop();
    });
});

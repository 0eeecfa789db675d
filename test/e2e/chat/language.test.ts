/** The extension in other languages, in the commands of VS Code and in the chat. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { startServer } from '../../vscode/server.ts';
import { runCommand, webview } from '../support/editor.ts';
import { launch } from '../support/launch.ts';
import { screenshot } from '../support/screenshot.ts';
import { useSetup } from '../../support/useSetup.ts';

describe('Another language', function () {
  this.timeout(120_000);
  const server = useSetup(() => startServer());

  it('is used in commands and in the chat', async () => {
    for (const [language, name, placeholder] of [
      ['de', 'Chat öffnen', 'Nach Ihren Daten fragen…'],
      ['fr', 'Ouvrir la conversation', 'Interrogez vos données…'],
    ] as const) {
      const translated = await launch({ server, language });
      await runCommand(translated.page, `Analytics Chat: ${name}`);
      await webview(translated.page).getByPlaceholder(placeholder).waitFor();
      assert.equal(await webview(translated.page).locator('html').getAttribute('lang'), language);
      await screenshot(translated.page, `language ${language}`);
      await translated.stop();
    }
  });
});

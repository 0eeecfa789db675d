/** The extension in another language, in the commands of VS Code and in the chat. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { runCommand, webview } from '../support/editor.ts';
import { launch } from '../support/launch.ts';
import { screenshot } from '../support/screenshot.ts';
import { useSetup } from '../../support/useSetup.ts';

describe('Another language', function () {
  this.timeout(240_000);
  const setup = useSetup(() => launch({ language: 'de' }));

  it('is used in commands and in the chat', async () => {
    const { page } = setup;
    await runCommand(page, 'Analytics Chat: Chat öffnen');
    await webview(page).getByPlaceholder('Nach Ihren Daten fragen…').waitFor();
    assert.equal(await webview(page).locator('html').getAttribute('lang'), 'de');
    await screenshot(page, 'language de');
  });
});

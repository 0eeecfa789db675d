/** Links: one to the extension in a window that has not used it yet, and link syntax in an error of the service. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { resultLines } from '../support/answers.ts';
import { chatIn } from '../support/chat.ts';
import { scriptedService, writeInPieces, type ScriptedService } from '../support/scriptedService.ts';
import { until } from '../support/until.ts';
import { dialog, notification, quickInput, runCommand, webview } from './support/editor.ts';
import { launch, type Launched } from './support/launch.ts';

const LINK = 'code-oss://analytics-chat.analytics-chat/ask?text=orders%20by%20month';

describe('A link', function () {
  this.timeout(240_000);
  let service: ScriptedService;
  let editor: Launched;
  let isForbidden = false;

  before(async () => {
    service = await scriptedService(({ body }, response) => {
      if (!isForbidden) return writeInPieces(response, resultLines(body.messageId, body.input, {}), 1000);
      response.writeHead(403, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ error: { message: 'Failed: [see why](command:workbench.action.terminal.new)' } }));
    });
    editor = await launch({ env: { ANALYTICS_CHAT_API_URL: service.chatApiUrl, ANALYTICS_CHAT_API_KEY: 'any-key' } });
  });
  after(async () => {
    await editor.stop();
    await service.stop();
  });

  it('activates the extension, and asks its question after the user confirms it', async () => {
    const { page } = editor;
    await runCommand(page, 'Developer: Open URL');
    await quickInput(page).fill(LINK);
    await page.keyboard.press('Enter');
    // VS Code asks for confirmation first.
    await dialog(page).getByRole('button', { name: 'Open', exact: true }).click();
    await dialog(page).getByText('orders by month').waitFor();
    assert.equal(service.requests.length, 0);
    await dialog(page).getByRole('button', { name: 'Ask', exact: true }).click();
    await until(() => service.requests.length > 0);
    assert.equal(service.requests[0]?.body.input, 'orders by month');
    await chatIn(webview(page)).answers().getByText('That is all.').waitFor();
  });

  it('in an error of the service is shown as text in a notification', async () => {
    isForbidden = true;
    await runCommand(editor.page, 'Analytics Chat: Test Connection');
    const shown = notification(editor.page, 'see why');
    await shown.waitFor();
    assert.equal(await shown.getByRole('link').count(), 0);
    assert.equal(await shown.locator('a[href], a[data-href]').count(), 0);
  });
});

/** A link to the extension in a window that has not used it yet. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { chatIn } from '../support/chat.ts';
import { dialog, quickInput, runCommand, webview } from './support/editor.ts';
import { launch, type Launched } from './support/launch.ts';
import { writtenService, type WrittenService } from '../support/writtenService.ts';

const LINK = 'code-oss://analytics-chat.analytics-chat/ask?text=orders%20by%20month';

describe('A link', function () {
  this.timeout(90_000);
  let service: WrittenService;
  let editor: Launched;

  before(async () => {
    service = await writtenService();
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
    const written = await service.next();
    assert.equal(written.body.input, 'orders by month');
    written.answer('Most of them in May.');
    await chatIn(webview(page)).answers().getByText('Most of them in May.').waitFor();
  });
});

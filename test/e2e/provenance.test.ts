/** Inserted SQL that says where it is from, and the way back to its chat. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { startSandbox, type Sandbox } from '../sandbox/server.ts';
import { openFile, runCommand, savedText, webview } from './support/editor.ts';
import { launch, type Launched } from './support/launch.ts';

const QUESTION = 'revenue by month in 2024';

describe('Provenance', function () {
  this.timeout(120_000);
  let sandbox: Sandbox;
  let editor: Launched;

  before(async () => {
    sandbox = await startSandbox({ pace: 0 });
    editor = await launch({
      workspace: 'model',
      env: { ANALYTICS_CHAT_API_URL: sandbox.chatApiUrl, ANALYTICS_CHAT_API_KEY: sandbox.apiKey },
      settings: { 'analyticsChat.insert.provenance': true, 'analyticsChat.insert.format': true },
    });
  });
  after(async () => {
    await editor.stop();
    await sandbox.stop();
  });

  it('stands above formatted SQL, and its lens opens the chat again', async () => {
    const { page } = editor;
    await runCommand(page, 'Analytics Chat: Open Chat');
    const chat = webview(page);
    await chat.getByRole('textbox', { name: 'Message' }).fill(QUESTION);
    await chat.getByRole('textbox', { name: 'Message' }).press('Enter');
    await chat.getByRole('status').filter({ hasText: 'Answer finished' }).waitFor();
    await openFile(page, 'scratch.sql');
    await page.keyboard.press('Control+End');
    await runCommand(page, 'Analytics Chat: Insert Last SQL');
    const lens = page.locator('.codelens-decoration').getByText(`Open chat: ${QUESTION}`).last();
    await lens.waitFor();
    const text = await savedText(editor, 'queries/scratch.sql');
    assert.match(text, new RegExp(`^-- Analytics Chat: question="${QUESTION}" branch="main" as="dev"`, 'm'));
    assert.match(text, /^SELECT\n {2}/m);

    await runCommand(page, 'Analytics Chat: New Chat');
    await chat.getByText('Ask about your data. Answers come').waitFor();
    await lens.click();
    await chat.getByRole('article', { name: 'You' }).filter({ hasText: QUESTION }).waitFor();
  });
});

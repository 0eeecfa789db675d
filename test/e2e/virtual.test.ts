/** A virtual workspace, such as a repository that is opened in the browser. */
import { after, before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { startSandbox, type Sandbox } from '../sandbox/server.ts';
import { newContext, openEditor } from '../vscode/page.ts';
import { repoRoot } from '../vscode/paths.ts';
import { startServer, type EditorServer } from '../vscode/server.ts';
import { openChat } from './support/chat.ts';
import { runCommand } from './support/editor.ts';
import { browser } from '../support/browser.ts';

describe('A virtual workspace', function () {
  this.timeout(240_000);
  let sandbox: Sandbox;
  let server: EditorServer;
  let page: Page;

  before(async () => {
    sandbox = await startSandbox({ pace: 0 });
    const env = { ANALYTICS_CHAT_API_URL: sandbox.chatApiUrl, ANALYTICS_CHAT_API_KEY: sandbox.apiKey };
    server = await startServer({ env });
    // VS Code's own in-memory file system.
    page = await openEditor(await newContext(await browser()), server, { workspace: 'tmp:/', extensions: [repoRoot] });
  });
  after(async () => {
    await page.context().close();
    await server.stop();
    await sandbox.stop();
  });

  it('supports the chat, and its SQL is inserted into a file', async () => {
    const chat = await openChat(page);
    await chat.ask('revenue by month in 2024');
    await chat.told('Answer finished');
    await chat.answers().getByText('12 rows', { exact: true }).waitFor();
    await runCommand(page, 'File: New Untitled Text File');
    await page.locator('.editor-group-container.active .monaco-editor.focused').waitFor();
    await chat.button('Insert SQL').click();
    await page.locator('.editor-group-container.active .view-lines').filter({ hasText: 'MEASURE' }).waitFor();
  });
});

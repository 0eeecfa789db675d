/** Inserted SQL has a comment with its origin, and a lens that opens its chat. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { openChat } from './support/chat.ts';
import { openFile, runCommand, savedText } from './support/editor.ts';
import { useSandboxEditor } from './support/sandboxEditor.ts';

const QUESTION = 'revenue by month in 2024';

describe('Provenance', function () {
  this.timeout(120_000);
  const setup = useSandboxEditor({
    settings: { 'analyticsChat.insert.provenance': true, 'analyticsChat.insert.format': true },
  });

  it('is above formatted SQL, and its lens opens the chat again', async () => {
    const { editor, page } = setup;
    const chat = await openChat(page);
    await chat.ask(QUESTION);
    await chat.told('Answer finished');
    await openFile(page, 'scratch.sql');
    await page.keyboard.press('Control+End');
    await runCommand(page, 'Analytics Chat: Insert Last SQL');
    const lens = page.locator('.codelens-decoration').getByText(`Open chat: ${QUESTION}`).last();
    await lens.waitFor();
    const text = await savedText(editor, 'queries/scratch.sql');
    assert.match(text, new RegExp(`^-- Analytics Chat: question="${QUESTION}" branch="main" as="dev"`, 'm'));
    assert.match(text, /^SELECT\n {2}/m);

    await runCommand(page, 'Analytics Chat: New Chat');
    await chat.view.getByText('Ask about your data. Answers come').waitFor();
    await lens.click();
    await chat.view.getByRole('article', { name: 'You' }).filter({ hasText: QUESTION }).waitFor();
  });

  it('is also recognized after a restart before the chat was opened', async () => {
    const { page } = setup;
    await runCommand(page, 'View: Show Explorer');
    await page.reload();
    await page.locator('.monaco-workbench').waitFor();
    await openFile(page, 'scratch.sql');
    await page.locator('.codelens-decoration').getByText(`Open chat: ${QUESTION}`).last().waitFor();
    await page.getByRole('button', { name: 'Analytics Chat branch: main', exact: true }).waitFor();
  });
});

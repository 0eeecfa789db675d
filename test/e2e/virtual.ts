/** A virtual workspace, such as a repository that is opened in the browser. */
import { it } from 'mocha';
import { editorUrl } from '../vscode/page.ts';
import { repoRoot } from '../vscode/paths.ts';
import { openNewChat } from './support/chat.ts';
import { runCommand } from './support/editor.ts';
import type { SandboxEditor } from './support/sandboxEditor.ts';

export const virtualWorkspace = (setup: SandboxEditor): void => {
  it('supports the chat, and its SQL is inserted into a file', async () => {
    const { page, editor } = setup;
    // VS Code's own in-memory file system.
    await page.goto(editorUrl(editor.server, { workspace: 'tmp:/', extensions: [repoRoot] }));
    await page.locator('.monaco-workbench').waitFor();
    const chat = await openNewChat(page);
    await chat.ask('revenue by month in 2024');
    await chat.told('Answer finished');
    await chat.answers().getByText('12 rows', { exact: true }).waitFor();
    await runCommand(page, 'File: New Untitled Text File');
    await page.locator('.editor-group-container.active .monaco-editor.focused').waitFor();
    await chat.button('Insert SQL').click();
    await page.locator('.editor-group-container.active .view-lines').filter({ hasText: 'MEASURE' }).waitFor();
  });
};

/** A virtual workspace, such as a repository that is opened in the browser, in another language. */
import assert from 'node:assert/strict';
import { it } from 'mocha';
import { editorUrl, setLanguage } from '../vscode/page.ts';
import { repoRoot } from '../vscode/paths.ts';
import { runCommand, webview } from './support/editor.ts';
import type { SandboxEditor } from './support/sandboxEditor.ts';
import { screenshot } from './support/screenshot.ts';

export const virtualWorkspace = (setup: SandboxEditor): void => {
  it('supports the chat in the language of the user, and its SQL is inserted into a file', async () => {
    const { page, editor } = setup;
    await setLanguage(editor.context, 'de');
    // VS Code's own in-memory file system.
    await page.goto(editorUrl(editor.server, { workspace: 'tmp:/', extensions: [repoRoot] }));
    await page.locator('.monaco-workbench').waitFor();
    await runCommand(page, 'Analytics Chat: Neuer Chat');
    const view = webview(page);
    const field = view.getByPlaceholder('Nach Ihren Daten fragen…');
    await field.and(view.locator(':focus')).waitFor();
    assert.equal(await view.locator('html').getAttribute('lang'), 'de');
    await screenshot(page, 'language de');
    await field.fill('revenue by month in 2024');
    await field.press('Enter');
    await view.getByRole('status').filter({ hasText: 'Antwort abgeschlossen' }).waitFor();
    await view.getByText('12 Zeilen', { exact: true }).waitFor();
    await runCommand(page, 'File: New Untitled Text File');
    await page.locator('.editor-group-container.active .monaco-editor.focused').waitFor();
    await view.getByRole('button', { name: 'SQL einfügen', exact: true }).click();
    await page.locator('.editor-group-container.active .view-lines').filter({ hasText: 'MEASURE' }).waitFor();
  });
};

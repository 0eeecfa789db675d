/** The commands as other extensions and key bindings use them, with the sandbox. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'mocha';
import * as vscode from 'vscode';

async function textAfter(
  language: string,
  content: string,
  cursor: string,
  command: string,
): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument({ language, content });
  const editor = await vscode.window.showTextDocument(document);
  const at = document.positionAt(content.indexOf(cursor) + cursor.length);
  editor.selection = new vscode.Selection(at, at);
  await vscode.commands.executeCommand(command);
  return document;
}

describe('commands', () => {
  after(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('ask a question and return the thread of the answer', async () => {
    const chatId = await vscode.commands.executeCommand('analyticsChat.ask', { text: 'revenue by month in 2024' });
    assert.equal(typeof chatId, 'string');
    assert.notEqual(chatId, '');
  });

  it('copy the last generated SQL', async () => {
    await vscode.commands.executeCommand('analyticsChat.copySql');
    assert.match(await vscode.env.clipboard.readText(), /^SELECT[\s\S]+MEASURE\(/);
  });

  it('insert it at the cursor, and one undo removes it', async () => {
    const content = '-- monthly\n';
    const document = await textAfter('sql', content, '-- monthly\n', 'analyticsChat.insertSql');
    assert.match(document.getText(), /^-- monthly\nSELECT[\s\S]+MEASURE\(/);
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), content);
  });

  it('open it in a new document', async () => {
    await vscode.commands.executeCommand('analyticsChat.openSql');
    const { document } = vscode.window.activeTextEditor ?? {};
    assert.equal(document?.languageId, 'sql');
    assert.match(document?.getText() ?? '', /MEASURE\(/);
  });

  it('switch the branch by name', async () => {
    assert.equal(await vscode.commands.executeCommand('analyticsChat.switchBranch', 'dev-margin'), 'dev-margin');
    assert.equal(await vscode.commands.executeCommand('analyticsChat.switchBranch', 'main'), 'main');
  });

  it('complete member names that the agent found', async () => {
    const document = await vscode.workspace.openTextDocument({ language: 'sql', content: 'SELECT sales.' });
    const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
      'vscode.executeCompletionItemProvider',
      document.uri,
      new vscode.Position(0, 'SELECT sales.'.length),
    );
    const labels = items.map(({ label }) => (typeof label === 'string' ? label : label.label));
    assert.ok(
      labels.some((label) => /revenue/.test(label)),
      labels.join(', '),
    );
  });

  it('show a hover for a member, and its definition in the workspace', async () => {
    const content = 'SELECT MEASURE(sales.revenue) FROM sales';
    const document = await vscode.workspace.openTextDocument({ language: 'sql', content });
    const on = (word: string): vscode.Position => document.positionAt(content.lastIndexOf(word) + 1);
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      document.uri,
      on('revenue'),
    );
    const words = hovers.flatMap(({ contents }) => contents.map((one) => (typeof one === 'string' ? one : one.value)));
    const shown = words.join('\n').replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
    assert.match(shown, /\*\*Revenue\*\*\n\nsales\.revenue · number · sum\n\nWhat customers paid for goods, after/);
    const definedAt = async (word: string): Promise<string[]> => {
      const found = await vscode.commands.executeCommand<vscode.Location[]>(
        'vscode.executeDefinitionProvider',
        document.uri,
        on(word),
      );
      return Promise.all(
        found.map(async ({ uri, range }) => {
          const text = (await vscode.workspace.openTextDocument(uri)).getText(range);
          return `${uri.path.split('/').slice(-3).join('/')} ${text}`;
        }),
      );
    };
    assert.deepEqual(await definedAt('revenue'), ['model/cubes/line_items.yml revenue']);
    assert.deepEqual(await definedAt('sales'), ['model/views/sales.yml sales']);
  });
});

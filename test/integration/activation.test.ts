import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';

describe('the extension in its host', () => {
  it('runs in the requested host', () => {
    assert.equal('importScripts' in globalThis ? 'web' : 'node', process.env['TEST_EXTENSION_HOST']);
  });

  it('is installed and activates', async () => {
    const extension = vscode.extensions.getExtension('analytics-chat.analytics-chat');
    assert.ok(extension, 'the editor does not know the extension');
    await extension.activate();
    assert.equal(extension.isActive, true);
  });

  it('has a handler for every command in its manifest', async () => {
    const extension = vscode.extensions.getExtension('analytics-chat.analytics-chat');
    const contributed: { command: string }[] = extension?.packageJSON.contributes.commands ?? [];
    const registered = await vscode.commands.getCommands(true);
    assert.deepEqual(
      contributed.map(({ command }) => command).filter((command) => !registered.includes(command)),
      [],
    );
  });
});

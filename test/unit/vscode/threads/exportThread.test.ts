import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { loadWithEditor } from '../../../support/withEditor.ts';

type ExportThread = (app: object, threadId: string, title: string) => Promise<void>;

describe('an exported chat', () => {
  it('has the format of its file extension, in any case', async () => {
    let path = '';
    const written: string[] = [];
    const { exportThread } = await loadWithEditor<{ exportThread: ExportThread }>('vscode/threads/threadActions.ts', {
      window: { showSaveDialog: () => Promise.resolve({ path }), showInformationMessage: () => undefined },
      workspace: {
        fs: { writeFile: (_target: object, bytes: Uint8Array) => written.push(new TextDecoder().decode(bytes)) },
      },
    });
    const store = { exportJson: () => 'as JSON', exportMarkdown: () => 'as Markdown' };
    const app = { history: () => Promise.resolve(store), log: { redactDocument: (text: string) => text } };
    for (path of ['/a.json', '/a.JSON', '/a.md', '/a.json.md']) await exportThread(app, 't', 'A chat');
    assert.deepEqual(written, ['as JSON', 'as JSON', 'as Markdown', 'as Markdown']);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { loadWithEditor } from '../../../support/withEditor.ts';

type ExportThread = (app: object, threadId: string, title: string) => Promise<void>;

describe('an exported chat', () => {
  it('has the format of its file extension, in any case, and no secrets', async () => {
    let path = '';
    const written: string[] = [];
    const { exportThread } = await loadWithEditor<{ exportThread: ExportThread }>('vscode/threads/threadActions.ts', {
      commands: { executeCommand: () => undefined },
      window: {
        showQuickPick: ([first]: object[]) => Promise.resolve(first),
        showSaveDialog: () => Promise.resolve({ path }),
      },
      workspace: {
        fs: { writeFile: (_target: object, bytes: Uint8Array) => written.push(new TextDecoder().decode(bytes)) },
      },
    });
    const store = { exportJson: () => 'as JSON', exportMarkdown: () => 'as Markdown: the-key' };
    const log = { redactDocument: (text: string) => text.replace('the-key', '[redacted]') };
    const app = { history: () => Promise.resolve(store), log };
    for (path of ['/a.json', '/a.JSON', '/a.md', '/a.json.md']) await exportThread(app, 't', 'A chat');
    const markdown = 'as Markdown: [redacted]';
    assert.deepEqual(written, ['as JSON', 'as JSON', markdown, markdown]);
  });

  it('is offered in both formats, with what they are for', async () => {
    const offered: { label: string; detail: string }[] = [];
    const endings: object[] = [];
    const { exportThread } = await loadWithEditor<{ exportThread: ExportThread }>('vscode/threads/threadActions.ts', {
      window: {
        showQuickPick: (items: typeof offered) => Promise.resolve(items[offered.push(...items) / 2 - 1]),
        showSaveDialog: ({ filters }: { filters: object }) => Promise.resolve(void endings.push(filters)),
      },
      workspace: {},
    });
    for (let times = 0; times < 2; times += 1) await exportThread({}, 't', 'A chat');
    assert.deepEqual(endings, [{ Markdown: ['md'] }, { JSON: ['json'] }]);
    assert.match(offered[0]!.detail, /can’t be imported/);
    assert.match(offered[1]!.detail, /Import Chat…/);
  });

  it('is imported as JSON; for Markdown, the message says what to do', async () => {
    const { importChat } = await loadWithEditor<{ importChat: (app: object) => Promise<unknown> }>(
      'vscode/threads/historyCommands.ts',
      { window: { showOpenDialog: () => Promise.resolve([{ path: '/a chat.MD' }]) } },
    );
    await assert.rejects(importChat({}), /has only the text of a chat\. Export the chat as JSON/);
  });

  it('is proposed under a name that every system accepts and shows', async () => {
    const proposed: string[] = [];
    const { exportThread } = await loadWithEditor<{ exportThread: ExportThread }>('vscode/threads/threadActions.ts', {
      Uri: { joinPath: (folder: string, name: string) => `${folder}/${name}` },
      window: {
        showQuickPick: ([first]: object[]) => Promise.resolve(first),
        showSaveDialog: ({ defaultUri }: { defaultUri: string }) => Promise.resolve(void proposed.push(defaultUri)),
      },
      workspace: { workspaceFolders: [{ uri: '/repo' }] },
    });
    for (const title of ['..hidden', 'a/b: "c"?', '. ', '']) await exportThread({}, 't', title);
    assert.deepEqual(proposed, ['/repo/hidden.md', '/repo/a b c.md', '/repo/results.md', '/repo/Conversation.md']);
  });
});

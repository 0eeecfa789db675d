import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type * as vscode from 'vscode';
import type { ThreadView } from '../../../../src/vscode/views/threadView.ts';
import type { ChatViews } from '../../../../src/vscode/views/chatViews.ts';
import type { ThreadLists } from '../../../../src/vscode/threads/threadLists.ts';
import { ThreadRepository } from '../../../../src/vscode/threads/threadRepository.ts';
import type { Sessions } from '../../../../src/vscode/threads/sessions.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';
import { about, inFolder, makeThread, openFolder } from '../../chat/history/support/stores.ts';

const nothing = { dispose: () => undefined };
const memento = { get: () => undefined, update: () => Promise.resolve() } as unknown as vscode.Memento;
const editor = {
  Uri: { joinPath: () => undefined },
  workspace: { getConfiguration: () => ({ get: () => undefined }) },
};

/** A window with the history in a folder, and an editor tab with the only chat. */
async function windowOn(folder: string) {
  const { Sessions: Made } = await loadWithEditor<{ Sessions: new (of: object) => Sessions }>(
    'vscode/threads/sessions.ts',
    editor,
  );
  const { ChatViews: Views } = await loadWithEditor<{ ChatViews: new (...of: unknown[]) => ChatViews }>(
    'vscode/views/chatViews.ts',
    editor,
  );
  const { ThreadLists: Lists } = await loadWithEditor<{ ThreadLists: new (of: object) => ThreadLists }>(
    'vscode/threads/threadLists.ts',
    editor,
  );
  const { history } = await openFolder(folder);
  const sessions = new Made({});
  const open = () => Promise.resolve(history);
  const problems: unknown[] = [];
  const report = (problem: unknown): unknown => problems.push(problem);
  const repository = new ThreadRepository(open, sessions, memento, () => about.origin, report);
  const views = new Views({}, sessions, repository, {});
  const lists = new Lists({ sessions, history: open, unread: { onDidChange: () => nothing } });
  const webview = { onDidReceiveMessage: () => nothing, asWebviewUri: () => '', cspSource: '' };
  const events = { onDidDispose: () => nothing, onDidChangeViewState: () => nothing };
  const tab = { ...events, webview, visible: false, active: false, title: '' };
  await views.restorePanel(tab as never, { threadId: 'a' });
  const close = (): void => {
    for (const part of [views, lists, repository, sessions]) part.dispose();
    assert.deepEqual(problems, []);
  };
  return { sessions, lists, tab, view: views.all[0] as ThreadView, close };
}

describe('the title of a chat', () => {
  it('is its first question until the user renames it, also in its tab and after a restart', () =>
    inFolder(async (folder) => {
      const thread = makeThread('a');
      const before = (await openFolder(folder)).history;
      before.save(thread, about);
      await before.flush();
      const { lists, tab, sessions, view, close } = await windowOn(folder);
      assert.equal(tab.title, 'Question 0 of a?');
      await lists.rename('a', ' Weekly revenue ');
      assert.equal(tab.title, 'Weekly revenue');
      assert.equal(sessions.titleOf(view.session), 'Weekly revenue');
      await lists.rename('a', '  ');
      assert.equal(tab.title, 'Weekly revenue');
      close();
      const again = await windowOn(folder);
      assert.equal(again.tab.title, 'Weekly revenue');
      await again.sessions.remove('a');
      assert.equal(again.sessions.titleOf(again.sessions.add(thread)), 'Question 0 of a?');
      again.close();
    }));
});

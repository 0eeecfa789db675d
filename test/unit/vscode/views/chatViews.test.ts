import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { emptyThread, type Thread } from '../../../../src/shared/thread/model.ts';
import type { ChatViews } from '../../../../src/vscode/views/chatViews.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';

const nothing = () => ({ dispose: () => undefined });

/** @param editor stub of `vscode` */
async function viewsOf(sessions: object, repository: object, editor: object): Promise<ChatViews> {
  const { ChatViews: Views } = await loadWithEditor<{ ChatViews: new (...of: unknown[]) => ChatViews }>(
    'vscode/views/chatViews.ts',
    editor,
  );
  return new Views({}, { onDidChange: nothing, onUnsent: nothing, ...sessions }, repository, {});
}

describe('the side bar after a restart', () => {
  const active = { thread: { id: 'active' } };
  const shown = { thread: { id: 'shown' } };

  /** @returns the chat in the side bar, whose page saved this state */
  async function restored(state: unknown): Promise<unknown> {
    const repository = {
      restore: () => Promise.resolve(active),
      open: (id: string) => (id === 'shown' ? Promise.resolve(shown) : Promise.reject(new Error('deleted'))),
    };
    const views = await viewsOf({}, repository, {});
    const holder = { webview: { onDidReceiveMessage: nothing }, onDidChangeVisibility: nothing, onDidDispose: nothing };
    await views.resolve(holder as never, () => [], state);
    return views.sideBarSession;
  }

  it('shows its own chat, also if the active one is in an editor tab', async () => {
    assert.equal(await restored({ threadId: 'shown' }), shown);
  });

  it('shows the active chat if it had none, or if its own one was deleted', async () => {
    assert.equal(await restored(undefined), active);
    assert.equal(await restored({ threadId: 'other' }), active);
  });
});

describe('an editor tab', () => {
  it('that is restored beside the active editor leaves another chat active', async () => {
    const activated: unknown[] = [];
    const joinPath = (): undefined => undefined;
    const editor = {
      Uri: { joinPath },
      workspace: { getConfiguration: () => ({ get: nothing }) },
      env: { language: 'en' },
      l10n: {},
    };
    const add = (thread: Thread) => ({ thread });
    const create = (): object => (activated.push('new'), add(emptyThread('new')));
    const sessions = { add, create, activate: ({ thread }: { thread: Thread }) => activated.push(thread.id) };
    const open = (id: string) =>
      id === 'deleted' ? Promise.reject(new Error(id)) : Promise.resolve(add(emptyThread(id)));
    const views = await viewsOf(sessions, { open }, editor);
    const webview = { onDidReceiveMessage: nothing, asWebviewUri: () => '', cspSource: '' };
    const tab = { webview, visible: false, onDidDispose: nothing, onDidChangeViewState: nothing };
    for (const [threadId, active] of [
      ['deleted', false],
      ['beside', false],
      ['front', true],
    ] as const)
      await views.restorePanel({ ...tab, active } as never, { threadId });
    assert.deepEqual(activated, ['front']);
    assert.equal(views.all.length, 3);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { emptyThread } from '../../../../src/shared/thread/model.ts';
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
    const views = await viewsOf({ activate: (session: unknown) => activated.push(session) }, {}, editor);
    const webview = { onDidReceiveMessage: nothing, asWebviewUri: () => '', cspSource: '' };
    const tab = { webview, visible: false, onDidDispose: nothing, onDidChangeViewState: nothing };
    const [beside, front] = ['beside', 'front'].map((id) => ({ thread: emptyThread(id) }));
    views.adoptPanel({ ...tab, active: false } as never, beside as never);
    views.adoptPanel({ ...tab, active: true } as never, front as never);
    assert.deepEqual(activated, [front]);
  });
});

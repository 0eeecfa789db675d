import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ChatViews } from '../../../../src/vscode/views/chatViews.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';

describe('the side bar after a restart', () => {
  const active = { thread: { id: 'active' } };
  const shown = { thread: { id: 'shown' } };
  const nothing = () => ({ dispose: () => undefined });

  /** @returns the chat in the side bar, whose page saved this state */
  async function restored(state: unknown): Promise<unknown> {
    const { ChatViews: Views } = await loadWithEditor<{ ChatViews: new (...of: unknown[]) => ChatViews }>(
      'vscode/views/chatViews.ts',
      {},
    );
    const sessions = { onDidChange: nothing, onUnsent: nothing, activate: () => undefined };
    const repository = {
      restore: () => Promise.resolve(active),
      open: (id: string) => (id === 'shown' ? Promise.resolve(shown) : Promise.reject(new Error('deleted'))),
    };
    const views = new Views({}, sessions, repository, {});
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

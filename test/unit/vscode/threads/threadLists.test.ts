import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ThreadLists } from '../../../../src/vscode/threads/threadLists.ts';
import type { ThreadView } from '../../../../src/vscode/views/threadView.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';

describe('the history list', () => {
  const nothing = { dispose: () => undefined };
  const view = { post: () => undefined, visible: false } as unknown as ThreadView;

  async function listOf(restored: string[]): Promise<ThreadLists> {
    const { ThreadLists: Lists } = await loadWithEditor<{ ThreadLists: new (app: object) => ThreadLists }>(
      'vscode/threads/threadLists.ts',
      {},
    );
    const history = {
      list: () => Promise.resolve([]),
      remove: (id: string) => Promise.resolve(() => Promise.resolve(void restored.push(id))),
    };
    return new Lists({
      sessions: { onDidChange: () => nothing, get: () => undefined, remove: () => Promise.resolve() },
      unread: { onDidChange: () => nothing, forget: () => undefined },
      history: () => Promise.resolve(history),
    });
  }

  it('restores the threads that were deleted in it', async () => {
    const restored: string[] = [];
    const lists = await listOf(restored);
    await lists.list(view, '', 20);
    await lists.act(view, 'remove', 'a');
    await lists.act(view, 'remove', 'b');
    await lists.list(view, '', 20);
    await lists.act(view, 'bringBack', 'b');
    await lists.act(view, 'bringBack', 'a');
    assert.deepEqual(restored, ['b', 'a']);
    lists.dispose();
  });

  it('keeps nothing of deleted threads once it is closed', async () => {
    const restored: string[] = [];
    const lists = await listOf(restored);
    await lists.list(view, '', 20);
    await lists.act(view, 'remove', 'a');
    lists.close(view);
    await lists.act(view, 'bringBack', 'a');
    assert.deepEqual(restored, []);
    lists.dispose();
  });
});

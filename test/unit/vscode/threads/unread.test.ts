import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ChatSession } from '../../../../src/chat/session/chatSession.ts';
import { emptyThread } from '../../../../src/shared/thread/model.ts';
import type { Sessions } from '../../../../src/vscode/threads/sessions.ts';
import type { UnreadThreads } from '../../../../src/vscode/threads/unread.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';

type Make = new (...of: ConstructorParameters<typeof UnreadThreads>) => UnreadThreads;

describe('unread answers', () => {
  it('are those that ended out of view in a chat that was shown, not in one of another extension', async () => {
    const { UnreadThreads: Made } = await loadWithEditor<{ UnreadThreads: Make }>('vscode/threads/unread.ts', {});
    let end = (_session: ChatSession, _type = 'finished'): void => undefined;
    const onDidChange = (listener: (change: object) => void): void => {
      end = (session, type = 'finished') => listener({ session, events: [{ type }] });
    };
    const [hidden, visible, other] = ['hidden', 'visible', 'other'].map(
      (id) => ({ thread: emptyThread(id) }) as ChatSession,
    ) as [ChatSession, ChatSession, ChatSession];
    const unread = new Made({ onDidChange } as unknown as Sessions, (session) => session === visible);
    unread.seen(hidden);
    unread.seen(visible);
    for (const session of [hidden, visible, other]) end(session);
    assert.deepEqual([unread.count, unread.has('hidden')], [1, true]);
    unread.seen(hidden);
    end(hidden, 'line');
    assert.equal(unread.count, 0);
    end(hidden, 'failed');
    assert.equal(unread.count, 1);
  });
});

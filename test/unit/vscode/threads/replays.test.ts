import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ChatSession } from '../../../../src/chat/session/chatSession.ts';
import { emptyThread } from '../../../../src/shared/thread/model.ts';
import type { Replays } from '../../../../src/vscode/threads/replays.ts';
import type { Sessions } from '../../../../src/vscode/threads/sessions.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';

describe('a recording that could not be played to its end', () => {
  it('no longer plays', async () => {
    const session = {
      thread: emptyThread('t'),
      dispatch: () => {
        throw new Error('broken');
      },
    } as unknown as ChatSession;
    const { Replays: Class } = await loadWithEditor<{ Replays: typeof Replays }>('vscode/threads/replays.ts', {});
    const replays = new Class({ get: () => session } as unknown as Sessions);
    await assert.rejects(replays.play(session, [{ at: 0, event: { type: 'loading' } }]), /broken/);
    assert.equal(replays.showRest(session), false);
  });
});

describe('a recording whose chat was deleted', () => {
  it('plays no more, because that would save the chat again', async () => {
    const session = { thread: emptyThread('t'), dispatch: assert.fail } as unknown as ChatSession;
    const { Replays: Class } = await loadWithEditor<{ Replays: typeof Replays }>('vscode/threads/replays.ts', {});
    await new Class({ get: () => undefined } as unknown as Sessions).play(session, [
      { at: 0, event: { type: 'loading' } },
    ]);
  });
});

/** What a change of a thread contains that the user typed, and must not be lost. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isTyped, knownTurns, nothing } from '../../../../src/chat/history/changes.ts';
import { emptyThread } from '../../../../src/shared/thread/model.ts';
import { about, makeThread } from './support/stores.ts';

describe('a change', () => {
  const thread = makeThread('a', 1);
  const known = { ...nothing, turns: knownTurns(thread.turns) };

  it('contains user input if there is a draft of text or images', () => {
    const image = { mimeType: 'image/png', data: 'AAAA' };
    assert.ok(isTyped({ about, draft: { text: 'Why', images: [] } }, nothing));
    assert.ok(isTyped({ about, draft: { text: '', images: [image] } }, nothing));
    assert.ok(!isTyped({ about, draft: { text: '', images: [] } }, nothing));
  });

  it('contains user input if a question is not in the file, or waits to be sent', () => {
    const queued = { id: '9-message', text: 'Next?', images: [] };
    assert.ok(isTyped({ about, thread }, nothing));
    assert.ok(!isTyped({ about, thread }, known));
    assert.ok(isTyped({ about, thread: { ...thread, queue: [queued] } }, known));
    assert.ok(!isTyped({ about, thread: emptyThread('a') }, nothing));
    assert.ok(!isTyped({ about }, nothing));
  });
});

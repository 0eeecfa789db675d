import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { describe, it } from 'mocha';
import { newMessageId, systemClock } from '../../../../src/chat/session/clock.ts';
import { MESSAGE_ID } from '../../../../src/shared/wire/streamLines.ts';

describe('message ids', () => {
  it('match the contract, and are unique within a millisecond and when the clock goes back', () => {
    const times = [1_800_000_000_000, 1_800_000_000_000, 1_800_000_000_000.7, 1_799_999_999_000, Date.now()];
    const ids = times.map(newMessageId);
    for (const id of ids) assert.match(id, MESSAGE_ID);
    assert.equal(new Set(ids).size, ids.length);
  });
});

describe('waiting', () => {
  it('ends with its signal, before or during the wait, and leaves no listener', async () => {
    await systemClock.sleep(60_000, AbortSignal.abort());
    const controller = new AbortController();
    const waiting = systemClock.sleep(60_000, controller.signal);
    controller.abort();
    await waiting;
    const { signal } = new AbortController();
    await systemClock.sleep(1, signal);
    for (const each of [controller.signal, signal]) assert.equal(getEventListeners(each, 'abort').length, 0);
  });
});

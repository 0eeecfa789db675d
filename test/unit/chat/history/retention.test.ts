import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { beyond, type Limits } from '../../../../src/chat/history/listing.ts';

interface Sized {
  id: string;
  size: number;
  pinned?: boolean;
}

/** @param threads newest first */
function evicted(threads: readonly Sized[], limits: Limits, open: readonly string[] = []): string[] {
  const listed = threads.map(({ id, size, pinned = false }, at) => ({
    meta: { id, title: id, pinned, createdAt: 0, updatedAt: 1000 - at, origin: '', questions: 1 },
    size,
  }));
  return beyond(listed, limits, (id) => open.includes(id)).map(({ id }) => id);
}

describe('history retention', () => {
  const threads = [
    { id: 'new', size: 10 },
    { id: 'huge', size: 500 },
    { id: 'old', size: 10 },
    { id: 'oldest', size: 10 },
  ];

  it('evicts a thread that alone exceeds the size limit and keeps the smaller, older ones', () => {
    assert.deepEqual(evicted(threads, { threads: 9, bytes: 100 }), ['huge']);
    assert.deepEqual(evicted(threads, { threads: 3, bytes: 100 }), ['huge'], 'it does not count either');
  });

  it('evicts the oldest threads beyond the count limit', () => {
    assert.deepEqual(evicted(threads, { threads: 2, bytes: 1e9 }), ['old', 'oldest']);
  });

  it('never evicts pinned or open threads, which count toward the limits', () => {
    const pinned = threads.map((thread) => (thread.id === 'oldest' ? { ...thread, pinned: true } : thread));
    assert.deepEqual(evicted(pinned, { threads: 2, bytes: 1e9 }, ['old']), ['huge']);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { beyond, deletedName, isLeftover, isOurs, type Limits } from '../../../../src/chat/history/listing.ts';

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
  return beyond(listed.toReversed(), limits, (id) => open.includes(id)).map(({ id }) => id);
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
    assert.deepEqual(evicted(threads, { threads: 4, bytes: 530 }), []);
    assert.deepEqual(evicted(threads.toReversed(), { threads: 2, bytes: 1e9 }), ['huge', 'new']);
  });

  it('never evicts pinned or open threads, which count toward the limits', () => {
    const pinned = threads.map((thread) => (thread.id === 'oldest' ? { ...thread, pinned: true } : thread));
    assert.deepEqual(evicted(pinned, { threads: 2, bytes: 1e9 }, ['old']), ['huge']);
  });
});

describe('files of the history', () => {
  const HOUR = 3_600_000;
  const file = (name: string, mtime = 0) => ({ name, mtime, size: 1 });

  it('of deleted threads are kept for a day', () => {
    assert.equal(deletedName('a', 1000), 'a.1000.deleted');
    assert.equal(isLeftover(file('a.1000.deleted'), 1000 + 24 * HOUR), false);
    assert.equal(isLeftover(file('a.1000.deleted', 1e15), 1001 + 24 * HOUR), true);
  });

  it('that a killed process left are removed after an hour', () => {
    for (const name of ['a.ndjson.1.2.tmp', 'a.ndjson.lock', 'a.ndjson.lock.guard', 'a.claim.lock']) {
      assert.equal(isLeftover(file(name, 7), 7 + HOUR), false, name);
      assert.equal(isLeftover(file(name, 7), 8 + HOUR), true, name);
    }
    for (const name of ['a.ndjson', 'tmp.ndjson', 'a.1.damaged', 'index.cache', 'a.tmp.ndjson'])
      assert.equal(isLeftover(file(name), 1e15), false, name);
  });

  it('are distinguished from others in their folder', () => {
    for (const name of ['index.cache', 'a.ndjson', 'a.5.deleted', 'a.5.damaged', 'a.ndjson.1.2.tmp'])
      assert.equal(isOurs(file(name)), true, name);
    for (const name of ['a.ndjson.lock', 'notes.txt', '.ndjson', 'a b.ndjson', 'index.cache2'])
      assert.equal(isOurs(file(name)), false, name);
  });
});

/** Which threads are listed, and which are deleted at the limits. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { HistoryError } from '../../../../src/chat/history/files/errors.ts';
import { asideName, isLeftover, type FileInfo, type HistoryFiles } from '../../../../src/chat/history/files/files.ts';
import { beyond, inListOrder, listThreads, type Limits, type Listed } from '../../../../src/chat/history/listing.ts';
import type { StoredMeta } from '../../../../src/chat/history/storedThread.ts';

const metaOf = (id: string, fields: Partial<StoredMeta> = {}): StoredMeta => ({
  ...{ id, title: id, pinned: false, createdAt: 1, updatedAt: 2, origin: '', questions: 1 },
  ...fields,
});
const info = (name: string, size = 10, mtime = 20): FileInfo => ({ name, size, mtime });

describe('the list of threads', () => {
  it('reads each file once, and again if its size or time has changed', async () => {
    const read: string[] = [];
    const metaIn = async (id: string): Promise<StoredMeta> => (read.push(id), metaOf(id));
    let known = new Map<string, Listed>();
    const listed = async (...names: FileInfo[]): Promise<string[][]> => {
      read.length = 0;
      known = await listThreads({ list: async () => names } as HistoryFiles, metaIn, known);
      return [[...known.keys()].sort(), read.toSorted()];
    };
    const [a, b] = [info('a.json'), info('b.json')];
    assert.deepEqual(await listed(a, b, info('notes.txt'), info('a.json.lock')), [
      ['a', 'b'],
      ['a', 'b'],
    ]);
    assert.deepEqual(await listed(a, b), [['a', 'b'], []]);
    assert.deepEqual(await listed({ ...a, size: 11 }, b), [['a', 'b'], ['a']]);
    assert.deepEqual(await listed({ ...a, size: 11 }, { ...b, mtime: 21 }), [['a', 'b'], ['b']]);
    assert.deepEqual(await listed({ ...a, size: 11 }), [['a'], []]);
    assert.deepEqual(await listed({ ...a, size: 11 }, b), [['a', 'b'], ['b']]);
  });

  it('has pinned threads first, then the newest', () => {
    const times = { a: 1, b: 3, c: 2, d: 2 };
    const metas = Object.entries(times).map(([id, updatedAt]) => metaOf(id, { updatedAt, pinned: id === 'a' }));
    for (const all of [metas, metas.toReversed()])
      assert.equal(
        all
          .toSorted(inListOrder)
          .map(({ id }) => id)
          .join(),
        'a,b,c,d',
      );
  });

  it('has no thread whose file is empty or gone, and the reason for one that can’t be read', async () => {
    const names = ['bad.json', 'gone.json', 'empty.json'];
    const metaIn = (id: string): Promise<undefined> =>
      id === 'empty'
        ? Promise.resolve(undefined)
        : Promise.reject(new HistoryError(id === 'bad' ? 'denied' : 'notFound'));
    const files = { list: async () => names.map((name) => info(name)) } as HistoryFiles;
    assert.deepEqual(
      [...(await listThreads(files, metaIn, new Map())).values()].map(({ meta, file }) => [meta.id, meta.title, file]),
      [['bad', new HistoryError('denied').message, info('bad.json')]],
    );
  });
});

describe('history retention', () => {
  const threads = [
    { id: 'new', size: 10 },
    { id: 'huge', size: 500 },
    { id: 'old', size: 10 },
    { id: 'oldest', size: 10 },
  ];

  /** @param all newest first */
  function evicted(all: readonly { id: string; size: number }[], limits: Limits, pinned = '', open = ''): string[] {
    const listed = all.map(({ id, size }, at) => ({
      meta: metaOf(id, { pinned: id === pinned, updatedAt: 1000 - at }),
      file: info(id, size),
    }));
    return beyond(listed.toReversed(), limits, (id) => id === open).map(({ id }) => id);
  }

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
    assert.deepEqual(evicted(threads, { threads: 2, bytes: 1e9 }, 'oldest', 'old'), ['huge']);
  });
});

describe('files of the history', () => {
  const HOUR = 3_600_000;

  it('of deleted threads are kept for a day', () => {
    assert.equal(asideName('a', 1000, 'deleted'), 'a.1000.deleted');
    assert.equal(isLeftover(info('a.1000.deleted'), 1000 + 24 * HOUR), false);
    assert.equal(isLeftover(info('a.1000.deleted', 1, 1e15), 1001 + 24 * HOUR), true);
  });

  it('that a killed process left are removed after an hour', () => {
    for (const name of ['a.json.1.2.tmp', 'a.json.lock', 'a.json.lock.guard', 'a.claim.lock']) {
      assert.equal(isLeftover(info(name, 1, 7), 7 + HOUR), false, name);
      assert.equal(isLeftover(info(name, 1, 7), 8 + HOUR), true, name);
    }
    for (const name of ['a.json', 'tmp.json', 'a.1.damaged', 'a.ndjson', 'a.tmp.json'])
      assert.equal(isLeftover(info(name), 1e15), false, name);
  });
});

/** Which threads are listed, in which order, and which files are left over. */
import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { HistoryError } from '../../../../src/chat/history/files/errors.ts';
import { asideName, isLeftover, type FileInfo, type HistoryFiles } from '../../../../src/chat/history/files/files.ts';
import { listThreads, type Listed } from '../../../../src/chat/history/listing.ts';
import type { StoredMeta } from '../../../../src/chat/history/storedThread.ts';

const metaOf = (id: string, fields: Partial<StoredMeta> = {}): StoredMeta => ({
  ...{ id, title: id, pinned: false, createdAt: 1, updatedAt: 2, origin: '', questions: 1 },
  ...fields,
});
const info = (name: string, size = 10, mtime = 20): FileInfo => ({ name, size, mtime });
const idsOf = (listed: readonly Listed[]): string => listed.map(({ meta }) => meta.id).join();
const folderOf = (...files: FileInfo[]): HistoryFiles => ({ list: async () => files }) as HistoryFiles;

describe('the list of threads', () => {
  it('reads each file once, and again if its size or time has changed', async () => {
    const read: string[] = [];
    const metaIn = async (id: string): Promise<StoredMeta> => (read.push(id), metaOf(id));
    const [a, b, larger, later] = [info('a.json'), info('b.json'), info('a.json', 11), info('b.json', 10, 21)];
    let known: Listed[] = [];
    for (const [files, listed, reads] of [
      [[a, b, info('notes.txt'), info('a.json.lock')], 'a,b', 'a,b'],
      [[a, b], 'a,b', ''],
      [[larger, b], 'a,b', 'a'],
      [[larger, later], 'a,b', 'b'],
      [[larger], 'a', ''],
      [[larger, later], 'a,b', 'b'],
    ] as const) {
      known = await listThreads(folderOf(...files), metaIn, known);
      assert.deepEqual([idsOf(known), read.splice(0).join()], [listed, reads]);
    }
  });

  it('has pinned threads first, then the newest', async () => {
    const times: Record<string, number> = { a: 1, b: 3, c: 2, d: 2 };
    const metaIn = async (id: string): Promise<StoredMeta> => metaOf(id, { updatedAt: times[id]!, pinned: id === 'a' });
    const files = Object.keys(times).map((id) => info(`${id}.json`));
    for (const all of [files, files.toReversed()])
      assert.equal(idsOf(await listThreads(folderOf(...all), metaIn, [])), 'a,b,c,d');
  });

  it('has no thread whose file is gone or set aside, and the reason for one that can’t be read', async () => {
    const kinds = { bad: 'denied', gone: 'notFound', empty: 'damaged' } as const;
    const metaIn = (id: string): Promise<never> => Promise.reject(new HistoryError(kinds[id as keyof typeof kinds]));
    const listed = await listThreads(folderOf(...Object.keys(kinds).map((id) => info(`${id}.json`))), metaIn, []);
    assert.deepEqual(
      listed.map(({ meta, file }) => [meta.id, meta.title, file]),
      [['bad', new HistoryError('denied').message, info('bad.json')]],
    );
  });
});

describe('files of the history', () => {
  const HOUR = 3_600_000;
  let now = 0;
  beforeEach(() => void mock.method(Date, 'now', () => now));
  afterEach(() => mock.restoreAll());

  it('of deleted threads are kept for a day', () => {
    now = 1000;
    assert.equal(asideName('a', 'deleted'), 'a.1000.deleted');
    now = 1000 + 24 * HOUR;
    assert.equal(isLeftover(info('a.1000.deleted')), false);
    now += 1;
    assert.equal(isLeftover(info('a.1000.deleted', 1, 1e15)), true);
  });

  it('that a killed process left are removed after an hour', () => {
    now = 7 + HOUR;
    for (const name of ['a.json.1.2.tmp', 'a.json.lock', 'a.json.lock.guard', 'a.claim.lock'])
      assert.deepEqual([isLeftover(info(name, 1, 7)), isLeftover(info(name, 1, 6))], [false, true], name);
    for (const name of ['a.json', 'tmp.json', 'a.1.damaged', 'a.ndjson', 'a.tmp.json'])
      assert.equal(isLeftover(info(name, 1, 0)), false, name);
  });
});

/** The list of threads reads only files that have changed since the index was written. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { HistoryError } from '../../../../src/chat/history/files/errors.ts';
import { joined, type FileInfo, type HistoryFiles } from '../../../../src/chat/history/files/files.ts';
import { encodeRecord, type StoredMeta } from '../../../../src/chat/history/format/records.ts';
import { Listing } from '../../../../src/chat/history/listing.ts';

const metaOf = (id: string, title: string): StoredMeta => ({
  ...{ id, title, pinned: false, createdAt: 1, updatedAt: 2, origin: '', questions: 1 },
});
const info = (name: string, size = 10, mtime = 20): FileInfo => ({ name, size, mtime });

/** A folder with these files, and an index with these entries. */
function folder(infos: readonly FileInfo[], index?: readonly unknown[]) {
  const written: Uint8Array[] = [];
  const read: string[] = [];
  async function* readIndex(name: string): AsyncGenerator<Uint8Array> {
    assert.equal(name, 'index.cache');
    if (index === undefined) throw new HistoryError('notFound');
    yield encodeRecord({ threads: index });
  }
  const files = {
    list: () => Promise.resolve([...infos]),
    read: readIndex,
    replace: (_name: string, parts: readonly Uint8Array[]) => {
      written.push(joined(parts));
      return Promise.resolve(info('index.cache'));
    },
  } as unknown as HistoryFiles;
  const listing = new Listing(files, (id) => {
    read.push(id);
    if (id === 'bad') return Promise.reject(new HistoryError('denied'));
    if (id === 'gone') return Promise.reject(new HistoryError('notFound'));
    return Promise.resolve(id === 'empty' ? undefined : metaOf('x', 'from the file'));
  });
  const titles = async (): Promise<unknown[]> =>
    (await listing.read()).map(({ meta, size }) => [meta.id, meta.title, size]).sort();
  return { titles, read, written };
}

describe('the list of threads', () => {
  it('is that of the index for unchanged files', async () => {
    const known = [10, 20, metaOf('a', 'from the index')];
    const { titles, read, written } = folder([info('a.ndjson'), info('notes.txt'), info('a.ndjson.lock')], [known]);
    assert.deepEqual(await titles(), [['a', 'from the index', 10]]);
    assert.deepEqual([read, written], [[], []]);
  });

  it('no longer has a deleted thread in its index', async () => {
    const entries = ['a', 'b'].map((id) => [10, 20, metaOf(id, 'from the index')]);
    const { titles, read, written } = folder([info('a.ndjson')], entries);
    assert.deepEqual(await titles(), [['a', 'from the index', 10]]);
    assert.deepEqual([read, written], [[], [encodeRecord({ threads: entries.slice(0, 1) })]]);
  });

  it('has a file read again if its size or time has changed, or its entry is invalid', async () => {
    const meta = metaOf('a', 'from the index');
    for (const entry of [[11, 20, meta], [10, 21, meta], [10, 20, {}], ['10', 20, meta], [10, '20', meta], null, 'a']) {
      const { titles, read, written } = folder([info('a.ndjson')], [entry]);
      assert.deepEqual(await titles(), [['a', 'from the file', 10]]);
      assert.deepEqual(read, ['a']);
      const index = encodeRecord({ threads: [[10, 20, { ...metaOf('x', 'from the file'), id: 'a' }]] });
      assert.deepEqual(written, [index]);
    }
  });

  it('reads each file once, and writes the index at most every ten seconds', async () => {
    const infos = [info('a.ndjson')];
    const { titles, read, written } = folder(infos);
    await titles();
    assert.deepEqual(await titles(), [['a', 'from the file', 10]]);
    infos.push(info('b.ndjson'));
    assert.equal((await titles()).length, 2);
    infos.length = 0;
    assert.deepEqual(await titles(), []);
    assert.deepEqual([read, written.length], [['a', 'b'], 1]);
  });

  it('has no thread whose file is empty or gone, and the reason for one that can’t be read', async () => {
    const { titles } = folder([info('bad.ndjson', 7, 9), info('gone.ndjson'), info('empty.ndjson')]);
    assert.deepEqual(await titles(), [['bad', new HistoryError('denied').message, 7]]);
  });
});

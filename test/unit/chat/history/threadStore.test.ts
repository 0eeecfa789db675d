/** When a thread file is read, appended to, compacted, created and removed. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Change } from '../../../../src/chat/history/changes.ts';
import { encodeRecord } from '../../../../src/chat/history/format/records.ts';
import { ThreadStore, type StoreOptions } from '../../../../src/chat/history/threadStore.ts';
import { emptyThread, type Thread } from '../../../../src/shared/thread/model.ts';
import { makeTurn } from '../../../support/item.ts';
import { memoryFiles, type MemoryFiles } from './support/memoryFiles.ts';
import { about, makeThread, textItem } from './support/stores.ts';

const FILE = 'a.ndjson';
const draft = (text: string): Change => ({ about, draft: { text, images: [] } });

interface SetUp {
  files: MemoryFiles;
  store: ThreadStore;
  damage: unknown[];
  /** @returns the operations of a change, without its lock */
  logOf: (change: Change) => Promise<string[]>;
}

function setUp(options: Partial<StoreOptions> = {}, files = memoryFiles()): SetUp {
  const damage: unknown[] = [];
  const store = new ThreadStore(files, { onDamage: (each) => damage.push(each), now: () => 50, ...options });
  const logOf = async (change: Change): Promise<string[]> => {
    files.log.length = 0;
    await store.write('a', change);
    assert.deepEqual([files.log.shift(), files.log.pop()], [`lock ${FILE}`, `unlock ${FILE}`]);
    return files.log.map((entry) => entry.replace(/^(read \S+) .*/, '$1'));
  };
  return { files, store, damage, logOf };
}

describe('a save', () => {
  it('writes nothing without a change, and reads nothing while no other window writes', async () => {
    const { files, logOf } = setUp();
    const thread = makeThread('a', 1);
    assert.deepEqual(await logOf({ thread, about }), [`replace ${FILE}`]);
    assert.deepEqual(await logOf({ thread, about }), []);
    assert.deepEqual(await logOf({ thread: makeThread('a', 2), about }), [`append ${FILE}`]);
    assert.deepEqual(await logOf({ about, thread: { ...makeThread('a', 2), chatId: 'other' } }), [`append ${FILE}`]);
    assert.deepEqual(await logOf(draft('x')), [`append ${FILE}`]);
    files.set(FILE, files.contents.get(FILE)!);
    assert.deepEqual(await logOf(draft('xy')), [`read ${FILE}`, `append ${FILE}`], 'another time');
    const { mtime } = (await files.stat(FILE))!;
    files.set(FILE, files.contents.get(FILE)!, encodeRecord({ kind: 'later' }));
    const { stat } = files;
    files.stat = async (name) => ({ ...(await stat(name))!, mtime });
    assert.deepEqual(await logOf(draft('x')), [`read ${FILE}`, `append ${FILE}`], 'another size');
  });

  it('makes no file of a thread without user input and turns', async () => {
    const { files, logOf } = setUp();
    for (const change of [draft(''), { about }, { about, thread: emptyThread('a') }])
      assert.deepEqual(await logOf(change), []);
    assert.equal(files.contents.size, 0);
    const items = [{ id: '', items: [textItem('x')] }];
    for (const change of [draft('x'), { about, thread: { ...emptyThread('a'), turns: items } }])
      assert.deepEqual(await setUp().logOf(change), [`replace ${FILE}`]);
  });

  it('removes the file of a thread without questions when its draft is cleared', async () => {
    const queue = [{ id: 'w', text: 'Next?', images: [] }];
    const image = { mimeType: 'image/png', data: 'AAAA' };
    const cases: [isRemoved: boolean, thread: Thread | undefined, change: Change][] = [
      [true, undefined, draft('')],
      [false, undefined, draft('y')],
      [false, undefined, { about, draft: { text: '', images: [image] } }],
      [false, undefined, { about: { ...about, title: 'Mine' } }],
      [false, { ...emptyThread('a'), queue }, draft('')],
      [false, { ...emptyThread('a'), turns: [{ id: '', items: [textItem('x')] }] }, draft('')],
      [false, makeThread('a', 1), draft('')],
    ];
    for (const [isRemoved, thread, change] of cases) {
      const { files, logOf } = setUp();
      await logOf({ ...draft('x'), ...(thread ? { thread } : {}) });
      assert.deepEqual(await logOf(change), [isRemoved ? `remove ${FILE}` : `append ${FILE}`]);
      assert.equal(files.contents.has(FILE), !isRemoved);
      if (isRemoved) assert.deepEqual(await logOf(draft('again')), [`replace ${FILE}`]);
    }
  });

  it('does not restore a thread that another window removed, without new user input', async () => {
    const { files, store, logOf } = setUp();
    const thread = makeThread('a', 1);
    await logOf({ thread, about: { ...about, title: 'Mine' } });
    files.contents.delete(FILE);
    assert.deepEqual(await logOf({ thread: { ...thread, chatId: 'c2' }, about: { ...about, title: 'Mine' } }), []);
    assert.deepEqual(await logOf({ ...draft('x'), about: { ...about, title: 'Mine' } }), [`replace ${FILE}`]);
    assert.equal((await store.peek('a')).meta.named, undefined, 'the title was saved before');
    files.contents.delete(FILE);
    store.forget('a');
    assert.deepEqual(await logOf({ thread, about }), [`replace ${FILE}`], 'after it was closed');
  });
});

describe('a growing thread file', () => {
  const version = (length: number, at: number): Thread => {
    const items = [textItem('x', { content: 'x'.repeat(length), updated: at })];
    return { ...emptyThread('a'), turns: [makeTurn({ id: 'q' }, items)] };
  };

  it('is compacted when most of it, and more than 256 KB, is old versions', async () => {
    for (const [length, versions] of [
      [50_000, 6],
      [80_000, 4],
      [200_000, 4],
      [400_000, 4],
    ] as const) {
      const { files, logOf } = setUp();
      for (let at = 1; at < versions; at += 1)
        assert.deepEqual(await logOf({ thread: version(length, at), about }), [
          at === 1 ? `replace ${FILE}` : `append ${FILE}`,
        ]);
      const compacted = [`read ${FILE}`, `replace ${FILE}`, `append ${FILE}`];
      assert.deepEqual(await logOf({ thread: version(length, versions), about }), compacted, `${length}`);
      const { size } = (await files.stat(FILE))!;
      assert.ok(size > 2 * length && size < 2.1 * length, `${size} bytes: the last version before, and the new one`);
    }
  });

  it('is compacted soon if it was full of old versions when it was opened', async () => {
    const first = setUp();
    for (let at = 1; at <= 3; at += 1) await first.logOf({ thread: version(80_000, at), about });
    const { store, logOf } = setUp({}, first.files);
    const { thread } = await store.open('a');
    const log = await logOf({ thread: { ...thread, turns: version(80_000, 9).turns }, about });
    assert.deepEqual(log, [`read ${FILE}`, `read ${FILE}`, `replace ${FILE}`, `append ${FILE}`]);
  });

  it('is compacted before it exceeds the limit, unless that would not help', async () => {
    const { logOf } = setUp({ largest: 250_000 });
    await logOf({ thread: version(100_000, 1), about });
    await logOf({ thread: version(100_000, 2), about });
    const log = await logOf({ thread: version(100_000, 3), about });
    assert.deepEqual(log, [`read ${FILE}`, `replace ${FILE}`, `append ${FILE}`]);
    const full = setUp({ largest: 250_000 });
    const large = version(240_000, 1);
    await full.logOf({ thread: large, about });
    const added = makeTurn({ id: 'r' }, [textItem('y', { content: 'y'.repeat(20_000) })]);
    const more = { ...large, turns: [...large.turns, added] };
    full.files.log.length = 0;
    await assert.rejects(full.store.write('a', { thread: more, about }), { kind: 'tooLarge' });
    assert.deepEqual(full.files.log, [`lock ${FILE}`, `append ${FILE}`, `unlock ${FILE}`]);
    const { thread } = await full.store.peek('a');
    assert.deepEqual(
      thread.turns.map(({ id, items }) => [id, items.length]),
      [
        ['q', 1],
        ['r', 0],
      ],
    );
    await assert.rejects(full.store.write('a', { thread: more, about }), { kind: 'tooLarge' }, 'it is tried again');
  });

  it('is copied and repaired if damage is found when it is compacted', async () => {
    const { files, damage, logOf } = setUp();
    for (let at = 1; at <= 3; at += 1) await logOf({ thread: version(100_000, at), about });
    files.set(FILE, new TextEncoder().encode('\n{"kind":"mess\n'), files.contents.get(FILE)!);
    assert.deepEqual(await logOf({ thread: version(100_000, 4), about }), [
      `read ${FILE}`,
      `read ${FILE}`,
      `copy ${FILE} a.50.damaged`,
      `replace ${FILE}`,
      `append ${FILE}`,
    ]);
    assert.equal(damage.length, 1);
  });
});

describe('a thread file that is opened', () => {
  const corrupt = new TextEncoder().encode('\n{"kind":"mess\n');

  it('without any readable record is an error, and repaired only by a session', async () => {
    const { files, store, damage } = setUp();
    files.set(FILE, corrupt);
    await assert.rejects(store.peek('a'), { kind: 'damaged' });
    assert.deepEqual([damage.length, files.contents.has(FILE)], [0, true]);
    await assert.rejects(store.open('a'), { kind: 'damaged' });
    assert.deepEqual([damage.length, [...files.contents.keys()]], [1, ['a.50.damaged']]);
  });

  it('is repaired if one record is corrupt, and otherwise unchanged', async () => {
    const { files, store, damage, logOf } = setUp();
    await logOf({ thread: makeThread('a', 1), about });
    files.log.length = 0;
    await store.open('a');
    assert.deepEqual(files.log, [`read ${FILE} 0`]);
    files.set(FILE, corrupt, files.contents.get(FILE)!);
    assert.equal((await store.open('a')).thread.turns.length, 1);
    assert.equal(damage.length, 1);
  });

  it('has a head in the list, or is repaired if nothing in it is readable', async () => {
    const { files, store, logOf } = setUp();
    await logOf({ thread: makeThread('a', 1), about });
    files.log.length = 0;
    assert.equal((await store.head('a', (await files.stat(FILE))!))?.meta.questions, 1);
    assert.deepEqual(files.log, [`read ${FILE} 0`]);
    files.set(FILE, corrupt);
    assert.equal(await store.head('a', (await files.stat(FILE))!), undefined);
    assert.deepEqual([...files.contents.keys()], ['a.50.damaged']);
  });
});

describe('the metadata of a thread file', () => {
  it('is changed by a new head, and known to the session that saves next', async () => {
    const { files, store, logOf } = setUp();
    await assert.rejects(
      store.edit('a', (meta) => meta),
      { kind: 'notFound' },
    );
    const thread = makeThread('a', 1);
    await logOf({ thread, about });
    assert.equal((await store.edit('a', (meta) => ({ ...meta, pinned: true }))).pinned, true);
    assert.deepEqual(await logOf({ thread, about }), [], 'and not read again');
    assert.equal((await store.peek('a')).meta.pinned, true);
    const other = setUp({}, files);
    await other.store.edit('a', (meta) => ({ ...meta, pinned: false }));
    assert.deepEqual((await other.logOf({ thread: makeThread('a', 2), about })).length, 2, 'read first');
  });
});

describe('work on a thread file', () => {
  it('is done one after the other, also after a failure', async () => {
    const { store } = setUp();
    const log: string[] = [];
    const work = (name: string) => async (): Promise<string> => {
      log.push(`${name} begins`);
      await new Promise(setImmediate);
      log.push(`${name} ends`);
      if (name === 'two') throw new Error(name);
      return name;
    };
    const one = store.exclusive('a', work('one'));
    const two = store.exclusive('a', work('two'));
    assert.equal(await one, 'one');
    const three = store.exclusive('a', work('three'));
    await assert.rejects(two, /two/);
    assert.equal(await three, 'three');
    const order = ['one', 'two', 'three'].flatMap((name) => [`${name} begins`, `${name} ends`]);
    assert.deepEqual(log, order);
  });
});

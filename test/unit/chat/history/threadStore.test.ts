/** When the file of a thread is read, written, created, repaired and removed. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ThreadStore, type ThreadChange, type StoreOptions } from '../../../../src/chat/history/threadStore.ts';
import { emptyThread } from '../../../../src/shared/thread/model.ts';
import { withItems } from '../../../support/item.ts';
import { memoryFiles } from './support/memoryFiles.ts';
import { about, makeThread, textItem } from './support/stores.ts';

const FILE = 'a.json';
const REPLACE = `replace ${FILE}`;
const draft = (text: string): ThreadChange => ({ about, draft: { text, images: [] } });

function setUp(options: Partial<StoreOptions> = {}, files = memoryFiles()) {
  const damage: unknown[] = [];
  const store = new ThreadStore(files, { onDamage: (...each) => damage.push(each), ...options });
  /** @returns the operations of a change, without its lock */
  const logOf = async (change: ThreadChange): Promise<string[]> => {
    files.log.length = 0;
    await store.write('a', change);
    assert.deepEqual([files.log.shift(), files.log.pop()], [`lock ${FILE}`, `unlock ${FILE}`]);
    return files.log.slice();
  };
  return { files, store, damage, logOf, text: () => new TextDecoder().decode(files.contents.get(FILE)) };
}

describe('a save', () => {
  it('writes nothing without a change, and merges only what another window has saved', async () => {
    const { files, store, logOf } = setUp();
    const thread = makeThread('a', 1);
    const more = { ...thread, turns: [...thread.turns, ...makeThread('a', 2).turns.slice(1)] };
    assert.deepEqual(await logOf({ thread, about }), [REPLACE]);
    assert.deepEqual(await logOf({ thread: { ...thread }, about }), []);
    assert.deepEqual(await logOf({ thread: more, about }), [REPLACE]);
    assert.deepEqual(await logOf({ about, thread: { ...more, chatId: 'other' } }), [REPLACE]);
    assert.deepEqual(await logOf(draft('x')), [REPLACE]);
    const other = setUp({}, files);
    await other.store.write('a', { about: { title: 'Mine', named: true } });
    await other.logOf({ thread: { ...thread, turns: makeThread('a', 3).turns.slice(2) }, about });
    assert.equal((await store.write('a', { about: { pinned: true } }))?.pinned, true);
    const last = (await store.read('a')).stored;
    assert.deepEqual([last.meta.title, last.draft.text, last.thread.turns.length], ['Mine', 'x', 3]);
    await other.store.write('a', { about: { pinned: false } });
    await logOf({ thread: { ...more, turns: more.turns.slice(1) }, about });
    assert.deepEqual(
      (await store.read('a')).stored.thread.turns.map(({ id }) => id),
      ['1-message', '2-message'],
    );
  });

  it('redacts every line', async () => {
    const { logOf, text } = setUp({ redact: (json) => json.replaceAll(/text of x|Answer \d|Question/g, 'redacted') });
    const thread = makeThread('a', 2);
    await logOf({ thread: withItems(thread, textItem('x', { exact: { content: true } })), about });
    assert.doesNotMatch(text(), /Question|Answer|exact/);
    assert.equal(text().match(/redacted/g)?.length, 6);
  });

  it('has a file for user input and turns only, which is removed with a cleared draft', async () => {
    const image = { mimeType: 'image/png', data: 'AAAA' };
    const queue = [{ id: 'w', text: 'Next?', images: [] }];
    const answered = { ...emptyThread('a'), turns: [{ id: '', items: [textItem('x')] }] };
    const cases: [change: ThreadChange, isKept: boolean][] = [
      [{ about }, false],
      [draft(''), false],
      [{ about, thread: emptyThread('a') }, false],
      [draft('x'), true],
      [{ about, draft: { text: '', images: [image] } }, true],
      [{ about, thread: { ...emptyThread('a'), queue } }, true],
      [{ about, thread: answered }, true],
      [{ about, thread: makeThread('a', 1) }, true],
    ];
    for (const [change, isKept] of cases) {
      const { logOf } = setUp();
      assert.deepEqual(await logOf(change), isKept ? [REPLACE] : []);
      if (!isKept) continue;
      await logOf(draft('typed'));
      assert.equal((await logOf(draft(''))).at(-1), change.thread ? REPLACE : `remove ${FILE}`);
      if (!change.thread) assert.deepEqual(await logOf(draft('again')), [REPLACE]);
    }
  });

  it('restores a thread that another window removed only for new user input, and then completely', async () => {
    const { files, store, logOf } = setUp();
    const thread = makeThread('a', 1);
    await logOf({ thread, about });
    await store.write('a', { about: { title: 'Mine', named: true } });
    files.contents.delete(FILE);
    assert.deepEqual(await logOf({ thread: { ...thread, chatId: 'c2' }, about }), []);
    assert.deepEqual(await logOf(draft('x')), [REPLACE]);
    const { meta, thread: restored } = (await store.read('a')).stored;
    assert.deepEqual([meta.title, restored.turns.length], ['Mine', 1]);
    files.contents.delete(FILE);
    store.forget('a');
    assert.deepEqual(await logOf({ thread, about }), [REPLACE], 'after it was closed');
  });
});

describe('a thread file without anything readable', () => {
  it('is an error, and set aside by whatever reads it first', async () => {
    for (const how of ['open', 'read', 'meta'] as const) {
      const { files, store, damage } = setUp();
      files.set(FILE, Buffer.from('{"version":3,"me\n'));
      await assert.rejects(store[how]('a'), { kind: 'damaged' });
      const [copy] = files.contents.keys();
      assert.match(copy!, /^a\.\d+\.damaged$/);
      assert.deepEqual([damage, files.contents.size], [[['a', copy]], 1]);
    }
  });
});

describe('the metadata of a thread file', () => {
  it('is read from its start, or as a whole if its first line is long', async () => {
    const { files, store, logOf } = setUp();
    await logOf({ thread: makeThread('a', 9), about });
    files.log.length = 0;
    assert.equal((await store.meta('a'))?.questions, 9);
    assert.deepEqual(files.log, [`start of ${FILE}`]);
    await store.write('a', { about: { title: 'x'.repeat(5000), named: true } });
    assert.equal((await store.meta('a'))?.title.length, 5000);
  });
});

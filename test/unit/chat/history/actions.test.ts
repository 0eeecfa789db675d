/** What the actions of the history do to its files, also while changes are not saved yet. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { HistoryError } from '../../../../src/chat/history/files/errors.ts';
import type { History } from '../../../../src/chat/history/history.ts';
import { importThread, threadJson } from '../../../../src/shared/text/threadJson.ts';
import { emptyThread } from '../../../../src/shared/thread/model.ts';
import { collect } from '../../../support/collect.ts';
import { memoryFiles } from './support/memoryFiles.ts';
import { about, ask, dispatch, historyOn, inFolder, makeThread, openFolder, saveNow } from './support/stores.ts';

const thread = makeThread('a', 1);

function setUp() {
  const files = memoryFiles();
  const { history } = historyOn(files);
  return { files, history, names: () => [...files.contents.keys()].sort() };
}
const idsOf = async (history: History): Promise<string[]> => (await history.list()).map(({ id }) => id);

describe('an action of the history', () => {
  const actions: [what: string, act: (history: History) => Promise<unknown>][] = [
    ['open', async (history) => (await history.open('a')).thread.turns.length],
    ['read', async (history) => (await history.read('a')).thread.turns.length],
    ['rename', async (history) => (await history.rename('a', 'Mine')).questions],
    ['pin', async (history) => (await history.pin('a', true)).questions],
    ['list', async (history) => (await history.list()).length],
    ['search', async (history) => (await collect(history.search('answer'))).length],
  ];
  for (const [what, act] of actions)
    it(`has the changes that are not saved yet: ${what}`, async () => {
      const { history } = setUp();
      history.save(thread, about);
      assert.equal(await act(history), 1);
    });

  it('fails for a thread that is not there', async () => {
    const { files, history } = setUp();
    for (const act of [
      ...[() => history.open('a'), () => history.read('a'), () => history.rename('a', 'x'), () => history.remove('a')],
      ...[() => history.pin('a', true), () => history.lockAnswer('a/b')],
    ])
      await assert.rejects(act);
    assert.deepEqual(files.contents.size, 0);
  });

  it('locks the answer of a thread under a name of its own', async () => {
    const { files, history } = setUp();
    await (
      await history.lockAnswer('a')
    )?.();
    assert.deepEqual(files.log, ['lock a.claim', 'unlock a.claim']);
  });
});

describe('an import', () => {
  it('has a thread of its own while others, and the exported one, are being saved', () =>
    inFolder(async (folder) => {
      const { history, errors } = await openFolder(folder);
      history.save(thread, about);
      const { meta, thread: exported } = await history.read('a');
      const text = threadJson(meta, exported, 0);
      history.save(makeThread('a', 3), about);
      history.save(makeThread('b', 1), about);
      const imports = ['one', 'two'].map((id) => importThread(text, id));
      await Promise.all(imports.map(({ thread, about }) => history.add(thread, about)));
      await history.flush();
      const found = new Map((await history.list()).map(({ id, questions }) => [id, questions]));
      assert.deepEqual(
        [found.size, ...['a', 'b', 'one', 'two'].map((id) => found.get(id)), errors],
        [4, 3, 1, 1, 1, []],
      );
      const { meta: added } = await (await openFolder(folder)).history.open('one');
      assert.deepEqual([added.readOnly, added.title, added.origin], [true, 'Question 0 of a?', about.origin]);
    }));
});

describe('clearing the history', () => {
  it('removes each thread under its lock: another window that appends to it would create the file again', async () => {
    const { files, history } = setUp();
    await saveNow(history, thread);
    files.set('a.claim.lock', new Uint8Array());
    files.log.length = 0;
    await history.clear();
    assert.deepEqual(files.log, ['lock a.json', 'remove a.json', 'unlock a.json'], 'and no lock');
  });
});

describe('a removed thread', () => {
  it('is restored with the changes and the draft that were not saved yet', async () => {
    const { history, names } = setUp();
    await saveNow(history, thread);
    history.save(makeThread('a', 2), about);
    history.saveDraft('a', { text: 'And then?', images: [] }, about);
    await (
      await history.remove('a')
    )();
    assert.deepEqual(names(), ['a.json']);
    const { thread: restored, draft } = await history.read('a');
    assert.deepEqual([restored.turns.length, draft.text], [2, 'And then?']);
  });

  it('is not saved again by changes that could not be saved before', async () => {
    const { files, history, names } = setUp();
    await saveNow(history, thread);
    const { replace } = files;
    files.replace = () => Promise.reject(new HistoryError('full'));
    history.save(makeThread('a', 2), about);
    await history.remove('a');
    files.replace = replace;
    await history.flush();
    assert.match(names().join(), /^a\.\d+\.deleted$/);
  });

  it('is restored with what another window has asked in it meanwhile', async () => {
    const { files, history, names } = setUp();
    await saveNow(history, thread);
    const undo = await history.remove('a');
    const other = historyOn(files).history;
    await saveNow(other, dispatch(emptyThread('a'), ask('later', 'Later?', 9000)));
    await undo();
    assert.deepEqual(names(), ['a.json']);
    assert.deepEqual(
      (await history.read('a')).thread.turns.map(({ id }) => id),
      ['0-message', 'later'],
    );
  });

  it('can’t be restored after the history was cleared', async () => {
    const { history, names } = setUp();
    await saveNow(history, thread);
    const undo = await history.remove('a');
    await history.clear();
    await assert.rejects(undo, { kind: 'notFound' });
    assert.deepEqual(names(), []);
  });

  it('can be saved as a new one', async () => {
    const { history } = setUp();
    await saveNow(history, thread);
    await history.remove('a');
    history.save(thread, about);
    assert.deepEqual(await idsOf(history), ['a']);
    await history.clear();
    history.save(thread, about);
    assert.deepEqual(await idsOf(history), ['a']);
  });
});

describe('a cleanup', () => {
  it('removes leftovers and the last threads beyond the limit, but no pinned ones, and later what it can’t yet', async () => {
    const { files, history } = setUp();
    for (const id of ['a', 'b', 'c', 'd', 'e']) await saveNow(history, makeThread(id, 1));
    for (const id of ['d', 'e']) await history.pin(id, true);
    const { remove } = files;
    files.set('held.tmp', new Uint8Array());
    files.set('old.tmp', new Uint8Array());
    files.remove = (name) => (/^(b|held)/.test(name) ? Promise.reject(new HistoryError('denied')) : remove(name));
    for (const [limit, left] of [
      [5, 'deabc'],
      [3, 'deab'],
      [1, 'deb'],
    ] as const) {
      await history.tidy(limit);
      assert.equal((await idsOf(history)).join(''), left);
    }
    assert.ok(files.contents.has('held.tmp') && !files.contents.has('old.tmp'));
    files.remove = remove;
    await history.tidy(0);
    assert.deepEqual([...files.contents.keys()], ['d.json', 'e.json']);
  });
});

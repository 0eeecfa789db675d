import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { describe, it } from 'mocha';
import type * as vscode from 'vscode';
import type { EditorFileSystem } from '../../../../../src/chat/history/files/browserFiles.ts';
import type { HistoryFiles } from '../../../../../src/chat/history/files/files.ts';
import { collect } from '../../../../support/collect.ts';
import { seeded } from '../../../../support/random.ts';
import { flat, withItems } from '../../../../support/item.ts';
import { about, historyOn, makeThread, plainly, saved, textItem, saveNow } from '../support/stores.ts';
import { Disk, filesOn, refusal } from '../support/editorDisk.ts';

/** Checks at compile time that VS Code's own types fit. */
export const fits = (fs: typeof vscode.workspace.fs): EditorFileSystem<vscode.Uri> => fs;

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('the history in a browser', () => {
  it('works like on other platforms', async () => {
    const disk = new Disk();
    const folder = 'memory:/all';
    const { history } = historyOn(filesOn(disk, folder));
    history.save(makeThread('a'), about);
    history.save(makeThread('b'), about);
    history.saveDraft('a', { text: 'typed', images: [] }, about);
    await history.flush();
    await history.rename('b', 'By hand');
    const undo = await history.remove('a');
    const next = historyOn(filesOn(disk, folder)).history;
    assert.deepEqual(
      (await next.list()).map(({ title }) => title),
      ['By hand'],
    );
    await undo();
    const stored = await next.open('a');
    assert.deepEqual(plainly(stored.thread), saved(makeThread('a')));
    assert.equal(stored.draft.text, 'typed');
    assert.equal((await collect(next.search('answer'))).length, 2);
    await next.clear();
    assert.deepEqual(await next.list(), []);
  });

  it('loses nothing saved, at whatever step the tab is closed', async () => {
    for (let dies = 1; ; dies += 1) {
      const disk = new Disk();
      const folder = `memory:/dies-${dies}`;
      const first = historyOn(filesOn(disk, folder)).history;
      await saveNow(first, makeThread('a', 2));
      await first.open('a');
      disk.steps = 0;
      disk.dies = dies;
      const { history, errors } = historyOn(filesOn(disk, folder));
      await saveNow(history, makeThread('a', 3));
      disk.dies = Infinity;
      const next = historyOn(filesOn(disk, folder));
      assert.equal((await next.history.list()).length, 1, `closed before step ${dies}`);
      const { thread } = await next.history.open('a');
      assert.ok([4, 6].includes(flat(thread).length));
      if (errors.length === 0) {
        assert.equal(flat(thread).length, 6);
        assert.ok(dies > 5, 'every step was tried');
        return;
      }
      await saveNow(next.history, makeThread('a', 4));
      assert.equal(flat((await historyOn(filesOn(disk, folder)).history.open('a')).thread).length, 8);
    }
  });

  it('lets two tabs save the same thread', async () => {
    const disk = new Disk();
    const tabs = [0, 1].map(() => historyOn(filesOn(disk, 'memory:/tabs')).history);
    const random = seeded(5);
    const base = makeThread('a', 1);
    const saves = tabs.map(async (history, tab) => {
      for (let at = 1; at <= 20; at += 1) {
        const own = Array.from({ length: at }, (_, n) => textItem(`${tab}-${n}`, { sort: n + 2 }));
        history.save(withItems(base, ...own), about);
        if (random() < 0.7 || at === 20) await history.flush();
      }
    });
    await Promise.all(saves);
    const { thread } = await historyOn(filesOn(disk, 'memory:/tabs')).history.open('a');
    assert.equal(flat(thread).length, 2 + 40);
  });

  it('is empty without its folder, and reports one that can’t be read or locked', async () => {
    const disk = new Disk();
    const files = filesOn(disk);
    disk.readDirectory = () => Promise.reject(refusal('FileNotFound'));
    assert.deepEqual(await files.list(), []);
    const refuse = (): Promise<never> => Promise.reject(refusal('NoPermissions'));
    Object.assign(disk, { readDirectory: refuse, stat: refuse, createDirectory: refuse });
    for (const work of [() => files.list(), () => files.stat('a.json'), () => files.lock('a.json', false)])
      await assert.rejects(work, { kind: 'denied' });
    const locks = mock.method(navigator.locks, 'request', () => Promise.reject(refusal('Unavailable')));
    await assert.rejects(filesOn(new Disk()).lock('a.json', true), { kind: 'busy' });
    locks.mock.restore();
  });

  it('has the size and time of a file after each write', async () => {
    const files = filesOn(new Disk());
    const info = await files.replace('a', [bytes('xyz')]);
    assert.deepEqual([info.name, info.size, await files.stat('a')], ['a', 3, info]);
    assert.deepEqual([await files.read('a'), await files.read('a', 2)], [bytes('xyz'), bytes('xy')]);
  });

  it('waits for a lock, or says that another tab has it', async () => {
    const [one, two] = [filesOn(new Disk(), 'memory:/locks'), filesOn(new Disk(), 'memory:/locks')];
    const release = await one.lock('a.json', true);
    assert.equal(await two.lock('a.json', false), undefined);
    const other = await two.lock('b.json', false);
    assert.ok(other, 'another thread');
    await other();
    let isHeld = false;
    const waiting = two.lock('a.json', true).then((held) => {
      isHeld = true;
      return held;
    });
    await new Promise(setImmediate);
    assert.equal(isHeld, false);
    await release?.();
    await (
      await waiting
    )?.();
  });
});

describe('the temporary file of an interrupted save in a browser', () => {
  const [old, next] = [1, 2].map((version) => bytes(`{"version":${version},\n"turns":[\n{}\n]}\n`)) as [
    Uint8Array,
    Uint8Array,
  ];
  const [FILE, TEMPORARY] = ['memory:/left/a.json', 'memory:/left/a.json.tmp'];
  const left = (file: Uint8Array | undefined, temporary: Uint8Array | undefined): [Disk, HistoryFiles] => {
    const disk = new Disk();
    if (file) disk.files.set(FILE, { content: file, mtime: 1 });
    if (temporary) disk.files.set(TEMPORARY, { content: temporary, mtime: 2 });
    return [disk, filesOn(disk, 'memory:/left')];
  };
  const cut = next.subarray(0, 9);

  for (const [what, file, temporary, found] of [
    ['is ignored while it is written', old, cut, old],
    ['is read while the file is written', cut, next, next],
    ['is read before the file is written the first time', undefined, next, next],
    ['is ignored once the file is complete', next, old, next],
    ['does not hide that a file is damaged', cut, undefined, cut],
  ] as const)
    it(what, async () => {
      const [disk, files] = left(file, temporary);
      assert.deepEqual([(await files.list()).map(({ name }) => name), await files.read('a.json')], [['a.json'], found]);
      assert.equal(await files.rename('a.json', 'b.json'), true);
      assert.deepEqual([[...disk.files.keys()], await files.read('b.json')], [['memory:/left/b.json'], found]);
    });

  it('is not missed if another tab completes the file and removes it while both are read', async () => {
    const [disk, files] = left(cut, next);
    const read = disk.readFile.bind(disk);
    disk.readFile = async (uri) => {
      if (uri === TEMPORARY) disk.files.set(FILE, { content: next, mtime: 3 });
      if (uri === TEMPORARY) disk.files.delete(TEMPORARY);
      return read(uri);
    };
    assert.deepEqual(await files.read('a.json'), next);
  });

  it('is removed with the thread, or with nothing', async () => {
    const [disk, files] = left(old, next);
    await files.remove('a.json');
    assert.deepEqual([[...disk.files], await files.rename('a.json', 'b.json')], [[], false]);
    await assert.rejects(files.read('a.json'), { kind: 'notFound' });
  });
});

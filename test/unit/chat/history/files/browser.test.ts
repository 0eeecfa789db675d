import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { describe, it } from 'mocha';
import type * as vscode from 'vscode';
import type { EditorFileSystem } from '../../../../../src/chat/history/files/browserFiles.ts';
import { joined, type HistoryFiles } from '../../../../../src/chat/history/files/files.ts';
import { encodeRecord } from '../../../../../src/chat/history/format/records.ts';
import { headOf, metaOf } from '../../../../../src/chat/history/merge.ts';
import { emptyThread } from '../../../../../src/shared/thread/model.ts';
import { collect } from '../../../../support/collect.ts';
import { seeded } from '../../../../support/random.ts';
import { flat, withItems } from '../../../../support/item.ts';
import { about, historyOn, makeThread, plainly, saved, textItem } from '../support/stores.ts';
import { Disk, filesOn, refusal } from '../support/editorDisk.ts';

/** Checks at compile time that VS Code's own types fit. */
export const fits = (fs: typeof vscode.workspace.fs): EditorFileSystem<vscode.Uri> => fs;

const head = encodeRecord(headOf(emptyThread('a'), metaOf(emptyThread('a'), 1)));
const corrupt = new TextEncoder().encode('\n{"kind":"mess\n');

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
    const release = await history.lockAnswer('a');
    assert.equal(await next.lockAnswer('a'), undefined);
    await release?.();
    await (
      await next.lockAnswer('a')
    )?.();
    await next.clear();
    assert.deepEqual(await next.list(), []);
  });

  it('loses nothing saved, at whatever step the tab is closed', async () => {
    for (let dies = 1; ; dies += 1) {
      const disk = new Disk();
      const folder = `memory:/dies-${dies}`;
      const first = historyOn(filesOn(disk, folder)).history;
      first.save(makeThread('a', 2), about);
      await first.flush();
      await first.open('a');
      disk.steps = 0;
      disk.dies = dies;
      const { history, errors } = historyOn(filesOn(disk, folder));
      history.save(makeThread('a', 3), about);
      await history.flush();
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
      next.history.save(makeThread('a', 4), about);
      await next.history.flush();
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
    for (const work of [() => files.list(), () => files.stat('a.ndjson'), () => files.lock('a.ndjson', false)])
      await assert.rejects(work, { kind: 'denied' });
    const locks = mock.method(navigator.locks, 'request', () => Promise.reject(refusal('Unavailable')));
    await assert.rejects(filesOn(new Disk()).lock('a.ndjson', true), { kind: 'busy' });
    locks.mock.restore();
  });

  it('has the size and time of a file after each write', async () => {
    const files = filesOn(new Disk());
    const write = (text: string): Uint8Array => new TextEncoder().encode(text);
    const infos = [await files.replace('a', ['x', 'yz'].map(write)), await files.append('a', write('!'))];
    assert.deepEqual(
      infos.map(({ name, size }) => [name, size]),
      [
        ['a', 3],
        ['a', 4],
      ],
    );
    assert.deepEqual(await files.stat('a'), infos[1]);
    await files.copy('a', 'b');
    assert.deepEqual(await collect(files.read('b', 1)), [write('yz!')]);
  });

  it('waits for a lock, or says that another tab has it', async () => {
    const [one, two] = [filesOn(new Disk(), 'memory:/locks'), filesOn(new Disk(), 'memory:/locks')];
    const release = await one.lock('a.ndjson', true);
    assert.equal(await two.lock('a.ndjson', false), undefined);
    const other = await two.lock('b.ndjson', false);
    assert.ok(other, 'another thread');
    await other();
    let isHeld = false;
    const waiting = two.lock('a.ndjson', true).then((held) => {
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

  for (const [failure, kind] of [
    [refusal('NoPermissions'), 'denied'],
    [Object.assign(new Error('x'), { name: 'QuotaExceededError' }), 'full'],
    [new Error('The current transaction exceeded its quota limitations.'), 'full'],
    [refusal('Unavailable'), 'busy'],
  ] as const)
    it(`reports an error: ${failure.message} is ${kind}`, async () => {
      const disk = new Disk();
      const { history, errors } = historyOn(filesOn(disk));
      disk.refuses = failure;
      history.save(makeThread('a'), about);
      await history.flush();
      assert.deepEqual(
        errors.map(({ error }) => error.kind),
        [kind],
      );
      disk.refuses = undefined;
      await history.flush();
      assert.equal((await history.list()).length, 1);
    });
});

describe('the temporary file of an interrupted save in a browser', () => {
  const complete = joined([encodeRecord({ kind: 'later' }), head]);
  const leftOn = (content: Uint8Array): [Disk, HistoryFiles] => {
    const disk = new Disk();
    disk.files.set('memory:/left/a.ndjson.tmp', { content, mtime: 5 });
    return [disk, filesOn(disk, 'memory:/left')];
  };

  for (const [what, content, isRestored] of [
    ['is complete', complete, true],
    ['is complete, with a line that was corrupt before', joined([corrupt, complete]), true],
    ['lacks its end', complete.subarray(0, -9), false],
    ['lacks its last record', complete.subarray(0, -head.length), false],
    ['is empty', new Uint8Array(), false],
  ] as const)
    it(`is ${isRestored ? 'restored' : 'ignored'} if it ${what}`, async () => {
      const name = 'a.ndjson';
      const info = { name, size: content.length, mtime: 1 };
      const [, listed] = leftOn(content);
      const found = (await listed.list()).find((file) => file.name === name);
      assert.deepEqual(found, isRestored ? info : undefined);
      const [disk, files] = leftOn(content);
      assert.deepEqual(await files.stat(name), isRestored ? info : undefined);
      assert.deepEqual([...disk.files.keys()], [`memory:/left/${isRestored ? 'a.ndjson' : 'a.ndjson.tmp'}`]);
      const [, read] = leftOn(content);
      if (isRestored) assert.deepEqual(await collect(read.read(name, 3)), [content.subarray(3)]);
      else await assert.rejects(collect(read.read(name)), { kind: 'notFound' });
    });

  it('is not missed or in the way while another tab renames it', async () => {
    const name = 'a.ndjson';
    const info = { name, size: complete.length, mtime: 5 };
    /** @param step the operation before which the other tab renames the file, and how it then fails */
    const racing = (step: 'readFile' | 'rename', code: string): HistoryFiles => {
      const [disk, files] = leftOn(complete);
      const before = disk[step].bind(disk) as (...args: never[]) => Promise<unknown>;
      const race = (...args: never[]): Promise<unknown> => {
        const left = disk.files.get('memory:/left/a.ndjson.tmp');
        if (left === undefined) return before(...args);
        disk.files.set('memory:/left/a.ndjson', left);
        disk.files.delete('memory:/left/a.ndjson.tmp');
        return Promise.reject(refusal(code));
      };
      Object.assign(disk, { [step]: race });
      return files;
    };
    for (const [step, code] of [
      ['readFile', 'FileNotFound'],
      ['rename', 'FileExists'],
      ['rename', 'FileNotFound'],
    ] as const) {
      assert.deepEqual(await racing(step, code).stat(name), info, `${step} ${code}`);
      assert.deepEqual(await collect(racing(step, code).read(name)), [complete], `${step} ${code}`);
    }
    assert.equal((await racing('rename', 'FileNotFound').replace(name, [head])).size, head.length);
  });

  it('is not restored after the thread was removed or renamed', async () => {
    for (const act of [
      (files: HistoryFiles) => files.remove('a.ndjson'),
      (files: HistoryFiles) => files.rename('a.ndjson', 'b.ndjson'),
    ]) {
      const [disk, files] = leftOn(complete);
      disk.files.set('memory:/left/a.ndjson', { content: head, mtime: 9 });
      await act(files);
      assert.equal(await files.stat('a.ndjson'), undefined);
      assert.ok(!disk.files.has('memory:/left/a.ndjson.tmp'));
    }
    const [, files] = leftOn(new Uint8Array());
    assert.equal(await files.rename('a.ndjson', 'b.ndjson'), false);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type * as vscode from 'vscode';
import { browserFiles, type EditorFileSystem } from '../../../../../src/chat/history/files/browserFiles.ts';
import type { HistoryFiles } from '../../../../../src/chat/history/files/files.ts';
import { collect } from '../../../../support/collect.ts';
import { seeded } from '../../../../support/random.ts';
import { flat, withItems } from '../../../../support/item.ts';
import { about, historyOn, makeThread, plainly, saved, textItem } from '../support/stores.ts';

/** Checks at compile time that VS Code's own types fit. */
export const fits = (fs: typeof vscode.workspace.fs): EditorFileSystem<vscode.Uri> => fs;

const refusal = (code: string): Error => Object.assign(new Error(code), { code });

/**
 * VS Code's file system in browsers, in memory: a write truncates its file first, and a rename deletes its target
 * first. `steps` counts the operations; before step `dies`, the tab is closed.
 */
class Disk implements EditorFileSystem<string> {
  readonly files = new Map<string, { content: Uint8Array; mtime: number }>();
  steps = 0;
  dies = Infinity;
  refuses: Error | undefined;
  #time = 0;

  #step(): void {
    this.steps += 1;
    if (this.steps >= this.dies) throw new Error('the tab is gone');
  }

  #set(uri: string, content: Uint8Array): void {
    this.files.set(uri, { content, mtime: (this.#time += 1) });
  }

  #get(uri: string): { content: Uint8Array; mtime: number } {
    const file = this.files.get(uri);
    if (file === undefined) throw refusal('FileNotFound');
    return file;
  }

  async readFile(uri: string): Promise<Uint8Array> {
    return this.#get(uri).content;
  }

  async writeFile(uri: string, content: Uint8Array): Promise<void> {
    if (this.refuses) throw this.refuses;
    for (const part of [0, content.length >> 1, content.length]) {
      this.#step();
      this.#set(uri, content.slice(0, part));
    }
  }

  async readDirectory(): Promise<[string, number][]> {
    return [...this.files.keys()].map((uri) => [uri.split('/').at(-1)!, 1]);
  }

  async delete(uri: string): Promise<void> {
    this.#get(uri);
    this.#step();
    this.files.delete(uri);
  }

  async rename(source: string, target: string, { overwrite = false } = {}): Promise<void> {
    const { content } = this.#get(source);
    if (!overwrite && this.files.has(target)) throw refusal('FileExists');
    this.#step();
    this.files.delete(target);
    this.#step();
    this.files.delete(source);
    this.#set(target, content);
  }

  async createDirectory(): Promise<void> {}

  async stat(uri: string): Promise<{ size: number; mtime: number }> {
    const { content, mtime } = this.#get(uri);
    return { size: content.length, mtime };
  }
}

let folders = 0;
const filesOn = (disk: Disk, folder = `memory:/${(folders += 1)}`): HistoryFiles =>
  browserFiles(disk, folder, (parent, name) => `${parent}/${name}`);

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

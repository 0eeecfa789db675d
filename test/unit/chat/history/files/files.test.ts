/** The files of the history: their names, and how they are read and written on a disk. */
import assert from 'node:assert/strict';
import { promises } from 'node:fs';
import * as fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { mock } from 'node:test';
import { afterEach, describe, it } from 'mocha';
import { fileOf, LOG, threadOf } from '../../../../../src/chat/history/files/files.ts';
import { nodeFiles } from '../../../../../src/chat/history/files/nodeFiles.ts';
import { inFolder } from '../support/stores.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (content: Uint8Array): string => new TextDecoder().decode(content);

describe('the file of a thread', () => {
  it('is named after the thread, if the name is valid on every system', () => {
    for (const id of ['a', 'A-1_b', 'x'.repeat(100)]) {
      assert.equal(fileOf(id), `${id}.json`);
      assert.equal(threadOf(`${id}.json`), id);
    }
    for (const id of ['', '..', 'a/b', 'a.b', 'a b', 'é', 'x'.repeat(101), 'a\n']) {
      assert.throws(() => fileOf(id), RangeError, id);
      assert.equal(threadOf(`${id}.json`), undefined, id);
    }
    for (const name of ['a', 'a.json.lock', 'a.ndjson', 'index.cache']) assert.equal(threadOf(name), undefined, name);
    assert.equal(threadOf('a.ndjson', LOG), 'a');
  });
});

describe('a file on a disk', () => {
  afterEach(() => {
    mock.restoreAll();
    syncBuiltinESMExports();
  });

  it('is replaced and read, and readable by its owner only', () =>
    inFolder(async (folder) => {
      const files = await nodeFiles(folder);
      await files.replace('a', [bytes('old')]);
      const replaced = await files.replace('a', [bytes('xyz')]);
      assert.deepEqual(replaced, { name: 'a', size: 3, mtime: (await fs.stat(join(folder, 'a'))).mtimeMs });
      assert.deepEqual([await files.stat('a'), await files.list()], [replaced, [replaced]]);
      assert.equal(text(await files.read('a')), 'xyz');
      for (const [length, start] of [
        [2, 'xy'],
        [9, 'xyz'],
      ] as const)
        assert.equal(text(await files.read('a', length)), start);
      const release = await files.lock('a', false);
      for (const name of process.platform === 'win32' ? [] : ['a', 'a.lock'])
        assert.equal((await fs.stat(join(folder, name))).mode & 0o777, 0o600, name);
      await release?.();
      assert.deepEqual(await fs.readdir(folder), ['a']);
    }));

  it('that can’t be replaced leaves no temporary file', () =>
    inFolder(async (folder) => {
      const files = await nodeFiles(folder);
      await fs.mkdir(join(folder, 'a'));
      await fs.writeFile(join(folder, 'a', 'x'), '');
      await assert.rejects(files.replace('a', [bytes('x')]), { name: 'HistoryError' });
      assert.deepEqual(await fs.readdir(folder), ['a']);
    }));

  it('is removed and renamed if it exists', () =>
    inFolder(async (folder) => {
      const files = await nodeFiles(folder);
      await files.remove('a');
      assert.equal(await files.rename('a', 'b'), false);
      await files.replace('a', [bytes('new')]);
      await files.replace('b', [bytes('old')]);
      assert.equal(await files.rename('a', 'b'), true);
      assert.equal(await fs.readFile(join(folder, 'b'), 'utf8'), 'new');
      await files.remove('b');
      assert.deepEqual(await files.list(), []);
      for (const length of [undefined, 1]) await assert.rejects(files.read('b', length), { kind: 'notFound' });
    }));

  it('can be locked once, in a folder that is created for it', () =>
    inFolder(async (folder) => {
      const files = await nodeFiles(join(folder, 'deep', 'inside'));
      assert.deepEqual(
        [await files.list(), await files.stat('a'), await files.rename('a', 'b')],
        [[], undefined, false],
      );
      const release = await files.lock('a', false);
      assert.ok(release);
      assert.equal(await files.lock('a', false), undefined);
      await release();
      const again = await files.lock('a', false);
      await again?.();
      assert.ok(again);
    }));

  it('that is a folder, or in a file, can’t be read, listed, renamed or locked', () =>
    inFolder(async (folder) => {
      await fs.mkdir(join(folder, 'a'));
      await fs.writeFile(join(folder, 'b'), '');
      await assert.rejects((await nodeFiles(folder)).read('a'), { name: 'HistoryError' });
      const files = await nodeFiles(join(folder, 'b'));
      for (const work of [() => files.lock('a', false), () => files.list(), () => files.stat('a')])
        await assert.rejects(work, { name: 'HistoryError' });
      await assert.rejects(files.rename('a', 'b'), { name: 'HistoryError' });
    }));

  it('that is gone when it is listed is not in the list', () =>
    inFolder(async (folder) => {
      mock.method(promises, 'readdir', () => Promise.resolve(['gone', 'a']));
      syncBuiltinESMExports();
      await fs.writeFile(join(folder, 'a'), 'x');
      assert.deepEqual(
        (await (await nodeFiles(folder)).list()).map(({ name }) => name),
        ['a'],
      );
    }));

  it('is on the disk before it replaces another, as soon as that is not in use', () =>
    inFolder(async (folder) => {
      const log: string[] = [];
      const { open: opening, rename: renaming } = fs;
      mock.method(promises, 'open', async (...args: Parameters<typeof fs.open>) => {
        const handle = await opening(...args);
        const sync = handle.sync.bind(handle);
        handle.sync = () => sync().then(() => void log.push('sync'));
        return handle;
      });
      mock.method(promises, 'rename', (...args: Parameters<typeof fs.rename>) => {
        log.push('rename');
        return log.length < 3 ? Promise.reject(Object.assign(new Error(), { code: 'EPERM' })) : renaming(...args);
      });
      syncBuiltinESMExports();
      const files = await nodeFiles(folder);
      await files.replace('a', [bytes('x')]);
      assert.deepEqual(log, ['sync', 'rename', 'rename']);
    }));
});

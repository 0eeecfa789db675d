/** The files of the history: their names, and how they are read and written on a disk. */
import assert from 'node:assert/strict';
import { promises } from 'node:fs';
import * as fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { mock } from 'node:test';
import { describe, it } from 'mocha';
import { allBytes, fileOf, joined, threadOf } from '../../../../../src/chat/history/files/files.ts';
import { nodeFiles } from '../../../../../src/chat/history/files/nodeFiles.ts';
import { collect } from '../../../../support/collect.ts';
import { inFolder } from '../support/stores.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (content: Uint8Array): string => new TextDecoder().decode(content);

describe('the file of a thread', () => {
  it('is named after the thread, if the name is valid on every system', () => {
    for (const id of ['a', 'A-1_b', 'x'.repeat(100)]) {
      assert.equal(fileOf(id), `${id}.ndjson`);
      assert.equal(threadOf(`${id}.ndjson`), id);
    }
    for (const id of ['', '..', 'a/b', 'a.b', 'a b', 'é', 'x'.repeat(101), 'a\n']) {
      assert.throws(() => fileOf(id), RangeError, id);
      assert.equal(threadOf(`${id}.ndjson`), undefined, id);
    }
    for (const name of ['a', 'a.ndjson.lock', 'a.json', 'index.cache']) assert.equal(threadOf(name), undefined, name);
  });

  it('is the concatenation of its chunks', async () => {
    const parts = ['a', '', 'bc'].map(bytes);
    assert.equal(text(joined(parts)), 'abc');
    assert.equal(joined([parts[2]!]), parts[2]);
    assert.equal(joined([]).length, 0);
    async function* chunks(): AsyncGenerator<Uint8Array> {
      yield* parts;
    }
    assert.equal(text(await allBytes(chunks())), 'abc');
  });
});

describe('a file on a disk', () => {
  it('is read from an offset, in chunks of four megabytes', () =>
    inFolder(async (folder) => {
      const files = await nodeFiles(folder);
      const mega = 1024 * 1024;
      await fs.writeFile(join(folder, 'a'), Buffer.alloc(9 * mega, 'x'));
      const sizes = async (from?: number): Promise<number[]> =>
        (await collect(files.read('a', from))).map(({ length }) => length / mega);
      assert.deepEqual(await sizes(), [4, 4, 1]);
      assert.deepEqual(await sizes(8 * mega), [1]);
      assert.deepEqual(await sizes(9 * mega), []);
      await fs.writeFile(join(folder, 'b'), 'abc');
      assert.equal(text(await allBytes(files.read('b', 1))), 'bc');
    }));

  it('is appended to and replaced, and readable by its owner only', () =>
    inFolder(async (folder) => {
      const files = await nodeFiles(folder);
      const appended = await files.append('a', bytes('one'));
      assert.deepEqual([appended.name, appended.size], ['a', 3]);
      assert.equal((await files.append('a', bytes('two'))).size, 6);
      const replaced = await files.replace('b', ['x', 'yz'].map(bytes));
      assert.deepEqual(replaced, { name: 'b', size: 3, mtime: (await fs.stat(join(folder, 'b'))).mtimeMs });
      await files.copy('a', 'b');
      assert.deepEqual(
        await files.stat('b'),
        (await files.list()).find(({ name }) => name === 'b'),
      );
      const release = await files.lock('a', false);
      for (const name of ['a', 'b', 'a.lock']) {
        if (name !== 'a.lock') assert.equal(await fs.readFile(join(folder, name), 'utf8'), 'onetwo');
        if (process.platform !== 'win32') assert.equal((await fs.stat(join(folder, name))).mode & 0o777, 0o600, name);
      }
      await release?.();
      assert.deepEqual((await fs.readdir(folder)).sort(), ['a', 'b']);
    }));

  it('that can’t be replaced leaves no temporary file', () =>
    inFolder(async (folder) => {
      const files = await nodeFiles(folder);
      await fs.mkdir(join(folder, 'a'));
      await fs.writeFile(join(folder, 'a', 'x'), '');
      await assert.rejects(files.replace('a', [bytes('x')]), { name: 'HistoryError' });
      await assert.rejects(files.copy('missing', 'b'), { kind: 'notFound' });
      assert.deepEqual(await fs.readdir(folder), ['a']);
    }));

  it('is removed and renamed if it exists', () =>
    inFolder(async (folder) => {
      const files = await nodeFiles(folder);
      await files.remove('a');
      assert.equal(await files.rename('a', 'b'), false);
      await files.append('a', bytes('new'));
      await files.append('b', bytes('old'));
      assert.equal(await files.rename('a', 'b'), true);
      assert.equal(await fs.readFile(join(folder, 'b'), 'utf8'), 'new');
      await files.remove('b');
      assert.deepEqual(await files.list(), []);
      await assert.rejects(collect(files.read('b')), { kind: 'notFound' });
    }));

  it('can be locked once, in a folder that is created for it', () =>
    inFolder(async (folder) => {
      const files = await nodeFiles(join(folder, 'deep', 'inside'));
      const release = await files.lock('a', false);
      assert.ok(release);
      assert.equal(await files.lock('a', false), undefined);
      await release();
      const again = await files.lock('a', false);
      await again?.();
      assert.ok(again);
    }));

  it('is read as it was when reading began, or up to its new end', () =>
    inFolder(async (folder) => {
      const files = await nodeFiles(folder);
      const mega = 1024 * 1024;
      for (const [to, expected] of [
        [9, [4, 2]],
        [5, [4, 1]],
        [4, [4]],
      ] as const) {
        await fs.writeFile(join(folder, 'a'), Buffer.alloc(6 * mega, 'x'));
        const sizes: number[] = [];
        for await (const { length } of files.read('a')) {
          sizes.push(length / mega);
          if (to > 6) await fs.appendFile(join(folder, 'a'), Buffer.alloc(3 * mega));
          else await fs.truncate(join(folder, 'a'), to * mega);
        }
        assert.deepEqual(sizes, expected, `${to} MB`);
      }
    }));

  it('that is a folder, or in a file, can’t be read or locked', () =>
    inFolder(async (folder) => {
      await fs.mkdir(join(folder, 'a'));
      await fs.writeFile(join(folder, 'b'), '');
      await assert.rejects(collect((await nodeFiles(folder)).read('a')), { name: 'HistoryError' });
      await assert.rejects((await nodeFiles(folder)).append('a', bytes('x')), { name: 'HistoryError' });
      await assert.rejects((await nodeFiles(join(folder, 'b'))).lock('a', false), { name: 'HistoryError' });
    }));

  it('that is gone when it is listed is not in the list', () =>
    inFolder(async (folder) => {
      const readdir = mock.method(promises, 'readdir', () => Promise.resolve(['gone', 'a']));
      syncBuiltinESMExports();
      try {
        const files = await nodeFiles(folder);
        await fs.writeFile(join(folder, 'a'), 'x');
        assert.deepEqual(
          (await files.list()).map(({ name }) => name),
          ['a'],
        );
      } finally {
        readdir.mock.restore();
        syncBuiltinESMExports();
      }
    }));

  for (const canSync of process.platform === 'win32' ? [false] : [false, true])
    it(`is on the disk before it replaces another, ${canSync ? 'and its folder after that' : 'also if folders can’t be synced'}`, () =>
      inFolder(async (folder) => {
        const log: string[] = [];
        const opening = fs.open;
        const renaming = fs.rename;
        const open = mock.method(promises, 'open', async (...args: Parameters<typeof fs.open>) => {
          const name = String(args[0]) === folder ? 'folder' : 'file';
          if (name === 'folder' && !canSync) throw new Error('no handles of folders');
          const handle = await opening(...args);
          for (const method of ['sync', 'datasync', 'close'] as const) {
            const original = handle[method].bind(handle);
            handle[method] = () => {
              log.push(`${method} ${name}`);
              return original();
            };
          }
          return handle;
        });
        const rename = mock.method(promises, 'rename', (...args: Parameters<typeof fs.rename>) => {
          log.push('rename');
          return renaming(...args);
        });
        syncBuiltinESMExports();
        try {
          const files = await nodeFiles(folder);
          await files.replace('a', [bytes('x')]);
          const onFolder = canSync ? ['sync folder', 'close folder'] : [];
          assert.deepEqual(log.splice(0), ['sync file', 'close file', 'rename', ...onFolder]);
          await files.append('a', bytes('y'));
          assert.deepEqual(log.splice(0), ['datasync file', 'close file']);
          await files.rename('a', 'b');
          assert.deepEqual(log.splice(0), ['rename', ...onFolder]);
          await collect(files.read('b'));
          assert.deepEqual(log, ['close file']);
        } finally {
          open.mock.restore();
          rename.mock.restore();
          syncBuiltinESMExports();
        }
      }));
});

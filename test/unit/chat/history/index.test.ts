import assert from 'node:assert/strict';
import { readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { about, faulty, historyOn, inFolder, makeThread, openFolder } from './support/stores.ts';
import { nodeFiles } from '../../../../src/chat/history/files/nodeFiles.ts';
import { runs } from '../../../support/runs.ts';

const RUNS = runs(40, 1000);

describe('the history index', () => {
  it('yields the same list in any state', () =>
    inFolder(async (folder) => {
      const first = await openFolder(folder);
      for (let at = 0; at < 6; at += 1) first.history.save(makeThread(`t${at}`, at + 1), about);
      await first.history.flush();
      const truth = await first.history.list();
      const index = join(folder, 'index.cache');
      const good = await readFile(index);
      first.history.save(makeThread('t6', 2), about);
      await first.history.flush();
      await rm(index);
      const wanted = await (await openFolder(folder)).history.list();
      assert.equal(wanted.length, truth.length + 1);

      const spoil = fc.oneof(
        fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes)),
        fc.nat(good.length).map((end) => good.subarray(0, end)),
        fc.constant(good),
        fc.constant(Buffer.concat([good, good])),
        fc.jsonValue().map((value) => Buffer.from(JSON.stringify({ threads: value }))),
      );
      await fc.assert(
        fc.asyncProperty(spoil, async (bytes) => {
          await writeFile(index, bytes);
          const { history } = await openFolder(folder);
          assert.deepEqual(await history.list(), wanted);
          assert.deepEqual(await history.list(), wanted);
        }),
        { numRuns: RUNS },
      );
    }));

  it('detects what other windows have written, deleted and rewritten', () =>
    inFolder(async (folder) => {
      const [one, two] = [await openFolder(folder), await openFolder(folder)];
      for (const id of ['a', 'b', 'c']) one.history.save(makeThread(id), about);
      await one.history.flush();
      await one.history.list();
      await two.history.rename('a', 'By hand');
      await two.history.remove('b');
      const titles = (await one.history.list()).map(({ id, title }) => [id, title]).sort();
      assert.deepEqual(titles, [
        ['a', 'By hand'],
        ['c', 'Question 0 of c?'],
      ]);
    }));

  it('is optional: a read-only folder has a list', () =>
    inFolder(async (folder) => {
      const { history } = await openFolder(folder);
      history.save(makeThread('a'), about);
      await history.flush();
      const [files, fault] = faulty(await nodeFiles(folder), 'replace');
      fault.code = 'EROFS';
      assert.equal((await historyOn(files).history.list()).length, 1);
    }));

  it('is not written by a save', () =>
    inFolder(async (folder) => {
      const { history } = await openFolder(folder);
      history.save(makeThread('a'), about);
      await history.flush();
      await history.list();
      const index = join(folder, 'index.cache');
      await utimes(index, 1, 1);
      history.save(makeThread('a', 3), about);
      await history.flush();
      assert.equal((await stat(index)).mtimeMs, 1000);
    }));
});

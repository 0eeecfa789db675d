import assert from 'node:assert/strict';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import type { Item } from '../../../src/shared/thread/model.ts';
import { seeded } from '../../support/random.ts';
import { about, inFolder, makeThread, openFolder, plainly, saved, type Seen } from './support.ts';

/** In CI a sample; `HISTORY_CUTS=all` and `HISTORY_FLIPS=10000` for the whole. */
const FLIPS = Number(process.env.HISTORY_FLIPS ?? 500);
const CUTS = process.env.HISTORY_CUTS ?? '200';

const thread = makeThread('a', 6);
const contents = (items: readonly Item[]): string[] => items.map(({ id, content }) => `${id}: ${content}`);

/** A file as several saves leave it. */
async function makeFile(folder: string): Promise<Buffer> {
  const { history } = await openFolder(folder);
  for (const length of [2, 4, 9, 12]) {
    history.save({ ...thread, items: thread.items.slice(0, length) }, about);
    await history.flush();
  }
  return readFile(join(folder, 'a.ndjson'));
}

async function fresh(folder: string, bytes: Uint8Array): Promise<Seen> {
  for (const name of await readdir(folder)) await rm(join(folder, name));
  await writeFile(join(folder, 'a.ndjson'), bytes);
  return openFolder(folder);
}

const isWhole = (line: string): boolean =>
  /^\w+ \w+ /.test(line) &&
  Buffer.byteLength(line.slice(9).replace(/^\w+ /, '')) === Number.parseInt(line.slice(9), 16);

const damaged = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => name.endsWith('.damaged'));

describe('history: damaged files', function () {
  this.timeout(600_000);

  it('cut off anywhere: the list opens, and with it every record before the cut', () =>
    inFolder(async (folder) => {
      const whole = await makeFile(folder);
      const random = seeded(1);
      const all = Array.from({ length: whole.length }, (_, at) => at);
      const cuts =
        CUTS === 'all' ? all : [0, 1, ...all.slice(-3), ...all.filter(() => random() < Number(CUTS) / all.length)];
      for (const cut of cuts) {
        const { history, damage } = await fresh(folder, whole.subarray(0, cut));
        const list = await history.list();
        const before = whole.subarray(0, cut).toString();
        const records = before.split('\n').filter(isWhole);
        if (records.length === 0) {
          assert.deepEqual(list, []);
          await assert.rejects(history.open('a'));
          assert.equal(damage.length, 1, `cut at ${cut}`);
          assert.deepEqual(await readFile(join(folder, damage[0]!.copy!)), whole.subarray(0, cut));
          continue;
        }
        const expected = [...new Set(records.flatMap((line) => /"item":\{"id":"([^"]+)"/.exec(line)?.[1] ?? []))];
        const { thread: got } = await history.open('a');
        assert.deepEqual(
          got.items.map(({ id }) => id),
          expected,
          `cut at ${cut}`,
        );
        assert.equal(list.length, 1);
        assert.deepEqual(damage, [], 'a torn end is no damage');
      }
    }));

  it('with a flipped bit: damage is set aside and told, all else is kept, and the file is whole again', () =>
    inFolder(async (folder) => {
      const whole = await makeFile(folder);
      const random = seeded(2);
      let told = 0;
      for (let round = 0; round < FLIPS; round += 1) {
        const bit = Math.floor(random() * whole.length * 8);
        const bytes = Uint8Array.from(whole);
        bytes[bit >> 3]! ^= 1 << (bit & 7);
        const { history, damage } = await fresh(folder, bytes);
        assert.equal((await history.list()).length, 1, `bit ${bit}: listed`);
        const { thread: got, meta } = await history.open('a');
        const missing = contents(thread.items).filter((text) => !contents(got.items).includes(text));
        assert.ok(missing.length <= 1, `bit ${bit} cost ${missing.length} items`);
        assert.equal(meta.origin, about.origin);
        if (missing.length > 0) assert.ok(damage.length > 0, `bit ${bit}: silent loss`);
        told += damage.length;
        for (const { copy, threadId } of damage) {
          assert.equal(threadId, 'a');
          assert.deepEqual(Uint8Array.from(await readFile(join(folder, copy!))), bytes, 'the copy is as it was found');
        }
        if (damage.length === 0) continue;
        const again = await openFolder(folder);
        assert.deepEqual(plainly((await again.history.open('a')).thread), plainly(got));
        assert.deepEqual(again.damage, [], 'mended once and for all');
      }
      assert.ok(told > FLIPS / 2, `${told} of ${FLIPS} told`);
    }));

  it('one unreadable thread: the others are listed and open', () =>
    inFolder(async (folder) => {
      const { history } = await openFolder(folder);
      for (const id of ['a', 'b', 'c']) history.save(makeThread(id), about);
      await history.flush();
      await writeFile(join(folder, 'b.ndjson'), 'not a record at all\n'.repeat(50));
      const next = await openFolder(folder);
      assert.deepEqual((await next.history.list()).map(({ id }) => id).sort(), ['a', 'c']);
      assert.equal(next.damage.length, 1);
      assert.equal((await damaged(folder)).length, 1);
      assert.deepEqual(plainly((await next.history.open('c')).thread), saved(makeThread('c')));
    }));

  it('found by a save: nothing that is held in memory is lost', () =>
    inFolder(async (folder) => {
      const { history, damage } = await openFolder(folder);
      history.save(thread, about);
      await history.flush();
      await writeFile(join(folder, 'a.ndjson'), 'rubbish\n\n');
      const more = makeThread('a', 7);
      history.save(more, about);
      await history.flush();
      assert.equal(damage.length, 1);
      assert.deepEqual(plainly((await (await openFolder(folder)).history.open('a')).thread), saved(more));
    }));

  it('carries along what a later version of the extension has written', () =>
    inFolder(async (folder) => {
      const { frame } = await import('../../../src/chat/history/recordLines.ts');
      const { history } = await openFolder(folder);
      history.save(thread, about);
      await history.flush();
      const later = frame({ kind: 'annotations', of: 'the future' });
      const damage = Buffer.from('\n00000000 5 spoilt\n');
      const file = join(folder, 'a.ndjson');
      await writeFile(file, Buffer.concat([await readFile(file), later, damage]));
      const next = await openFolder(folder);
      await next.history.open('a');
      assert.equal(next.damage.length, 1, 'so the file was written anew');
      assert.match(await readFile(file, 'utf8'), /of":"the future/);
    }));
});

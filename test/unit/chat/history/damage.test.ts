import assert from 'node:assert/strict';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import type { Thread } from '../../../../src/shared/thread/model.ts';
import { seeded } from '../../../support/random.ts';
import { flat } from '../../../support/item.ts';
import { about, inFolder, makeThread, openFolder, plainly, saved, type Seen } from './support/stores.ts';
import { runs } from '../../../support/runs.ts';

/** Number of cut positions to try; all of them in `npm run test:full`. */
const CUTS = runs(150, Infinity);

const thread = makeThread('a', 6);
const contents = (thread: Thread): string[] => flat(thread).map(({ id, content }) => `${id}: ${content}`);

/** A file as written by several saves. */
async function makeFile(folder: string): Promise<Buffer> {
  const { history } = await openFolder(folder);
  for (const length of [1, 2, 4, 6]) {
    history.save({ ...thread, turns: thread.turns.slice(0, length) }, about);
    await history.flush();
  }
  return readFile(join(folder, 'a.ndjson'));
}

async function fresh(folder: string, bytes: Uint8Array): Promise<Seen> {
  for (const name of await readdir(folder)) await rm(join(folder, name));
  await writeFile(join(folder, 'a.ndjson'), bytes);
  return openFolder(folder);
}

function isWhole(line: string): boolean {
  try {
    return JSON.parse(line) !== undefined;
  } catch {
    return false;
  }
}

const damaged = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => name.endsWith('.damaged'));

describe('a damaged history file', () => {
  it('that was truncated opens with every record before the cut', () =>
    inFolder(async (folder) => {
      const whole = await makeFile(folder);
      const random = seeded(1);
      const all = Array.from({ length: whole.length }, (_, at) => at);
      const cuts = [...new Set([0, 1, ...all.slice(-3), ...all.filter(() => random() < CUTS / all.length)])];
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
        const expected = [
          ...new Set(records.flatMap((line) => /"(?:item|question)":\{"id":"([^"]+)"/.exec(line)?.[1] ?? [])),
        ];
        const { thread: got } = await history.open('a');
        assert.deepEqual(
          flat(got).map(({ id }) => id),
          expected,
          `cut at ${cut}`,
        );
        assert.equal(list.length, 1);
        assert.deepEqual(damage, [], 'a torn end is no damage');
      }
    }));

  it('with a corrupt line is backed up and reported, keeps all other lines, and is rewritten', () =>
    inFolder(async (folder) => {
      const lines = (await makeFile(folder)).toString().split('\n');
      for (const at of lines.keys()) {
        if (lines[at] === '') continue;
        const bytes = Buffer.from(lines.with(at, `${lines[at]!.slice(0, -1)}x`).join('\n'));
        const { history, damage } = await fresh(folder, bytes);
        assert.equal((await history.list()).length, 1, `line ${at}: listed`);
        const { thread: got, meta } = await history.open('a');
        const missing = contents(thread).filter((text) => !contents(got).includes(text));
        assert.ok(missing.length <= 1, `line ${at} cost ${missing.length} items`);
        assert.equal(meta.origin, about.origin);
        assert.deepEqual(
          damage.map(({ threadId, lost }) => ({ threadId, lost })),
          [{ threadId: 'a', lost: 1 }],
        );
        assert.deepEqual(await readFile(join(folder, damage[0]!.copy!)), bytes, 'the copy is as it was found');
        const again = await openFolder(folder);
        assert.deepEqual(plainly((await again.history.open('a')).thread), plainly(got));
        assert.deepEqual(again.damage, [], 'repaired once');
      }
    }));

  it('does not affect the list and the other threads', () =>
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

  it('that is found during a save loses nothing in memory', () =>
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

  it('keeps records of later versions of the extension', () =>
    inFolder(async (folder) => {
      const { encodeRecord } = await import('../../../../src/chat/history/format/records.ts');
      const { history } = await openFolder(folder);
      history.save(thread, about);
      await history.flush();
      const later = encodeRecord({ kind: 'annotations', of: 'the future' });
      const damage = Buffer.from('\n00000000 5 spoilt\n');
      const file = join(folder, 'a.ndjson');
      await writeFile(file, Buffer.concat([await readFile(file), later, damage]));
      const next = await openFolder(folder);
      await next.history.open('a');
      assert.equal(next.damage.length, 1, 'so the file was written anew');
      assert.match(await readFile(file, 'utf8'), /of":"the future/);
    }));
});

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { nodeFiles } from '../../../../../src/chat/history/files/nodeFiles.ts';
import { LARGEST } from '../../../../../src/chat/history/threadFile.ts';
import { collect } from '../../../../support/collect.ts';
import { flat, withItems } from '../../../../support/item.ts';
import {
  about,
  faulty,
  historyOn,
  inFolder,
  makeThread,
  openFolder,
  plainly,
  saved,
  textItem,
  saveNow,
} from '../support/stores.ts';
import { skipUnlessCi } from '../../../../support/skipUnlessCi.ts';

/** Users of CI services are not root, but may use sudo. */
function asRoot(program: string, ...args: string[]): void {
  const isRoot = process.getuid?.() === 0;
  execFileSync(isRoot ? program : 'sudo', isRoot ? args : ['-n', program, ...args], { stdio: 'ignore' });
}

describe('a failing disk', () => {
  it('is reported once for each thread, damages nothing saved, and loses nothing once it works again', () =>
    inFolder(async (folder) => {
      const [files, fault] = faulty(await nodeFiles(folder), 'replace', 'lock');
      const { history, errors } = historyOn(files);
      await saveNow(history, makeThread('a', 1));
      fault.code = 'ENOSPC';
      const more = makeThread('a', 3);
      history.save(more, about);
      history.saveDraft('a', { text: 'typed meanwhile', images: [] }, about);
      await saveNow(history, makeThread('new'));
      assert.deepEqual(
        errors.map(({ error, threadId }) => [threadId, error.kind]),
        [
          ['a', 'full'],
          ['new', 'full'],
        ],
      );
      const threadIn = async (id: string) => plainly((await (await openFolder(folder)).history.read(id)).thread);
      assert.deepEqual(await threadIn('a'), saved(makeThread('a', 1)));
      fault.code = undefined;
      await history.flush();
      assert.deepEqual(await threadIn('a'), saved(more));
      assert.deepEqual(await threadIn('new'), saved(makeThread('new')));
      assert.equal((await history.read('a')).draft.text, 'typed meanwhile');
    }));

  it('with a read-only folder still lists, opens and searches threads', () =>
    inFolder(async (folder) => {
      const writer = await openFolder(folder);
      await saveNow(writer.history, makeThread('a'));
      await writeFile(
        join(folder, 'b.json'),
        (await readFile(join(folder, 'a.json'), 'utf8')).replace(/\n\{"id":"1.*\n/, '\n{"id":\n'),
      );
      const [files, fault] = faulty(await nodeFiles(folder), 'replace', 'lock', 'rename', 'remove');
      fault.code = 'EROFS';
      const { history, damage } = historyOn(files);
      assert.equal((await history.list()).length, 2);
      assert.equal(flat((await history.open('b')).thread).length, 2);
      assert.deepEqual(damage, [['b']], 'told, though not set aside');
      assert.equal((await collect(history.search('answer'))).length, 2);
    }));

  it('is reported for a thread beyond the limit, which can be listed and deleted', () =>
    inFolder(async (folder) => {
      const { history, errors } = await openFolder(folder);
      const thread = makeThread('a', 1);
      const big = withItems(thread, textItem('big', { content: '東'.repeat(LARGEST / 3) }));
      await saveNow(history, thread);
      await saveNow(history, big);
      assert.deepEqual(
        errors.map(({ error }) => error.kind),
        ['tooLarge'],
      );
      assert.deepEqual(plainly((await (await openFolder(folder)).history.open('a')).thread), saved(thread));
      await writeFile(join(folder, 'huge.json'), '{');
      await truncate(join(folder, 'huge.json'), LARGEST + 1);
      await assert.rejects(history.open('huge'), { kind: 'tooLarge', message: /too large/ });
      const titles = async (): Promise<string[]> => (await history.list()).map(({ title }) => title);
      assert.match((await titles()).join(), /too large/);
      const undo = await history.remove('huge');
      assert.doesNotMatch((await titles()).join(), /too large/);
      await undo();
      assert.equal((await stat(join(folder, 'huge.json'))).size, LARGEST + 1, 'left alone');
    }));

  it('never replaces a file with a partial one', async () => {
    await inFolder(async (folder) => {
      const module = new URL('../../../../../src/chat/history/files/nodeFiles.ts', import.meta.url).href;
      const script = `
        const files = await (await import(${JSON.stringify(module)})).nodeFiles(${JSON.stringify(folder)});
        await files.replace('a', [Buffer.from('whole')]);
        await files.replace('a', [Buffer.alloc(1_000_000), Buffer.alloc(3_000_000)]).then(() => console.log('taken'), ({ kind }) => console.log(kind));
        `;
      // A file size limit fails a write in the same way as a full disk.
      const command = 'ulimit -f 1024 && exec "$0" --input-type=module -e "$1"';
      const said = execFileSync('bash', ['-c', command, process.execPath, script], { encoding: 'utf8' });
      assert.equal(said.trim(), 'failed');
      assert.equal(await readFile(join(folder, 'a'), 'utf8'), 'whole');
    });
  });

  it('that is really full is reported, keeps what was saved, and uses space freed by deleting', async function () {
    await inFolder(async (folder) => {
      try {
        asRoot('mount', '-t', 'tmpfs', '-o', `size=1m,uid=${process.getuid?.()}`, 'tmpfs', folder);
      } catch {
        skipUnlessCi(this, 'a small disk can only be mounted by root, on Linux');
      }
      try {
        const { history, errors } = await openFolder(folder);
        history.save(makeThread('a'), about);
        await saveNow(history, makeThread('b'));
        const ballast = join(folder, 'ballast');
        await writeFile(ballast, Buffer.alloc(4 << 20)).catch(() => undefined);
        const big = makeThread('a', 3);
        const thread = withItems(big, textItem('big', { content: 'b'.repeat(300_000) }));
        await saveNow(history, thread);
        assert.deepEqual(
          errors.map(({ error }) => error.kind),
          ['full'],
        );
        const other = await openFolder(folder);
        assert.equal((await other.history.list()).length, 2);
        assert.deepEqual(plainly((await other.history.open('a')).thread), saved(makeThread('a')));
        assert.deepEqual(other.damage, []);
        await history.remove('b');
        await rm(ballast);
        await history.flush();
        const after = await openFolder(folder);
        assert.equal(flat((await after.history.open('a')).thread).length, 7);
        assert.deepEqual(after.damage, []);
      } finally {
        asRoot('umount', folder);
      }
    });
  });
});

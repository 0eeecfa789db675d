import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { mock } from 'node:test';
import { afterEach, describe, it } from 'mocha';
import { nodeLocks } from '../../../../../src/chat/history/files/nodeLock.ts';
import { inFolder } from '../support/stores.ts';

const HOST = 'this-host';
const deadProcess = (): number => spawnSync(process.execPath, ['--version']).pid;

/** The file system, with work before a file is read. */
const reading = (before: (path: string) => unknown): typeof fs => ({
  ...fs,
  readFile: (async (...args: [path: string, encoding: 'utf8']) => {
    await before(args[0]);
    return fs.readFile(...args);
  }) as typeof fs.readFile,
});

/** Tries to take a lock whose lock file has this content. */
async function take(content: string, use: typeof fs = fs): Promise<{ isTaken: boolean; left: string }> {
  let result = { isTaken: false, left: '' };
  await inFolder(async (folder) => {
    const file = join(folder, 'a.json.lock');
    await fs.writeFile(file, content);
    const release = await nodeLocks(use, HOST)(join(folder, 'a.json'), false);
    result = { isTaken: release !== undefined, left: await fs.readFile(file, 'utf8') };
    await release?.();
  });
  return result;
}

describe('a history lock', () => {
  afterEach(() => mock.restoreAll());

  it('of a dead process is taken over, of a living one respected, also if another user runs it', async () => {
    const [dead, living] = [`${deadProcess()} ${HOST} x`, `${process.pid} ${HOST} x`];
    assert.equal((await take(dead)).isTaken, true);
    assert.deepEqual(await take(living), { isTaken: false, left: living });
    mock.method(process, 'kill', () => {
      throw Object.assign(new Error('not permitted'), { code: 'EPERM' });
    });
    assert.equal((await take(`4711 ${HOST} x`)).isTaken, false);
  });

  for (const [what, isTouched] of [
    ['of a living process that works for longer than ten seconds are waited for', true],
    ['of a process that has hung for ten seconds are taken over', false],
  ] as const)
    it(what, () =>
      inFolder(async (folder) => {
        const path = join(folder, 'a.json');
        mock.timers.enable({ apis: ['setInterval'] });
        const release = await nodeLocks(fs, HOST)(path, false);
        let seconds = 0;
        mock.method(performance, 'now', () => seconds * 1000);
        // Each look of the waiting process is two seconds after the one before.
        const watched = reading(async () => {
          seconds += 2;
          if (isTouched) mock.timers.tick(2000);
          if (seconds === 40) await release?.();
        });
        await nodeLocks(watched, HOST)(path, true);
        assert.equal(seconds >= 40, isTouched, `taken after ${seconds} s`);
        assert.ok(seconds > 10, `taken after ${seconds} s`);
        mock.timers.reset();
      }),
    );

  it('that was taken over meanwhile is not released by its former holder', () =>
    inFolder(async (folder) => {
      const file = join(folder, 'a.json.lock');
      const release = await nodeLocks(fs, HOST)(join(folder, 'a.json'), false);
      await fs.writeFile(file, 'another holder');
      await release?.();
      assert.equal(await fs.readFile(file, 'utf8'), 'another holder');
    }));

  it('is taken over although a process was killed while it did so', () =>
    inFolder(async (folder) => {
      const file = join(folder, 'a.json.lock');
      await fs.writeFile(file, `${deadProcess()} ${HOST} x`);
      await fs.writeFile(`${file}.guard`, '');
      await fs.utimes(`${file}.guard`, 1, 1);
      const release = await nodeLocks(fs, HOST)(join(folder, 'a.json'), false);
      assert.match(await fs.readFile(file, 'utf8'), new RegExp(`^${process.pid} ${HOST} [-\\w]+$`));
      await release?.();
      assert.deepEqual(await fs.readdir(folder), []);
    }));

  it('is not taken over while another process does so', () =>
    inFolder(async (folder) => {
      const file = join(folder, 'a.json.lock');
      await fs.writeFile(file, `${deadProcess()} ${HOST} x`);
      await fs.writeFile(`${file}.guard`, '');
      let reads = 0;
      const watched = reading(async () => {
        reads += 1;
        if (reads === 4) await fs.utimes(`${file}.guard`, 1, 1);
      });
      await (
        await nodeLocks(watched, HOST)(join(folder, 'a.json'), false)
      )?.();
      assert.ok(reads > 4, `taken after ${reads} looks`);
    }));

  for (const wait of [true, false])
    it(`that a killed process left empty is taken over after a second ${wait ? 'by waiting' : 'without waiting'}`, () =>
      inFolder(async (folder) => {
        await fs.writeFile(join(folder, 'a.json.lock'), '');
        let time = 0;
        mock.method(performance, 'now', () => time);
        const release = await nodeLocks(
          reading(() => (time += 400)),
          HOST,
        )(join(folder, 'a.json'), wait);
        assert.equal(time, 2000, 'four looks, and one with the guard held');
        await release?.();
      }));

  it('that could not be written on a full disk is released', () =>
    inFolder(async (folder) => {
      const handles: fs.FileHandle[] = [];
      const full: typeof fs = {
        ...fs,
        open: async (...args) => {
          const handle = await fs.open(...args);
          handle.writeFile = () => Promise.reject(new Error('ENOSPC'));
          handles.push(handle);
          return handle;
        },
      };
      const release = await nodeLocks(full, HOST)(join(folder, 'a.json'), false);
      assert.deepEqual(await fs.readdir(folder), ['a.json.lock']);
      assert.deepEqual(
        handles.map(({ fd }) => fd),
        [-1],
        'closed',
      );
      await release?.();
      assert.deepEqual(await fs.readdir(folder), []);
    }));

  it('that disappears while it is checked is respected for now', async () => {
    const vanishing: typeof fs = {
      ...fs,
      stat: (async (path: string) => {
        const content = await fs.readFile(path);
        await fs.rm(path);
        const result = fs.stat(path);
        await result.catch(() => undefined);
        await fs.writeFile(path, content);
        return result;
      }) as typeof fs.stat,
    };
    assert.equal((await take('4711 other-host x', vanishing)).isTaken, false);
  });

  it('that can’t be read or created is reported', async () => {
    const fail = (): Promise<never> => Promise.reject(Object.assign(new Error('x'), { code: 'EIO' }));
    await assert.rejects(take('4711 other-host x', { ...fs, readFile: fail }), { kind: 'failed' });
    await assert.rejects(take('4711 other-host x', { ...fs, open: fail }), { kind: 'failed' });
  });

  it('that a living process takes during the check is respected', async () => {
    const living = `${process.pid} ${HOST} y`;
    const racing: typeof fs = {
      ...fs,
      open: async (path, ...rest) => {
        const handle = await fs.open(path, ...rest);
        if (String(path).endsWith('.guard')) await fs.writeFile(String(path).replace(/\.guard$/, ''), living);
        return handle;
      },
    };
    assert.deepEqual(await take(`${deadProcess()} ${HOST} x`, racing), { isTaken: false, left: living });
  });
});

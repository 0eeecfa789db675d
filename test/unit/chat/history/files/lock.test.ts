import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { mock } from 'node:test';
import { afterEach, describe, it } from 'mocha';
import type { HistoryFiles } from '../../../../../src/chat/history/files/files.ts';
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

/**
 * Runs a test with a lock file of this content, or without one.
 * @param test is given the path of the file and a function that takes the lock
 */
const withLock = (
  content: string | undefined,
  test: (file: string, take: (use?: typeof fs, wait?: boolean) => ReturnType<HistoryFiles['lock']>) => Promise<void>,
): Promise<void> =>
  inFolder(async (folder) => {
    const file = join(folder, 'a.json.lock');
    if (content !== undefined) await fs.writeFile(file, content);
    await test(file, (use = fs, wait = false) => nodeLocks(use, HOST)(join(folder, 'a.json'), wait));
  });

describe('a history lock', () => {
  afterEach(() => mock.reset());

  for (const [what, isDead, error] of [
    ['of a dead process is taken over', true],
    ['of a living process is respected', false],
    ['of a living process of another user is respected', false, 'EPERM'],
  ] as const)
    it(what, () =>
      withLock(`${isDead ? deadProcess() : process.pid} ${HOST} x`, async (file, take) => {
        if (error)
          mock.method(process, 'kill', () => {
            throw Object.assign(new Error('not permitted'), { code: error });
          });
        const before = await fs.readFile(file, 'utf8');
        const release = await take();
        assert.deepEqual([release !== undefined, (await fs.readFile(file, 'utf8')) !== before], [isDead, isDead]);
        await release?.();
      }),
    );

  for (const [what, isTouched] of [
    ['of a living process that works for longer than ten seconds is waited for', true],
    ['of a process that has hung for ten seconds is taken over', false],
  ] as const)
    it(what, () =>
      withLock(undefined, async (_file, take) => {
        mock.timers.enable({ apis: ['setInterval'] });
        const release = await take();
        let seconds = 0;
        mock.method(performance, 'now', () => seconds * 1000);
        // Each look of the waiting process is two seconds after the one before.
        const watched = reading(async () => {
          seconds += 2;
          if (isTouched) mock.timers.tick(2000);
          if (seconds === 40) await release?.();
        });
        await take(watched, true);
        assert.equal(seconds >= 40, isTouched, `taken after ${seconds} s`);
        assert.ok(seconds > 10, `taken after ${seconds} s`);
      }),
    );

  it('that was taken over meanwhile is not released by its former holder', () =>
    withLock(`${deadProcess()} ${HOST} x`, async (file, take) => {
      const release = await take();
      await fs.writeFile(file, 'another holder');
      await release?.();
      assert.equal(await fs.readFile(file, 'utf8'), 'another holder');
    }));

  it('is taken over although a process was killed while it did so, but not while one does so', () =>
    withLock(`${deadProcess()} ${HOST} x`, async (file, take) => {
      await fs.writeFile(`${file}.guard`, '');
      let reads = 0;
      const watched = reading(async () => {
        reads += 1;
        if (reads === 4) await fs.utimes(`${file}.guard`, 1, 1);
      });
      const release = await take(watched);
      assert.ok(reads > 4, `taken after ${reads} looks`);
      assert.match(await fs.readFile(file, 'utf8'), new RegExp(`^${process.pid} ${HOST} [-\\w]+$`));
      await release?.();
      assert.deepEqual(await fs.readdir(dirname(file)), []);
    }));

  for (const wait of [true, false])
    it(`that a killed process left empty is taken over after a second ${wait ? 'by waiting' : 'without waiting'}`, () =>
      withLock('', async (_file, take) => {
        let time = 0;
        mock.method(performance, 'now', () => time);
        const release = await take(
          reading(() => (time += 400)),
          wait,
        );
        assert.equal(time, 2000, 'four looks, and one with the guard held');
        await release?.();
      }));

  it('that could not be written on a full disk is released', () =>
    withLock(undefined, async (file, take) => {
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
      const release = await take(full);
      assert.deepEqual([await fs.readFile(file, 'utf8'), handles[0]?.fd], ['', -1], 'closed');
      await release?.();
      await assert.rejects(fs.stat(file));
    }));

  it('that can’t be read or created is reported', () =>
    withLock('4711 other-host x', async (_file, take) => {
      const fail = (): Promise<never> => Promise.reject(Object.assign(new Error('x'), { code: 'EIO' }));
      for (const broken of [{ readFile: fail }, { open: fail }])
        await assert.rejects(take({ ...fs, ...broken }), { kind: 'failed' });
    }));

  it('that a living process takes during the check is respected', () =>
    withLock(`${deadProcess()} ${HOST} x`, async (file, take) => {
      const living = `${process.pid} ${HOST} y`;
      const racing: typeof fs = {
        ...fs,
        open: async (path, ...rest) => {
          const handle = await fs.open(path, ...rest);
          if (String(path).endsWith('.guard')) await fs.writeFile(file, living);
          return handle;
        },
      };
      assert.deepEqual([await take(racing), await fs.readFile(file, 'utf8')], [undefined, living]);
    }));
});

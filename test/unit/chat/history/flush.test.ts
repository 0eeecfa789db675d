/** What is saved by a flush, and what no longer. */
import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { HistoryError } from '../../../../src/chat/history/files/errors.ts';
import type { Change } from '../../../../src/chat/history/changes.ts';
import { Saver } from '../../../../src/chat/history/saver.ts';
import { about } from './support/stores.ts';

import { pass, settle, setUp, streaming } from './support/savers.ts';

describe('a changed thread that is flushed or forgotten', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_000_000 }));
  afterEach(() => mock.timers.reset());

  it('is saved by a flush of its thread, and failing changes are discarded at the end', async () => {
    const { saver, writes, disk } = setUp();
    for (const id of ['a', 'b']) {
      saver.saveDraft(id, { text: id, images: [] }, about);
      await saver.flush(id);
      saver.saveDraft(id, { text: `${id}!`, images: [] }, about);
    }
    await saver.flush('b');
    await saver.flush('unknown');
    assert.deepEqual(
      writes.map(({ draft }) => draft?.text),
      ['a', 'b', 'b!'],
    );
    disk.failure = new HistoryError('full');
    await saver.end();
    disk.failure = undefined;
    await pass(100_000);
    assert.equal(writes.length, 3);
  });

  it('is saved immediately by a flush, and no longer once it is forgotten', async () => {
    const { saver, writes } = setUp();
    saver.saveDraft('a', { text: 'x', images: [] }, about);
    await saver.flush();
    assert.equal(writes.length, 1);
    saver.saveDraft('a', { text: 'xy', images: [] }, about);
    await saver.forget('a');
    await pass(5000);
    assert.equal(writes.length, 1);
  });

  it('is saved completely by a flush, also if it has changed during a write', async () => {
    const writes: Change[] = [];
    let finish = (): void => undefined;
    const write = (_: string, change: Change): Promise<void> => {
      writes.push(change);
      return new Promise((resolve) => (finish = resolve));
    };
    const saver = new Saver({ write, onError: () => undefined, now: () => Date.now() });
    saver.save(streaming, about);
    const first = saver.flush();
    await settle();
    saver.saveDraft('a', { text: 'x', images: [] }, about);
    let isFlushed = false;
    const second = saver.flush().then(() => (isFlushed = true));
    await settle();
    assert.equal(writes.length, 1, 'one write at a time');
    finish();
    await first;
    await settle();
    assert.deepEqual([writes.at(-1)?.draft?.text, isFlushed], ['x', false]);
    finish();
    await second;
    assert.equal(writes.length, 2);
  });

  it('is no longer being written once it is forgotten', async () => {
    let finish = (): void => undefined;
    const write = (): Promise<void> => new Promise((resolve) => (finish = resolve));
    const saver = new Saver({ write, onError: () => undefined, now: () => Date.now() });
    saver.save(streaming, about);
    mock.timers.tick(0);
    let isForgotten = false;
    const forgetting = saver.forget('a').then(() => (isForgotten = true));
    await settle();
    assert.equal(isForgotten, false);
    finish();
    await forgetting;
  });

  it('is not saved again after it was forgotten during a write that newer changes wait for', async () => {
    const { saver, writes } = setUp();
    saver.save(streaming, about);
    mock.timers.tick(0);
    saver.saveDraft('a', { text: 'x', images: [] }, about);
    await saver.forget('a');
    assert.equal(writes.length, 1, 'the running write has ended');
    await pass(60_000);
    assert.equal(writes.length, 1);
  });

  it('is not saved after it was forgotten during a failing write', async () => {
    const { saver, writes, told, disk } = setUp();
    disk.failure = new HistoryError('full');
    saver.save(streaming, about);
    mock.timers.tick(0);
    await saver.forget('a');
    disk.failure = undefined;
    await pass(60_000);
    await saver.flush();
    assert.deepEqual([writes, told], [[], []]);
  });
});

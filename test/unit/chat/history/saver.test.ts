import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Change } from '../../../../src/chat/history/threadStore.ts';
import { HistoryError } from '../../../../src/chat/history/files/errors.ts';
import { Saver } from '../../../../src/chat/history/saver.ts';
import type { Thread } from '../../../../src/shared/thread/model.ts';
import { flat } from '../../../support/item.ts';
import { about, ask, delta, dispatch } from './support/stores.ts';
import { pass, settle, setUp, streaming } from './support/savers.ts';

describe('a changed thread', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_000_000 }));
  afterEach(() => mock.reset());

  it('is saved every few seconds while an answer streams, and immediately at its end', async () => {
    const { saver, writes } = setUp();
    let thread: Thread = streaming;
    for (let token = 0; token < 1000; token += 1) {
      thread = dispatch(thread, delta('x', 'la', Date.now(), 2 + token));
      saver.save(thread, about);
      await pass(10);
      const saved = flat(writes.at(-1)?.thread ?? thread).at(-1)?.updated ?? 0;
      assert.ok(Date.now() - saved <= 3010);
    }
    assert.equal(writes.length, 4);
    thread = dispatch(thread, { type: 'finished' });
    saver.save(thread, about);
    await pass(0);
    assert.deepEqual([writes.length, writes.at(-1)?.thread], [5, thread]);
  });

  it('is saved less often if that takes long', async () => {
    let writes = 0;
    const write = (): Promise<void> => new Promise((resolve) => ((writes += 1), setTimeout(resolve, 500)));
    const saver = new Saver({ write, onError: assert.fail, clock: () => Date.now() });
    for (let step = 0; step < 220; step += 1) {
      saver.save({ ...streaming }, about);
      await pass(100);
    }
    assert.equal(writes, 3, 'about every ten seconds');
  });

  it('has its draft saved once the user pauses, and nothing while they type', async () => {
    const { saver, writes } = setUp();
    for (let key = 0; key < 50; key += 1) {
      saver.saveDraft('a', { text: `${key}`, images: [] }, about);
      await pass(900);
    }
    assert.equal(writes.length, 0);
    await pass(100);
    assert.deepEqual(
      writes.map(({ draft }) => draft?.text),
      ['49'],
    );
  });

  it('is saved at once with a new question, also during another save', async () => {
    const { saver, writes } = setUp();
    saver.save(streaming, about);
    await pass(0);
    const finished = dispatch(streaming, { type: 'finished' });
    saver.save(finished, about);
    mock.timers.tick(0);
    const asked = dispatch(finished, ask('2-message', 'And now?', 9));
    saver.save(asked, about);
    await settle();
    await pass(0);
    assert.equal(writes.at(-1)?.thread, asked);
  });

  it('is saved in time also if the clock is set back', async () => {
    const writes: Change[] = [];
    const write = async (_id: string, change: Change): Promise<void> => void writes.push(change);
    const saver = new Saver({ write, onError: assert.fail });
    saver.save(streaming, about);
    await pass(0);
    await pass(3000);
    mock.timers.setTime(0);
    saver.save(dispatch(streaming, delta('x', 'la', 3, 2)), about);
    await pass(3000);
    assert.equal(writes.length, 2);
  });

  it('is saved also where timers are numbers, as in browsers', async () => {
    const { saver, writes } = setUp();
    // Otherwise the mocked timer would be restored as the real one.
    mock.timers.reset();
    let run = (): void => undefined;
    const timeout = mock.method(globalThis, 'setTimeout', (call: () => void) => {
      run = call;
      return 7;
    });
    saver.save(streaming, about);
    timeout.mock.restore();
    run();
    await settle();
    assert.equal(writes.length, 1);
  });

  it('is saved together with its draft', async () => {
    const { saver, writes } = setUp();
    saver.saveDraft('a', { text: 'h', images: [] }, about);
    saver.saveDraft('a', { text: 'hm', images: [] }, about);
    saver.save(streaming, about);
    await pass(0);
    assert.deepEqual(
      writes.map(({ thread, draft }) => [thread, draft?.text]),
      [[streaming, 'hm']],
    );
  });

  it('stays read-only if a draft is saved before it', async () => {
    const { saver, writes } = setUp();
    saver.save(streaming, { ...about, readOnly: true });
    saver.saveDraft('a', { text: 'h', images: [] }, about);
    await pass(0);
    assert.deepEqual(
      writes.map((change) => change.about?.readOnly),
      [true],
    );
  });

  it('is retried until it is saved, with a single notification', async () => {
    const { saver, writes, told, disk } = setUp();
    disk.failure = new HistoryError('full');
    saver.save(streaming, about);
    for (let second = 0; second < 200; second += 1) await pass(1000);
    assert.deepEqual(told, ['full']);
    assert.equal(writes.length, 0);
    disk.failure = undefined;
    for (let second = 0; second < 60; second += 1) await pass(1000);
    assert.equal(writes.at(-1)?.thread, streaming);
    disk.failure = new HistoryError('full');
    saver.saveDraft('a', { text: 'x', images: [] }, about);
    await pass(1000);
    assert.deepEqual(told, ['full', 'full'], 'a new failure is told again');
  });

  it('is retried after twice the time, up to a minute, even if it keeps changing', async () => {
    const begun = Date.now();
    const tries: number[] = [];
    const write = (): Promise<void> => {
      tries.push((Date.now() - begun) / 1000);
      return Promise.reject(new HistoryError('full'));
    };
    const saver = new Saver({ write, onError: () => undefined, clock: () => Date.now() });
    for (let step = 0; step < 400; step += 1) {
      saver.save(streaming, about);
      await pass(500);
    }
    assert.deepEqual(tries, [0.5, 2.5, 6.5, 14.5, 30.5, 62.5, 122.5, 182.5]);
  });

  it('that is too large is not retried before its next change', async () => {
    const { saver, writes, told, disk } = setUp();
    disk.failure = new HistoryError('tooLarge');
    saver.save(streaming, about);
    await pass(100_000);
    disk.failure = undefined;
    await pass(100_000);
    assert.deepEqual([writes.length, told], [0, ['tooLarge']]);
    saver.save(streaming, about);
    await pass(0);
    assert.equal(writes.length, 1);
  });

  it('is saved at once with another message id or queue, a draft after a second', async () => {
    const { saver, writes } = setUp();
    saver.save(streaming, about);
    await pass(0);
    const queue = [{ id: '2-message', text: 'Next?', images: [] }];
    const resumed = { ...streaming, messageId: '3-message' };
    for (const [thread, count] of [
      [{ ...streaming }, 1],
      [{ ...streaming, queue }, 2],
      [resumed, 3],
      [{ ...resumed, status: 'ready' }, 4],
    ] as const) {
      saver.save(thread, about);
      await pass(0);
      assert.equal(writes.length, count);
    }
    saver.saveDraft('a', { text: 'x', images: [] }, about);
    await pass(999);
    assert.equal(writes.length, 4);
    await pass(1);
    assert.equal(writes.length, 5);
  });

  it('is saved in its latest state after a failed write, including a failed draft', async () => {
    const { saver, writes, disk } = setUp();
    disk.failure = new HistoryError('full');
    saver.saveDraft('a', { text: 'typed', images: [] }, about);
    saver.save(streaming, about);
    mock.timers.tick(1000);
    // More data arrives during the write.
    const newer = dispatch(streaming, { type: 'finished' });
    saver.save(newer, about);
    await settle();
    disk.failure = undefined;
    await pass(60_000);
    assert.deepEqual(
      writes.map(({ thread, draft }) => [thread, draft?.text]),
      [[newer, 'typed']],
    );
  });
});

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
    await saver.flush();
    await saver.forget();
    disk.failure = undefined;
    await pass(100_000);
    assert.equal(writes.length, 3);
  });

  it('is saved completely by a flush, also if it has changed during a write', async () => {
    const writes: Change[] = [];
    let finish = (): void => undefined;
    const write = (_: string, change: Change): Promise<void> => {
      writes.push(change);
      return new Promise((resolve) => (finish = resolve));
    };
    const saver = new Saver({ write, onError: () => undefined, clock: () => Date.now() });
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

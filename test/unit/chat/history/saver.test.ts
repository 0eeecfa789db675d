import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Change } from '../../../../src/chat/history/changes.ts';
import { HistoryError } from '../../../../src/chat/history/files/errors.ts';
import { Saver } from '../../../../src/chat/history/saver.ts';
import type { Thread } from '../../../../src/shared/thread/model.ts';
import { flat } from '../../../support/item.ts';
import { about, ask, delta, dispatch } from './support/stores.ts';
import { pass, settle, setUp, streaming } from './support/savers.ts';

describe('a changed thread', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_000_000 }));
  afterEach(() => mock.reset());

  it('is saved once a second while an answer streams, and immediately at its end', async () => {
    const { saver, writes } = setUp();
    let thread: Thread = streaming;
    for (let token = 0; token < 500; token += 1) {
      thread = dispatch(thread, delta('x', 'la', 3 + token, 2 + token));
      saver.save(thread, about);
      await pass(10);
    }
    assert.ok(writes.length >= 5 && writes.length <= 6, `${writes.length} writes in five seconds`);
    thread = dispatch(thread, { type: 'finished' });
    const before = writes.length;
    saver.save(thread, about);
    await pass(0);
    assert.equal(writes.length, before + 1);
    assert.equal(writes.at(-1)?.thread, thread);
  });

  it('never has more than the last second unsaved', async () => {
    const { saver, writes } = setUp();
    let thread: Thread = streaming;
    for (let token = 0; token < 300; token += 1) {
      thread = dispatch(thread, delta('x', 'la', Date.now(), 2 + token));
      saver.save(thread, about);
      await pass(7);
      const saved = flat(writes.at(-1)?.thread ?? thread).at(-1)?.updated ?? 0;
      assert.ok(Date.now() - saved <= 1010);
    }
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

  it('is saved a second after the last time, also if it was saved early meanwhile', async () => {
    const { saver, writes } = setUp();
    const times: number[] = [];
    let thread = streaming;
    for (let at = 0; at < 40; at += 1) {
      thread = { ...thread, ...(at === 15 ? { messageId: 'next' } : {}) };
      saver.save(thread, about);
      if (at === 28) await saver.flush();
      await pass(0);
      if (writes.at(-1)?.thread === thread) times.push(at);
      await pass(100);
    }
    assert.deepEqual(times, [0, 15, 28]);
    assert.equal(writes.length, 6, 'and at 10, 25 and 38');
  });

  it('is saved a second later also if the clock is set back', async () => {
    const writes: Change[] = [];
    const write = async (_id: string, change: Change): Promise<void> => void writes.push(change);
    const saver = new Saver({ write, onError: assert.fail });
    saver.save(streaming, about);
    await pass(0);
    await pass(1000);
    mock.timers.setTime(0);
    saver.save(dispatch(streaming, delta('x', 'la', 3, 2)), about);
    await pass(1000);
    assert.equal(writes.length, 2);
  });

  it('does not keep the process running', () => {
    mock.timers.reset();
    const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    setUp().saver.save(streaming, about);
    assert.equal(timers(), before);
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
    const saver = new Saver({ write, onError: () => undefined, now: () => Date.now() });
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

  it('is saved at once with another message id or queue, and otherwise after a second', async () => {
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

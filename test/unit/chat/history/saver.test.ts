import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { ThreadChange } from '../../../../src/chat/history/threadStore.ts';
import { HistoryError } from '../../../../src/chat/history/files/errors.ts';
import { Saver } from '../../../../src/chat/history/saver.ts';
import type { Draft } from '../../../../src/shared/protocol/chat.ts';
import { emptyThread, type Thread } from '../../../../src/shared/thread/model.ts';
import { flat } from '../../../support/item.ts';
import { about, ask, delta, dispatch } from './support/stores.ts';

const streaming = dispatch(emptyThread('a'), ask('1-message', 'Why?', 1), delta('x', 'B', 2, 1));
const draft = (text: string): Draft => ({ text, images: [] });

/** A saver with an instant disk that fails while `failure` is set. */
function setUp() {
  const [writes, told]: [ThreadChange[], string[]] = [[], []];
  const disk: { failure?: HistoryError | undefined; tries: number[] } = { tries: [] };
  const write = async (_id: string, change: ThreadChange): Promise<void> => {
    if (disk.failure) disk.tries.push(now);
    if (disk.failure) throw disk.failure;
    writes.push(change);
  };
  const saver = new Saver({ write, onError: ({ kind }) => told.push(kind) });
  return { saver, writes, told, disk, textsOf: () => writes.map((change) => change.draft?.text) };
}

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

/** Milliseconds of the mocked timers and of `performance.now`; the time of day is not used. */
let now = 0;

async function pass(ms: number): Promise<void> {
  now += ms;
  mock.timers.tick(ms);
  await settle();
}

describe('a changed thread', () => {
  beforeEach(() => {
    now = 0;
    mock.method(performance, 'now', () => now);
    mock.timers.enable({ apis: ['setTimeout'] });
  });
  afterEach(() => mock.reset());

  it('is saved every few seconds while an answer streams, and immediately at its end', async () => {
    const { saver, writes } = setUp();
    let thread: Thread = streaming;
    for (let token = 0; token < 1000; token += 1) {
      thread = dispatch(thread, delta('x', 'la', now, 2 + token));
      saver.save(thread, about);
      await pass(10);
      const saved = flat(writes.at(-1)?.thread ?? thread).at(-1)?.updated ?? 0;
      assert.ok(now - saved <= 3010);
    }
    assert.equal(writes.length, 4);
    thread = dispatch(thread, { type: 'finished' });
    saver.save(thread, about);
    await pass(0);
    assert.deepEqual([writes.length, writes.at(-1)?.thread], [5, thread]);
  });

  it('has its draft saved a second after the last key, and nothing while the user types', async () => {
    const { saver, textsOf } = setUp();
    for (let key = 0; key < 50; key += 1) {
      saver.saveDraft('a', draft(`${key}`), about);
      await pass(999);
    }
    assert.deepEqual(textsOf(), []);
    await pass(1);
    assert.deepEqual(textsOf(), ['49']);
  });

  it('is saved at once with another status, message id or queue, also during another save', async () => {
    const { saver, writes } = setUp();
    const queue = [{ id: '2-message', text: 'Next?', images: [] }];
    const [queued, finished] = [{ ...streaming, queue }, dispatch(streaming, { type: 'finished' })];
    for (const [thread, count] of [
      [streaming, 1],
      [{ ...streaming }, 1],
      [queued, 2],
      [{ ...queued, messageId: '3-message' }, 3],
      [finished, 4],
    ] as const) {
      saver.save(thread, about);
      await pass(0);
      assert.equal(writes.length, count);
    }
    saver.save(streaming, about);
    mock.timers.tick(0);
    const asked = dispatch(finished, ask('2-message', 'And now?', 9));
    saver.save(asked, about);
    await settle();
    await pass(0);
    assert.equal(writes.at(-1)?.thread, asked);
  });

  it('is saved also where timers are numbers, as in browsers', async () => {
    const { saver, writes } = setUp();
    mock.timers.reset();
    mock.method(globalThis, 'setTimeout', (run: () => void) => {
      queueMicrotask(run);
      return 7;
    });
    saver.save(streaming, about);
    await settle();
    assert.equal(writes.length, 1);
  });

  it('is saved together with its latest draft, and stays read-only', async () => {
    const { saver, writes } = setUp();
    saver.saveDraft('a', draft('h'), about);
    saver.save(streaming, { ...about, readOnly: true });
    saver.saveDraft('a', draft('hm'), about);
    await pass(0);
    assert.deepEqual(writes, [{ thread: streaming, draft: draft('hm'), about: { ...about, readOnly: true } }]);
  });

  it('is retried after twice the time, up to a minute, in its latest state, with one notification', async () => {
    const { saver, writes, told, disk } = setUp();
    disk.failure = new HistoryError('full');
    const begun = now;
    saver.saveDraft('a', draft('typed'), about);
    for (let step = 0; step < 400; step += 1) {
      saver.save({ ...streaming, unknownLines: step }, about);
      await pass(500);
    }
    assert.deepEqual([writes, told], [[], ['full']]);
    assert.deepEqual(
      disk.tries.map((time) => (time - begun) / 1000),
      [0.5, 2.5, 6.5, 14.5, 30.5, 62.5, 122.5, 182.5],
    );
    disk.failure = undefined;
    await pass(60_000);
    assert.deepEqual(writes, [{ thread: { ...streaming, unknownLines: 399 }, draft: draft('typed'), about }]);
    disk.failure = new HistoryError('full');
    saver.saveDraft('a', draft('x'), about);
    await pass(3000);
    assert.deepEqual(told, ['full', 'full'], 'a new failure is told again');
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

  it('is saved by a flush of its thread', async () => {
    const { saver, textsOf } = setUp();
    for (const id of ['a', 'b']) {
      saver.saveDraft(id, draft(id), about);
      await saver.flush(id);
      saver.saveDraft(id, draft(`${id}!`), about);
    }
    await saver.flush('b');
    await saver.flush('unknown');
    assert.deepEqual(textsOf(), ['a', 'b', 'b!']);
  });

  it('is saved completely by a flush, also if it has changed during a write', async () => {
    const writes: ThreadChange[] = [];
    let finish = (): void => undefined;
    const write = (_: string, change: ThreadChange): Promise<void> => {
      writes.push(change);
      return new Promise((resolve) => (finish = resolve));
    };
    const saver = new Saver({ write, onError: () => undefined });
    saver.save(streaming, about);
    const first = saver.flush();
    await settle();
    saver.saveDraft('a', draft('x'), about);
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

  for (const [what, failure, count] of [
    ['a write', undefined, 1],
    ['a failing write', new HistoryError('full'), 0],
  ] as const)
    it(`is not saved again after it was forgotten during ${what}`, async () => {
      const { saver, writes, told, disk } = setUp();
      if (failure) disk.failure = failure;
      saver.save(streaming, about);
      mock.timers.tick(0);
      saver.saveDraft('a', draft('x'), about);
      await saver.forget('a');
      assert.equal(writes.length, count, 'the running write has ended');
      disk.failure = undefined;
      await pass(60_000);
      await saver.flush();
      assert.deepEqual([writes.length, told], [count, []]);
    });
});

/** Resumes a running answer after a window reload: once, locked against other windows, and without blocking the user. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { History } from '../../../../src/chat/history/history.ts';
import { emptyDraft } from '../../../../src/shared/protocol/chat.ts';
import { type ErrorAction } from '../../../../src/shared/thread/model.ts';
import { dispatch, makeThread } from '../../chat/history/support/stores.ts';
import { inWindow, whileAnswering, type Window } from './window.ts';
import { answer, beginning, context, delta, isAbort, message, ndjson, reply, type Asked } from '../service.ts';
import { emptyThread, finance, flat, homeOf, until, type ChatSession, type Thread } from '../support.ts';

const THREAD = 'left';
const TEXT = 'The whole answer.';

/** A thread whose answer was running when the window was closed. */
const left = (time = 1): Thread =>
  dispatch(
    emptyThread(THREAD),
    { type: 'sent', id: '1700000000000-message', text: 'revenue?', images: [], context, time },
    { type: 'named', chatId: 'c1' },
  );
/** A thread whose answer was suspended, and could not be resumed before the window was closed. */
const suspended = (time: number, action: ErrorAction = 'resume'): Thread =>
  dispatch(left(time), { type: 'failed', error: { kind: 'network', message: 'Lost.', actions: [action] } });

const begin = beginning(delta('The ', 2));
const whole = (asked: Asked): void => reply(asked, ...answer(asked, TEXT));

/** @returns a service that begins each answer, and a function that ends the last one or another */
function inTwoParts(): { answering: (asked: Asked) => unknown; proceed: (at?: number) => unknown } {
  const ends: (() => unknown)[] = [];
  const answering = (asked: Asked): unknown => {
    if (isAbort(asked)) return asked.response.writeHead(204).end();
    const [first, ...rest] = answer(asked, TEXT);
    ends.push(() => asked.response.end(ndjson(...rest)));
    return asked.response.write(ndjson(first!));
  };
  return { answering, proceed: (at = -1) => ends.at(at)?.() };
}

/** @returns how many locks a window has, and whether another one would not get that of the thread */
function locksOf(own: History, other: History) {
  const lockAnswer = own.lockAnswer.bind(own);
  let held = 0;
  own.lockAnswer = async (threadId) => {
    const free = await lockAnswer(threadId);
    held += free ? 1 : 0;
    return free && (() => ((held -= 1), free()));
  };
  const isLocked = async (): Promise<boolean> => {
    const lock = await other.lockAnswer(THREAD);
    await lock?.();
    return lock === undefined;
  };
  return { held: () => held, isLocked };
}
type Reloaded = Window['services'] & Pick<Window, 'asked'> & ReturnType<typeof locksOf>;

/** @param isHeld whether the previous window still has the thread, until it is released */
const afterReload = (
  answering: (asked: Asked) => unknown,
  { thread = left(), isHeld = false },
  test: (window: Reloaded, release: () => Promise<unknown>) => Promise<void>,
): Promise<void> =>
  inWindow([thread], async ({ history: old }, again) => {
    const release = isHeld ? await old.lockAnswer(THREAD) : undefined;
    const { history, services, asked } = await again({ answer: answering });
    await test({ ...services, asked, ...locksOf(history, old) }, async () => release?.());
  });

describe('an answer that was running when the window was left', () => {
  it('is resumed once, however many views show its chat', () =>
    afterReload(begin, {}, async ({ repository, asked }) => {
      const [one, other] = await Promise.all([repository.open(THREAD), repository.open(THREAD)]);
      assert.equal(one, other);
      await until(() => flat(one.thread).length > 1);
      await one.abort();
      await one.idle();
      assert.equal(asked.map(({ path }) => path.split('/').at(-1)).join(), 'stream-chat-state,abort');
    }));

  it('is resumed for a day if it was suspended', async () => {
    for (const [hours, requests, action] of [
      [23, 1, 'resume'],
      [25, 0, 'resume'],
      [1, 0, 'retry'],
    ] as const) {
      const thread = suspended(Date.now() - hours * 3_600_000, action);
      await afterReload(whole, { thread }, async ({ repository, asked }) => {
        const session = await repository.open(THREAD);
        await session.idle();
        assert.equal(asked.length, requests);
        assert.equal(flat(session.thread)[0]?.outcome?.state, requests === 1 ? 'done' : 'failed');
      });
    }
  });

  it('is locked against other windows until it ends, and each later one too, also if it was queued', () => {
    const { answering, proceed } = inTwoParts();
    return afterReload(answering, {}, async ({ repository, sessions, asked, isLocked, held }) => {
      const session = await repository.open(THREAD);
      const streams = (count: number) => until(() => asked.length === count && session.status === 'streaming');
      await streams(1);
      assert.equal(await isLocked(), true);
      const other = sessions.create();
      void other.send(message());
      await until(() => asked.length === 2 && other.status === 'streaming');
      proceed();
      await until(() => other.status === 'ready' && held() === 1);
      assert.equal(await isLocked(), true, 'only another answer has ended');
      proceed(0);
      await until(async () => session.status === 'ready' && !(await isLocked()));
      void session.send(message('and by month?'));
      await streams(3);
      assert.equal(await isLocked(), true);
      await session.send(message('and by day?'));
      proceed();
      await streams(4);
      await until(() => held() === 1);
      proceed();
      await session.idle();
      await until(() => held() === 0);
    });
  });

  it('passes a lock that it gets only after a stop on to the question that was asked since', () => {
    const { answering, proceed } = inTwoParts();
    return afterReload(answering, { isHeld: true }, async ({ repository, asked, held }, release) => {
      const session = await repository.open(THREAD);
      assert.equal(await session.abort(), 'stopped');
      void session.send(message('and by month?'));
      await until(() => asked.length === 2 && session.status === 'streaming');
      await release();
      await until(() => held() === 1);
      proceed();
      await session.idle();
      await until(() => held() === 0);
    });
  });
});

describe('the chat of a window after a restart', () => {
  it('is the one that was active, or a new one if it is gone; a recording plays no more', () => {
    const stored = new Map<string, unknown>();
    return inWindow(['a', 'b', left()], async (window, again) => {
      window.services.sessions.activate((await window.tab('b'))[2]);
      const reopen = async () => (await again({ stored })).services;
      const { repository, sessions, history } = await reopen();
      assert.equal((await repository.restore()).thread.turns.length, 0);
      const active = await repository.open('b');
      sessions.activate(active);
      sessions.keepDraft('b', message('half'));
      repository.markReadOnly('played');
      await repository.keep(sessions.add(makeThread('played'), undefined, homeOf(finance)));
      await sessions.remove((await repository.open('a')).thread.id);
      assert.equal(sessions.current, active, 'another chat was closed');
      await repository.flush();
      const third = await reopen();
      const [one, other] = await Promise.all([third.repository.restore(), third.repository.restore()]);
      assert.ok(one.thread.id === 'b' && other === one && third.sessions.current === one);
      assert.equal(third.sessions.draft('b').text, 'half');
      assert.equal(third.sessions.connectionOf(await third.repository.open('played')), finance);
      assert.deepEqual(
        ['played', 'b'].map((id) => third.repository.isReadOnly(id)),
        [true, false],
      );
      const store = await history();
      await store.remove('b');
      const last = (await reopen()).repository;
      assert.equal((await last.restore()).thread.turns.length, 0);
      store.save(left(), { origin: '', readOnly: true });
      await store.flush();
      const played = await last.open(THREAD);
      assert.deepEqual([played.status, last.isReadOnly(THREAD)], ['ready', true]);
    });
  });
});

describe('a message that waits for its connection', () => {
  /** @param test gets a chat whose connections are opened by `connect`, and its draft as a reload would restore it */
  async function whileConnecting(
    test: (window: Window, session: ChatSession, connect: () => void, stored: () => Promise<string>) => Promise<void>,
  ): Promise<void> {
    let connecting = Promise.withResolvers<void>();
    const connect = (): void => {
      connecting.resolve();
      connecting = Promise.withResolvers();
    };
    await inWindow(
      [],
      async (window, again) => {
        const session = window.services.sessions.create();
        const stored = async (): Promise<string> => {
          await window.services.repository.flush();
          return (await (await again()).history.read(session.thread.id)).draft.text;
        };
        await test(window, session, connect, stored);
      },
      { answer: whole, ready: () => connecting.promise },
    );
  }

  it('is saved with the draft until it is sent, also if it was queued', () =>
    whileConnecting(async ({ services: { sessions } }, session, connect, stored) => {
      const sending = session.send(message());
      // The composer clears its draft.
      sessions.keepDraft(session.thread.id, emptyDraft);
      assert.equal(await stored(), 'revenue?');
      sessions.keepDraft(session.thread.id, message('and by'));
      assert.equal(await stored(), 'revenue?\nand by');
      await session.send(message('and by month?'));
      connect();
      await sending;
      await until(() => session.thread.queue.length === 0);
      assert.equal(await stored(), 'and by month?\nand by');
      connect();
      await session.idle();
      assert.equal(await stored(), 'and by');
    }));

  it('is saved once if it comes back, but not with a chat that was deleted', () =>
    whileConnecting(async ({ services: { sessions }, history }, session, connect, stored) => {
      const { id } = session.thread;
      let sending = session.send(message());
      await session.abort();
      connect();
      await sending;
      assert.equal(await stored(), 'revenue?');
      sessions.keepDraft(id, emptyDraft);
      sending = session.send(message());
      assert.equal(await stored(), 'revenue?');
      await sessions.remove(id);
      const restore = await history.remove(id);
      connect();
      await sending;
      assert.deepEqual(await history.list(), []);
      await restore();
      assert.equal(await stored(), 'revenue?');
    }));
});

describe('clearing the history', () => {
  it('deletes a chat at once while its answer is being stopped, and does not save it again', async () => {
    let stopping: Asked['response'] | undefined;
    const answering = (asked: Asked): unknown => (isAbort(asked) ? (stopping = asked.response) : begin(asked));
    await whileAnswering(answering, async ({ services: { sessions }, commands, editor, history }) => {
      const session = sessions.create();
      void session.send(message());
      await until(() => session.thread.chatId);
      assert.equal((await history.list()).length, 1);
      editor.answers = ['Delete all chats'];
      const cleared = commands['analyticsChat.clearHistory']();
      const abort = await until(() => stopping);
      await until(async () => (await history.list()).length === 0);
      assert.ok(!abort.closed, 'the chat was deleted only after the request to stop had timed out');
      abort.writeHead(204).end();
      await cleared;
      assert.deepEqual(await history.list(), []);
    });
  });
});

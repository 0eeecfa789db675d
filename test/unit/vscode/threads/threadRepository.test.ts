/** Resumes a running answer after a window reload: once, locked against other windows, and without blocking the user. */
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type { History } from '../../../../src/chat/history/history.ts';
import { emptyDraft } from '../../../../src/shared/protocol/chat.ts';
import { type ErrorAction } from '../../../../src/shared/thread/model.ts';
import type { ThreadRepository } from '../../../../src/vscode/threads/threadRepository.ts';
import type { Sessions } from '../../../../src/vscode/threads/sessions.ts';
import { dispatch, makeThread } from '../../chat/history/support/stores.ts';
import { inWindow } from './window.ts';
import { answer, context, cutoff, delta, echo, message, ndjson, reply, services, type Asked } from '../service.ts';
import { emptyThread, finance, flat, homeOf, until, type ChatSession, type Thread } from '../support.ts';

const { start, closeAll } = services();
afterEach(closeAll);

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

const isAbort = ({ path }: Asked): boolean => path.endsWith('/chat/abort');
const begin = (asked: Asked): unknown =>
  isAbort(asked)
    ? asked.response.writeHead(204).end()
    : asked.response.write(ndjson(cutoff(), echo(asked), delta('The ', 2)));

/** @returns a service that begins each answer, and a function that ends the last one or another */
function inTwoParts(): { answering: (asked: Asked) => unknown; proceed: (at?: number) => unknown } {
  const ends: (() => unknown)[] = [];
  return {
    answering: (asked) => {
      if (isAbort(asked)) return asked.response.writeHead(204).end();
      const [first, ...rest] = answer(asked, TEXT);
      ends.push(() => asked.response.end(ndjson(...rest)));
      return asked.response.write(ndjson(first!));
    },
    proceed: (at = -1) => ends.at(at)?.(),
  };
}

interface Reloaded {
  sessions: Sessions;
  repository: ThreadRepository;
  asked: Asked[];
  /** Releases the lock of the window before. */
  release: () => Promise<unknown>;
  isLocked: () => Promise<boolean>;
  /** The number of locks that this window holds; unlike `isLocked`, it locks nothing itself. */
  held: () => number;
}

/** @param isHeld whether the previous window still has the thread */
async function afterReload(
  answering: (asked: Asked) => unknown,
  isHeld: boolean,
  test: (window: Reloaded) => Promise<void>,
  thread = left(),
): Promise<void> {
  const service = await start(answering);
  await inWindow([thread], async ({ history: old }, again) => {
    const release = isHeld ? await old.lockAnswer(THREAD) : undefined;
    const { history, services } = await again({ service });
    const lockAnswer = history.lockAnswer.bind(history);
    let held = 0;
    history.lockAnswer = async (threadId) => {
      const free = await lockAnswer(threadId);
      held += free ? 1 : 0;
      return free && (() => ((held -= 1), free()));
    };
    const isLocked = async (): Promise<boolean> => {
      const lock = await old.lockAnswer(THREAD);
      await lock?.();
      return lock === undefined;
    };
    const { repository, sessions } = services;
    await test({
      repository,
      sessions,
      asked: service.asked,
      release: async () => release?.(),
      isLocked,
      held: () => held,
    });
  });
}

describe('an answer that was running when the window was left', () => {
  it('is resumed once, however many views show its chat', () =>
    afterReload(begin, false, async ({ repository, asked }) => {
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
    ] as const)
      await afterReload(
        (asked) => reply(asked, ...answer(asked, TEXT)),
        false,
        async ({ repository, asked }) => {
          const session = await repository.open(THREAD);
          await session.idle();
          assert.equal(asked.length, requests);
          assert.equal(flat(session.thread)[0]?.outcome?.state, requests === 1 ? 'done' : 'failed');
        },
        suspended(Date.now() - hours * 3_600_000, action),
      );
  });

  it('is locked against other windows until it ends, and each later one too, also if it was queued', () => {
    const { answering, proceed } = inTwoParts();
    return afterReload(answering, false, async ({ repository, sessions, asked, isLocked, held }) => {
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
    return afterReload(answering, true, async ({ repository, asked, release, held }) => {
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
    return inWindow(
      ['a', 'b', left()],
      async (window, again) => {
        window.services.sessions.activate((await window.tab('b'))[2]);
        const { history, services } = await again({ stored });
        assert.equal((await services.repository.restore()).thread.turns.length, 0);
        const active = await services.repository.open('b');
        services.sessions.activate(active);
        services.sessions.keepDraft('b', message('half'));
        services.repository.markReadOnly('played');
        const recorded = services.sessions.add(makeThread('played'), undefined, homeOf(finance));
        await services.repository.keep(recorded);
        await services.sessions.remove((await services.repository.open('a')).thread.id);
        assert.equal(services.sessions.current, active, 'another chat was closed');
        await services.repository.flush();
        const third = await again({ stored });
        const [one, other] = await Promise.all([
          third.services.repository.restore(),
          third.services.repository.restore(),
        ]);
        assert.ok(one.thread.id === 'b' && other === one && third.services.sessions.current === one);
        assert.equal(third.services.sessions.draft('b').text, 'half');
        const copy = await third.services.repository.open('played');
        assert.equal(third.services.sessions.connectionOf(copy), finance);
        assert.deepEqual(
          ['played', 'b'].map((id) => third.services.repository.isReadOnly(id)),
          [true, false],
        );
        await history.remove('b');
        const { repository } = (await again({ stored })).services;
        assert.equal((await repository.restore()).thread.turns.length, 0);
        history.save(left(), { origin: '', readOnly: true });
        await history.flush();
        const played = await repository.open(THREAD);
        assert.deepEqual([played.status, repository.isReadOnly(THREAD)], ['ready', true]);
      },
      { stored: new Map() },
    );
  });
});

describe('a message that waits for its connection', () => {
  interface Connecting {
    sessions: Sessions;
    session: ChatSession;
    connect: () => void;
    /** The draft that a reload would restore. */
    stored: () => Promise<string>;
    history: History;
  }
  /** @param test gets a chat whose connections are opened by `connect` */
  async function whileConnecting(test: (chat: Connecting) => Promise<void>): Promise<void> {
    const service = await start((asked) => reply(asked, ...answer(asked, TEXT)));
    let connecting = Promise.withResolvers<void>();
    await inWindow(
      [],
      async ({ services: { sessions, repository }, history }, again) => {
        const session = sessions.create();
        const stored = async (): Promise<string> => {
          await repository.flush();
          return (await (await again()).history.read(session.thread.id)).draft.text;
        };
        const connect = (): void => {
          connecting.resolve();
          connecting = Promise.withResolvers();
        };
        await test({ sessions, session, connect, stored, history });
      },
      { service, ready: () => connecting.promise },
    );
  }

  it('is saved with the draft until it is sent, also if it was queued', () =>
    whileConnecting(async ({ sessions, session, connect, stored }) => {
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
    whileConnecting(async ({ sessions, session, connect, stored, history }) => {
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
    const service = await start((asked) => {
      if (isAbort(asked)) stopping = asked.response;
      else begin(asked);
    });
    await inWindow(
      [],
      async ({ services: { sessions }, commands, editor, history }) => {
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
      },
      { service },
    );
  });
});

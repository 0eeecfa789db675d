/** Resumes a running answer after a window reload: once, and without blocking the user. */
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type * as vscode from 'vscode';
import { nodeFiles } from '../../../../src/chat/history/files/nodeFiles.ts';
import type { History } from '../../../../src/chat/history/history.ts';
import type { ChatSession } from '../../../../src/chat/session/chatSession.ts';
import { ThreadRepository } from '../../../../src/vscode/threads/threadRepository.ts';
import type { Sessions } from '../../../../src/vscode/threads/sessions.ts';
import { emptyDraft } from '../../../../src/shared/protocol/chat.ts';
import { emptyThread, type Thread, type ThreadEvent } from '../../../../src/shared/thread/model.ts';
import { until } from '../../../support/until.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';
import { ndjson, reply, services, type Asked, type Service } from '../../api/support/service.ts';
import { answer, cutoff, delta, echo } from '../../chat/support/answers.ts';
import { connectionTo, message, open, context } from '../../chat/support/sessions.ts';
import { about, dispatch, historyOn, inFolder } from '../../chat/history/support/stores.ts';
import { flat } from '../../../support/item.ts';

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
const suspended = (time: number): Thread =>
  dispatch(left(time), { type: 'failed', error: { kind: 'network', message: 'Lost.', actions: ['resume'] } });

/** The part of `Sessions` that a repository uses; the rest needs VS Code. */
function sessionsOn(url: string): Sessions {
  const sessions = new Map<string, ChatSession>();
  let onChange: (change: { session: ChatSession; events: readonly ThreadEvent[] }) => void = () => undefined;
  const subscription = { dispose: () => undefined };
  return {
    onDidChange: (listener: typeof onChange) => {
      onChange = listener;
      return subscription;
    },
    onDraft: () => subscription,
    onDidChangeActive: () => subscription,
    get: (id: string) => sessions.get(id),
    homeOf: () => about,
    add: (thread: Thread) => {
      const { session } = open({ url, thread, onEvents: (events) => onChange({ session, events }) });
      sessions.set(thread.id, session);
      return session;
    },
  } as unknown as Sessions;
}

const memento = { get: () => undefined, update: () => Promise.resolve() } as unknown as vscode.Memento;
/** @returns a repository whose problems fail the test when it is closed */
function repositoryOn(history: History, sessions: Sessions): { repository: ThreadRepository; close: () => void } {
  const problems: unknown[] = [];
  const opened = (): Promise<History> => Promise.resolve(history);
  const report = (problem: unknown): void => void problems.push(problem);
  const repository = new ThreadRepository(opened, sessions, memento, () => about.origin, report);
  return { repository, close: () => (repository.dispose(), assert.deepEqual(problems, [])) };
}

type MakeSessions = new (...of: ConstructorParameters<typeof Sessions>) => Sessions;
/** @param ready settles when a connection may be opened */
async function realSessions(service: Service, ready: () => Promise<void> = () => Promise.resolve()): Promise<Sessions> {
  const { Sessions: Made } = await loadWithEditor<{ Sessions: MakeSessions }>('vscode/threads/sessions.ts', {});
  return new Made({
    connect: async (_home, to) => {
      await ready();
      return { ...connectionTo(service, to), home: about };
    },
    ...{ context: () => context, connectionAt: () => undefined },
    ...{ onFailure: () => undefined, onUnknownLine: () => undefined },
  });
}

const isAbort = ({ path }: Asked): boolean => path.endsWith('/chat/abort');

/** @returns a service that begins each answer, and a function that ends the last one */
function inTwoParts(): { answering: (asked: Asked) => void; proceed: () => void } {
  let end = (): void => undefined;
  return {
    answering: (asked) => {
      const [first, ...rest] = answer(asked, TEXT);
      asked.response.write(ndjson(first!));
      end = () => void asked.response.end(ndjson(...rest));
    },
    proceed: () => end(),
  };
}

/** @param isHeld whether the previous window still has the thread */
async function afterReload(
  answering: (asked: Asked) => unknown,
  isHeld: boolean,
  test: (window: {
    repository: ThreadRepository;
    asked: Asked[];
    release: () => Promise<void>;
    isLocked: () => Promise<boolean>;
    /** The number of locks that this window holds; unlike `isLocked`, it locks nothing itself. */
    held: () => number;
  }) => Promise<void>,
  thread = left(),
): Promise<void> {
  await inFolder(async (folder) => {
    const old = historyOn(await nodeFiles(folder)).history;
    old.save(thread, about);
    await old.flush();
    const release = isHeld ? await old.lockAnswer(THREAD) : undefined;
    const service = await start(answering);
    const { history } = historyOn(await nodeFiles(folder));
    const lockAnswer = history.lockAnswer.bind(history);
    let held = 0;
    history.lockAnswer = async (threadId) => {
      const free = await lockAnswer(threadId);
      held += free ? 1 : 0;
      return free && (() => ((held -= 1), free()));
    };
    const { repository, close } = repositoryOn(history, sessionsOn(service.url));
    /** Whether another window could not take up the answer now. */
    const isLocked = async (): Promise<boolean> => {
      const lock = await old.lockAnswer(THREAD);
      await lock?.();
      return lock === undefined;
    };
    await test({ repository, asked: service.asked, release: async () => release?.(), isLocked, held: () => held });
    close();
  });
}

const begin = (asked: Asked): unknown =>
  isAbort(asked)
    ? asked.response.writeHead(204).end()
    : asked.response.write(ndjson(cutoff(), echo(asked), delta('The ', 2)));

describe('an answer that was running when the window was left', () => {
  it('is resumed once, however many views show its chat', () =>
    afterReload(begin, false, async ({ repository, asked }) => {
      const [one, other] = await Promise.all([repository.open(THREAD), repository.open(THREAD)]);
      assert.equal(one, other);
      await until(() => flat(one.thread).length > 1);
      await one.abort();
      await one.idle();
      assert.deepEqual(
        asked.map(({ path }) => path.split('/').at(-1)),
        ['stream-chat-state', 'abort'],
      );
    }));

  it('is resumed for a day if it was suspended', async () => {
    const whole = (asked: Asked): unknown => reply(asked, ...answer(asked, TEXT));
    for (const [time, requests] of [
      [Date.now() - 23 * 3_600_000, 1],
      [Date.now() - 25 * 3_600_000, 0],
    ] as const)
      await afterReload(
        whole,
        false,
        async ({ repository, asked }) => {
          const session = await repository.open(THREAD);
          await session.idle();
          assert.equal(asked.length, requests);
          assert.equal(flat(session.thread)[0]?.outcome?.state, requests === 1 ? 'done' : 'failed');
        },
        suspended(time),
      );
  });

  it('can be stopped while the window before still has it', () =>
    afterReload(begin, true, async ({ repository, asked, release }) => {
      const session = await repository.open(THREAD);
      assert.equal(await session.abort(), 'stopped');
      assert.deepEqual([session.status, flat(session.thread)[0]?.outcome?.state], ['ready', 'stopped']);
      await release();
      await session.idle();
      assert.deepEqual(asked.map(isAbort), [true]);
    }));

  it('delays questions that are asked meanwhile', () =>
    afterReload(
      (asked) => reply(asked, ...answer(asked, TEXT)),
      true,
      async ({ repository, asked, release }) => {
        const session = await repository.open(THREAD);
        await session.send(message('and by month?'));
        assert.deepEqual([session.thread.queue.length, asked.length], [1, 0]);
        await release();
        await until(() => session.thread.queue.length === 0 && session.status === 'ready');
        const told = flat(session.thread).map(({ content, outcome }) => [content, outcome?.state]);
        assert.deepEqual(told, [
          ['revenue?', 'done'],
          [TEXT, undefined],
          ['and by month?', 'done'],
          [TEXT, undefined],
        ]);
      },
    ));

  it('is locked against other windows until it ends, and the next one again', () => {
    const { answering, proceed } = inTwoParts();
    return afterReload(answering, false, async ({ repository, asked, isLocked }) => {
      const session = await repository.open(THREAD);
      for (const count of [1, 2]) {
        await until(() => asked.length === count && session.status === 'streaming');
        assert.equal(await isLocked(), true);
        proceed();
        await session.idle();
        await until(async () => !(await isLocked()));
        if (count === 1) void session.send(message('and by month?'));
      }
    });
  });

  it('is locked also if it was queued behind another one', () => {
    const { answering, proceed } = inTwoParts();
    return afterReload(answering, false, async ({ repository, asked, held }) => {
      const session = await repository.open(THREAD);
      await until(() => asked.length === 1 && session.status === 'streaming');
      await session.send(message('and by month?'));
      proceed();
      await until(() => asked.length === 2 && session.status === 'streaming');
      await until(() => held() === 1);
      proceed();
      await session.idle();
      await until(() => held() === 0);
    });
  });

  it('passes a lock that it gets only after a stop on to the question that was asked since', () => {
    const { answering, proceed } = inTwoParts();
    const stopping = (asked: Asked): unknown =>
      isAbort(asked) ? asked.response.writeHead(204).end() : answering(asked);
    return afterReload(stopping, true, async ({ repository, asked, release, held }) => {
      const session = await repository.open(THREAD);
      await session.abort();
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

describe('a message that waits for its connection', () => {
  /** @param test gets a chat whose connections are opened by `connect`, and the draft that a reload would restore */
  const whileConnecting = (
    test: (chat: {
      sessions: Sessions;
      session: ChatSession;
      connect: () => void;
      stored: () => Promise<string>;
      history: History;
    }) => Promise<void>,
  ): Promise<void> =>
    inFolder(async (folder) => {
      const service = await start((asked) => reply(asked, ...answer(asked, TEXT)));
      let connecting = Promise.withResolvers<void>();
      const sessions = await realSessions(service, () => connecting.promise);
      const { history } = historyOn(await nodeFiles(folder));
      const { repository, close } = repositoryOn(history, sessions);
      const session = sessions.create();
      const stored = async (): Promise<string> => {
        await repository.flush();
        return (await historyOn(await nodeFiles(folder)).history.read(session.thread.id)).draft.text;
      };
      const connect = (): void => {
        connecting.resolve();
        connecting = Promise.withResolvers();
      };
      await test({ sessions, session, connect, stored, history });
      close();
    });

  it('is saved with the draft until it is sent', () =>
    whileConnecting(async ({ sessions, session, connect, stored }) => {
      const sending = session.send(message());
      // The composer clears its draft.
      sessions.keepDraft(session.thread.id, emptyDraft);
      assert.equal(await stored(), 'revenue?');
      sessions.keepDraft(session.thread.id, message('and by'));
      assert.equal(await stored(), 'revenue?\nand by');
      connect();
      await sending;
      assert.equal(await stored(), 'and by');
    }));

  it('is saved with the draft also if it was queued', () =>
    whileConnecting(async ({ session, connect, stored }) => {
      const sending = session.send(message());
      await session.send(message('and by month?'));
      connect();
      await sending;
      await until(() => session.thread.queue.length === 0);
      assert.equal(await stored(), 'and by month?');
      connect();
      await session.idle();
      assert.equal(await stored(), '');
    }));

  it('is saved once if it comes back', () =>
    whileConnecting(async ({ sessions, session, connect, stored }) => {
      sessions.onUnsent(({ message: unsent }) => sessions.keepDraft(session.thread.id, unsent));
      const sending = session.send(message());
      await session.abort();
      connect();
      await sending;
      assert.equal(await stored(), 'revenue?');
    }));

  it('does not come back to the history with a chat that was deleted', () =>
    whileConnecting(async ({ sessions, session, connect, stored, history }) => {
      sessions.onUnsent(({ message: unsent }) => sessions.keepDraft(session.thread.id, unsent));
      const sending = session.send(message());
      assert.equal(await stored(), 'revenue?');
      await sessions.remove(session.thread.id);
      const restore = await history.remove(session.thread.id);
      connect();
      await sending;
      assert.deepEqual(await history.list(), []);
      await restore();
      assert.equal(await stored(), 'revenue?');
    }));
});

describe('clearing the history', () => {
  it('deletes a chat at once while its answer is being stopped, and does not save it again', () =>
    inFolder(async (folder) => {
      const { clearHistory } = await loadWithEditor<{ clearHistory: (services: object) => Promise<void> }>(
        'vscode/threads/historyCommands.ts',
        { window: { showWarningMessage: () => Promise.resolve('Delete all chats') } },
      );
      let stopping: Asked['response'] | undefined;
      const service = await start((asked) => {
        if (isAbort(asked)) stopping = asked.response;
        else begin(asked);
      });
      const sessions = await realSessions(service);
      const { history } = historyOn(await nodeFiles(folder));
      const { repository, close } = repositoryOn(history, sessions);
      const session = sessions.create();
      void session.send(message());
      await until(() => session.thread.chatId);
      assert.equal((await history.list()).length, 1);
      const shared = { sessions, repository, history: () => Promise.resolve(history) };
      const cleared = clearHistory({ ...shared, views: { all: [] }, unread: { clear: () => undefined } });
      const abort = await until(() => stopping);
      await until(async () => (await history.list()).length === 0);
      assert.ok(!abort.closed, 'the chat was deleted only after the request to stop had timed out');
      abort.writeHead(204).end();
      await cleared;
      assert.deepEqual(await history.list(), []);
      close();
    }));
});

/** Which request each action of a session makes, from each state of the thread. */
import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { describe, it } from 'mocha';
import { ChatError } from '../../../../src/api/errors.ts';
import { abortOnService } from '../../../../src/chat/session/stop.ts';
import { emptyThread, type Thread, type TurnOutcome } from '../../../../src/shared/thread/model.ts';
import { turnsOf } from '../../../../src/shared/thread/turns.ts';
import { makeTurn } from '../../../support/item.ts';
import { until } from '../../../support/until.ts';
import {
  fakeClient,
  line,
  marker,
  state,
  untilAborted,
  user,
  type Batch,
  type FakeClient,
} from '../support/fakeClient.ts';
import { answerOf, context, instantClock, message, open, outcomeOf, type Opened } from '../support/sessions.ts';

const error = (kind: string) => ({ kind, message: 'No.', actions: [] });
const failed = (kind: string): TurnOutcome => ({ state: 'failed', error: error(kind) });
const done: TurnOutcome = { state: 'done' };
/** A thread with one question, under the id `q`. */
const asked = (outcome?: TurnOutcome, isOurs = true): Thread => {
  const turn = makeTurn({ id: 'q', content: 'Why?', ...(isOurs ? { context } : {}) });
  const turns = [outcome ? { ...turn, outcome } : turn];
  return { ...emptyThread('t'), chatId: 'c', messageId: 'q', turns };
};

function sessionOn(thread: Thread, fake: FakeClient): Opened {
  const connection = { client: fake.client, context, stallTimeout: 1000 };
  return open({ url: '', thread, clock: instantClock(), connect: () => Promise.resolve(connection) });
}

/** What the first request is for: the last question again, a new one, or the thread. A backfill may follow. */
const kindOf = ({ requests: [first] }: FakeClient): string => {
  if (first?.input === undefined) return first ? 'read' : 'none';
  return first.messageId === 'q' ? 'again' : 'new';
};
const final = line('a', { graphPath: ['final'] });
const complete = (): Batch[] => [[marker, final, state]];

describe('an action on a thread', () => {
  const unread: Thread = { ...asked(done), error: error('server'), status: 'error' };
  const stopped: TurnOutcome = { state: 'stopped', service: 'stopped' };
  const threads: [what: string, thread: Thread, retry: string, attach: string, reattach: string][] = [
    ['without questions', { ...emptyThread('t'), chatId: 'c' }, 'read', 'read', 'none'],
    ['without questions and id', emptyThread('t'), 'none', 'none', 'none'],
    ['that could not be read', unread, 'read', 'read', 'again'],
    ['whose answer is open', asked(), 'new', 'again', 'again'],
    ['whose answer was lost', asked(failed('network')), 'again', 'again', 'again'],
    ['whose answer failed', asked(failed('stream')), 'new', 'read', 'again'],
    ['whose answer is complete', asked(done), 'new', 'read', 'again'],
    ['whose answer was stopped', asked(stopped), 'new', 'read', 'again'],
    ['with a question asked elsewhere', asked(undefined, false), 'new', 'read', 'again'],
  ];
  for (const [what, thread, ...expected] of threads)
    for (const [at, action] of (['retry', 'attach', 'reattach'] as const).entries())
      it(`${what} makes the right request: ${action}`, async () => {
        const fake = fakeClient(complete);
        const { session } = sessionOn(thread, fake);
        await session[action]();
        assert.equal(kindOf(fake), expected[at]);
        assert.deepEqual([session.thread.error, session.status], [undefined, 'ready']);
      });

  it('is ignored during a request', async () => {
    const fake = fakeClient(() => [[marker], untilAborted]);
    const { session, events } = sessionOn(asked(failed('network')), fake);
    const running = session.reattach();
    await new Promise(setImmediate);
    const before = events.length;
    for (const action of ['retry', 'attach', 'reattach', 'load'] as const) await session[action]();
    assert.deepEqual([events.length, fake.requests.length], [before, 1]);
    await session.abort();
    await running;
  });

  it('that fails unexpectedly does not block the next one', async () => {
    const fake = fakeClient(complete);
    const { session } = sessionOn(asked(), fake);
    await assert.rejects(session.reattach(Promise.reject(new Error('no lock'))), /no lock/);
    await session.send(message());
    assert.deepEqual([fake.requests.length, outcomeOf(session)], [1, 'done']);
  });

  it('is followed by both questions if an unsent one is queued twice meanwhile', async () => {
    const fake = fakeClient((_, index) => (index === 0 ? [new ChatError('busy', 'x')] : complete()));
    const { session } = sessionOn(asked(), fake);
    await session.send(message());
    void session.reattach();
    await Promise.all([session.send(message()), session.send(message())]);
    await session.idle();
    assert.deepEqual(
      turnsOf(session.thread).map(({ question }) => question?.content),
      ['Why?', message().text, message().text],
    );
    assert.deepEqual(session.thread.queue, []);
  });

  it('that fails to read a thread with a suspended answer offers to read it again', async () => {
    const fake = fakeClient(() => [[{ ...marker, suspended: 'x' }], new ChatError('auth', 'x')]);
    const { session } = sessionOn({ ...emptyThread('t'), chatId: 'c' }, fake);
    await session.load();
    assert.deepEqual(session.thread.error?.actions, ['setApiKey', 'retry']);
  });

  it('reads the thread if the service has nothing more to say, and nothing was received before', async () => {
    const fake = fakeClient(({ input }) =>
      input === undefined ? [[user('q', 'Why?'), final, marker, state]] : [[marker, user('q', 'Why?'), state]],
    );
    const { session } = sessionOn(asked(failed('network')), fake);
    await session.reattach();
    assert.deepEqual([fake.requests.length, answerOf(session)], [2, 'a']);
  });
});

describe('a stop', () => {
  it('during the read of the thread after an answer drops what was read', async () => {
    const fake = fakeClient(({ input }) =>
      input === undefined ? [[user('q', 'Why?'), final], [marker], untilAborted] : complete(),
    );
    const { session } = sessionOn(asked(), fake);
    const running = session.reattach();
    await until(() => fake.requests.length === 2);
    await session.abort();
    await running;
    assert.deepEqual([session.status, outcomeOf(session)], ['ready', 'done']);
  });

  for (const action of ['reattach', 'load'] as const)
    it(`stops the answer on the service: ${action}`, async () => {
      const fake = fakeClient(() => [[marker], untilAborted]);
      const { session } = sessionOn(asked(), fake);
      const running = session[action]();
      await new Promise(setImmediate);
      assert.equal(await session.abort(), 'stopped');
      await running;
      assert.deepEqual([fake.aborts, session.status], [['c'], 'ready']);
    });

  it('makes no request while another window reads the answer', async () => {
    const fake = fakeClient(complete);
    const { session } = sessionOn(asked(), fake);
    let free = (): void => undefined;
    const running = session.reattach(new Promise<void>((resolve) => (free = resolve)));
    await session.abort();
    free();
    await running;
    assert.deepEqual([fake.requests, fake.aborts], [[], ['c']]);
  });

  it('ends the wait for another connection at once, also in a new thread without an id', async () => {
    const fake = fakeClient(() => [new ChatError('network', 'x')]);
    const waits: number[] = [];
    const sleep = (ms: number, signal: AbortSignal): Promise<void> => {
      waits.push(ms);
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
    };
    const connect = () => Promise.resolve({ client: fake.client, context, stallTimeout: 1000 });
    const { session } = open({ url: '', connect, clock: { ...instantClock(), sleep } });
    const asking = session.send(message());
    await new Promise(setImmediate);
    assert.equal(session.thread.reconnecting?.attempt, 1);
    assert.equal(await session.abort(), 'unreachable');
    await asking;
    assert.deepEqual([outcomeOf(session), fake.requests.length, fake.aborts], ['stopped', 1, []]);
    assert.ok(waits[0] !== 8000);
  });

  /** A session whose first answer never ends, and whose abort request is answered by the returned function. */
  async function stopping(): Promise<{ session: Opened['session']; respond: () => void; stopped: Promise<unknown> }> {
    let respond = (): void => undefined;
    const fake = fakeClient(
      (_, index) => (index === 0 ? [[marker], untilAborted] : complete()),
      () => new Promise<void>((resolve) => (respond = resolve)),
    );
    const { session } = sessionOn(asked(), fake);
    const running = session.reattach();
    await new Promise(setImmediate);
    const stopped = session.abort();
    await running;
    return { session, respond: () => respond(), stopped };
  }

  it('does not end an answer that is read again before the service has responded', async () => {
    const { session, respond, stopped } = await stopping();
    await session.reattach();
    respond();
    assert.equal(await stopped, 'stopped');
    assert.equal(outcomeOf(session), 'done');
  });

  it('has its outcome although another question was asked before the service has responded', async () => {
    const { session, respond, stopped } = await stopping();
    const asking = session.send(message('And now?'));
    await new Promise(setImmediate);
    respond();
    await Promise.all([stopped, asking]);
    assert.deepEqual(
      turnsOf(session.thread).map(({ outcome }) => outcome),
      [{ state: 'stopped', service: 'stopped' }, done],
    );
  });
});

describe('stopping on the service', () => {
  const connectionWith = (fake: FakeClient) => ({ client: fake.client, context, stallTimeout: 1 });
  const rejecting = (failure: Error) => fakeClient(complete, () => Promise.reject(failure));

  it('has the outcome that the service reports', async () => {
    for (const [fake, outcome] of [
      [fakeClient(complete), 'stopped'],
      [rejecting(new ChatError('forbidden', 'x')), 'forbidden'],
      [rejecting(new ChatError('notFound', 'x')), 'notFound'],
      [rejecting(new ChatError('server', 'x')), 'unreachable'],
      [rejecting(new TypeError('fetch failed')), 'unreachable'],
    ] as const) {
      assert.equal(await abortOnService(connectionWith(fake), 'c'), outcome);
      assert.deepEqual(fake.aborts, ['c']);
    }
  });

  /** Stops the answer of a new thread, which gets its id only while the stop waits for it, if at all. */
  async function stopNew(stopPatience?: number, chatId?: string) {
    const fake = fakeClient(() => [untilAborted]);
    const clock = instantClock();
    const connection = connectionWith(fake);
    const { session } = open({ url: '', clock, stopPatience, connect: () => Promise.resolve(connection) });
    const asking = session.send(message());
    await new Promise(setImmediate);
    const stopping = session.abort();
    if (chatId) session.dispatch([{ type: 'named', chatId }]);
    const outcome = await stopping;
    await asking;
    return { outcome, waits: clock.waits, aborts: fake.aborts };
  }

  it('waits eight seconds for the id of a new thread, and is impossible without one', async () => {
    assert.deepEqual(await stopNew(), { outcome: 'unreachable', waits: [8000], aborts: [] });
  });

  it('is impossible without a connection', async () => {
    const connect = () => Promise.reject(new ChatError('network', 'x'));
    const { session } = open({ url: '', thread: asked(), clock: instantClock(), connect });
    const running = session.reattach(new Promise(setImmediate));
    assert.equal(await session.abort(), 'unreachable');
    await running;
    assert.equal(outcomeOf(session), 'stopped');
  });

  it('waits for the id and for the service no longer than it should', async () => {
    const timeout = mock.method(AbortSignal, 'timeout');
    assert.deepEqual(await stopNew(50, 'c'), { outcome: 'stopped', waits: [50], aborts: ['c'] });
    assert.deepEqual(timeout.mock.calls.at(-1)?.arguments, [50]);
    timeout.mock.restore();
  });

  it('is followed by the question that the service refused meanwhile', async () => {
    const fake = fakeClient((_, index) => (index === 0 ? [new ChatError('busy', 'x')] : complete()));
    const { session, unsent } = sessionOn(asked(done), fake);
    await session.send(message('Now?'));
    assert.equal(unsent.length, 1);
    await session.stopAndSend();
    assert.deepEqual(fake.aborts, ['c']);
    assert.deepEqual(
      fake.requests.slice(0, 2).map(({ input }) => input),
      ['Now?', 'Now?'],
    );
    assert.equal(outcomeOf(session), 'done');
  });

  it('is followed by that question as the user has edited it, before queued ones', async () => {
    const fake = fakeClient((_, index) => (index === 0 ? [new ChatError('busy', 'x')] : complete()));
    const { session } = sessionOn({ ...asked(done), queue: [{ id: 'q', text: 'Later?', images: [] }] }, fake);
    await session.sendQueued('q');
    session.dispatch([{ type: 'queued', message: { id: 'r', text: 'Next?', images: [] } }]);
    await session.stopAndSend(message('Now?'));
    await session.idle();
    assert.deepEqual(
      fake.requests.map(({ input }) => input),
      ['Later?', 'Now?', 'Next?'],
    );
  });

  it('is reported, and the question not sent again, if the answer belongs to another user', async () => {
    const fake = fakeClient(
      () => [new ChatError('busy', 'x')],
      () => Promise.reject(new ChatError('forbidden', 'x')),
    );
    const { session } = sessionOn(asked(done), fake);
    await session.send(message('Now?'));
    await session.stopAndSend();
    assert.deepEqual([session.thread.error?.kind, session.status], ['forbidden', 'error']);
    assert.match(session.thread.error?.message ?? '', /Choose another identity/);
    assert.deepEqual([fake.aborts, fake.requests.length], [['c'], 1]);
    await session.retry();
    assert.equal(fake.requests.at(-1)?.input, 'Now?');
  });

  it('does not affect a question that was asked meanwhile', async () => {
    const fake = fakeClient(
      (_, index) => (index === 0 ? [new ChatError('busy', 'x')] : complete()),
      () => {
        void session.send(message('And now?'));
        return Promise.reject(new ChatError('forbidden', 'x'));
      },
    );
    const { session, failures } = sessionOn(asked(done), fake);
    await session.send(message('Now?'));
    await session.stopAndSend();
    await session.idle();
    assert.deepEqual(
      [failures.map(({ kind }) => kind), fake.requests.map(({ input }) => input), session.status],
      [['busy'], ['Now?', 'And now?'], 'ready'],
    );
  });

  it('that cannot connect does not affect a question that was asked meanwhile', async () => {
    const fake = fakeClient(() => [[marker], untilAborted]);
    let refuse = (): void => undefined;
    const connect = mock.fn(() => Promise.resolve({ client: fake.client, context, stallTimeout: 1000 }));
    connect.mock.mockImplementationOnce(() => new Promise((_, reject) => (refuse = () => reject(new Error('no key')))));
    const { session, failures } = open({ url: '', thread: asked(failed('busy')), clock: instantClock(), connect });
    const stopping = session.stopAndSend();
    const asking = session.send(message());
    await until(() => session.status === 'streaming');
    refuse();
    await stopping;
    assert.deepEqual([session.status, failures, fake.aborts], ['streaming', [], []]);
    await session.abort();
    await asking;
  });

  it('is followed by a retry if no question was refused, and by nothing without a connection', async () => {
    const fake = fakeClient(complete);
    const { session } = sessionOn(asked(failed('network')), fake);
    await session.stopAndSend();
    assert.deepEqual([fake.aborts, kindOf(fake)], [['c'], 'again']);
    const offline = open({ url: '', thread: asked(), connect: () => Promise.reject(new ChatError('auth', 'x')) });
    await offline.session.stopAndSend();
    assert.deepEqual([offline.failures.length, outcomeOf(offline.session)], [1, 'failed']);
  });
});

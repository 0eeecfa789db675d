import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { afterEach, describe, it } from 'mocha';
import { emptyThread } from '../../../../src/shared/thread/model.ts';
import { until } from '../../../support/until.ts';
import { ndjson, reply, services } from '../../api/support/service.ts';
import { answer, cutoff, delta, echo, final, state } from '../support/answers.ts';
import { answerOf, context, instantClock, message, open, outcomeOf } from '../support/sessions.ts';
import { flat, makeTurn } from '../../../support/item.ts';

const { start, closeAll } = services();
afterEach(closeAll);
afterEach(() => mock.timers.reset());
const thread = { ...emptyThread('t'), chatId: 'c1' };

describe('reading a thread', () => {
  it('adds missing turns without duplicating existing ones', async () => {
    const history = [
      { id: 'u1', role: 'user', content: 'earlier', sort: 1 },
      { ...final('Old answer', 2), id: 'a1' },
    ];
    const service = await start((asked) => reply(asked, ...history, cutoff(), state));
    const { session } = open({
      url: service.url,
      thread,
    });
    await session.load();
    await session.load();
    assert.deepEqual(service.asked[0]?.body, { chatId: 'c1', sessionSettings: { externalId: 'dev' } });
    assert.deepEqual(
      flat(session.thread).map(({ content }) => content),
      ['earlier', 'Old answer'],
    );
    assert.equal(session.status, 'ready');
  });

  it('applies a long thread in few batches, however small its chunks are', async () => {
    const history = Array.from({ length: 1000 }, (_, at) => ({ ...final(`Answer ${at}`, at), id: `a${at}` }));
    const chunks = [cutoff(), ...history, state].map((line) => new TextEncoder().encode(ndjson(line)));
    const body = (): ReadableStream =>
      new ReadableStream({
        pull: (controller) => {
          const chunk = chunks.shift();
          if (chunk) controller.enqueue(chunk);
          else controller.close();
        },
      });
    let batches = 0;
    const { session } = open({
      url: 'http://127.0.0.1',
      thread,
      fetch: () => Promise.resolve(new Response(body())),
      onEvents: (events) => void (batches += Number(events.some(({ type }) => type === 'line'))),
    });
    await session.load();
    assert.equal(flat(session.thread).length, 1000);
    assert.ok(batches < 20, `${batches} batches`);
  });

  it("waits while another client's answer is running, and Retry reads it after a failure", async () => {
    const service = await start((asked) => {
      if (service.asked.length === 1) return asked.response.writeHead(404).end();
      const busy = service.asked.length < 4;
      return reply(asked, cutoff('c1', busy), busy ? delta('Half', 2) : final('Half and half', 3), state);
    });
    const { session, failures } = open({
      url: service.url,
      clock: instantClock(),
      thread,
    });
    await session.load();
    assert.deepEqual([failures.length, session.thread.error?.kind], [1, 'notFound']);
    await session.retry();
    assert.deepEqual([answerOf(session), session.status, service.asked.length], ['Half and half', 'ready', 4]);
  });

  it('leaves its questions unchanged if it fails', async () => {
    const service = await start(({ response }) => response.writeHead(404).end());
    const turns = [makeTurn({ id: 'q', content: 'Why?', context })];
    const { session, unsent } = open({ url: service.url, thread: { ...thread, turns } });
    await session.load();
    assert.deepEqual([unsent, session.thread.error?.kind, session.thread.turns], [[], 'notFound', turns]);
  });

  it('is done once, also if a line is corrupt', async () => {
    const service = await start(({ response }) =>
      response.end(ndjson(final('Up.', 2)) + ndjson(delta('x', 3)).replace('{', '<') + ndjson(cutoff(), state)),
    );
    const { session } = open({ url: service.url, thread });
    await session.load();
    assert.deepEqual([service.asked.length, session.thread.unknownLines, session.status], [1, 1, 'ready']);
  });

  it("waits while another client's answer is running, although the last answer is complete", async () => {
    const service = await start((asked) =>
      reply(
        asked,
        { id: 'q', role: 'user', content: 'Why?' },
        final('Up.', 2),
        cutoff('c1', service.asked.length < 3),
        state,
      ),
    );
    const { session } = open({ url: service.url, clock: instantClock(), thread });
    await session.load();
    assert.deepEqual([service.asked.length, answerOf(session), session.status], [3, 'Up.', 'ready']);
  });

  it("reads no more often than every two seconds while another client's answer grows", async () => {
    const service = await start((asked) => {
      const count = service.asked.length;
      return reply(asked, { ...final('w '.repeat(count), 2), isInProcess: count < 5 }, cutoff('c1', count < 5), state);
    });
    const clock = instantClock();
    const { session, events } = open({ url: service.url, clock, thread });
    await session.load();
    assert.deepEqual([clock.waits, session.status], [[2000, 2000, 2000, 2000], 'ready']);
    assert.ok(events.every(({ type }) => type !== 'reconnecting'));
  });

  it('does not loop on a suspended thread', async () => {
    const suspended = { id: '__suspended__', type: 'suspend', retryable: true, error: 'later' };
    const service = await start((asked) => reply(asked, cutoff(), suspended));
    const { session } = open({
      url: service.url,
      clock: instantClock(),
      thread,
    });
    await session.load();
    assert.equal(service.asked.length, 1);
  });
});

describe('the end of a stream', () => {
  it('allows for a usage line after it, but not for a connection that stays open', async () => {
    const usage = { id: '__usage__', type: 'usage', usage: { totalTokens: 7 } };
    const service = await start((asked) => {
      asked.response.write(ndjson(...answer(asked, 'x')));
      setImmediate(() => asked.response.write(ndjson(usage)));
    });
    const { session } = open({ url: service.url });
    await session.send(message());
    assert.deepEqual(flat(session.thread)[0]?.usage, { totalTokens: 7 });
    assert.equal(outcomeOf(session), 'done');
  });

  for (const chunks of ['one chunk', 'two chunks'])
    it(`by an abort on the service allows for the usage line, and nothing else, in ${chunks}`, async () => {
      const aborted = { id: '__aborted__', type: 'abort', code: 'chat_aborted', error: 'x' };
      const late = [delta('lf', 3), { id: '__usage__', type: 'usage', usage: { totalTokens: 7 } }, delta('more', 4)];
      const service = await start(async (asked) => {
        const { response } = asked;
        const lines = [cutoff(), echo(asked), delta('Ha', 2), aborted];
        if (chunks === 'one chunk') return response.end(ndjson(...lines, ...late));
        response.write(ndjson(...lines));
        await until(() => isAborted());
        return response.end(ndjson(...late));
      });
      const { session, events } = open({ url: service.url });
      const isAborted = (): boolean => events.some((event) => event.type === 'line' && event.line.kind === 'aborted');
      await session.send(message());
      assert.deepEqual([answerOf(session), outcomeOf(session)], ['Ha', 'stopped']);
      assert.deepEqual(flat(session.thread)[0]?.usage, { totalTokens: 7 });
    });

  it('is delayed as long as lines follow an early final line', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const settle = async (): Promise<void> => {
      for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
    };
    let write: (...lines: object[]) => void = () => undefined;
    const answering: typeof fetch = (_, init) =>
      Promise.resolve(
        new Response(
          new ReadableStream({
            start: (controller) => {
              write = (...lines) => controller.enqueue(Buffer.from(ndjson(...lines)));
              init?.signal?.addEventListener('abort', () => controller.error(new Error('aborted')));
            },
          }),
        ),
      );
    const { session } = open({ url: 'http://localhost', fetch: answering });
    const asking = session.send(message());
    await settle();
    write(cutoff(), delta('Revenue ', 2), state);
    for (const [at, word] of ['grew ', 'by ', '12 %.'].entries()) {
      await settle();
      mock.timers.tick(600);
      write(delta(word, at + 3));
    }
    await settle();
    mock.timers.tick(1000);
    await asking;
    assert.deepEqual([answerOf(session), outcomeOf(session)], ['Revenue grew by 12 %.', 'done']);
  });
});

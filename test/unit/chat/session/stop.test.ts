import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type { Clock } from '../../../../src/chat/session/clock.ts';
import { until } from '../../../support/until.ts';
import { ndjson, reply, services, type Asked } from '../../api/support/service.ts';
import { answer, cutoff, delta, echo } from '../support/answers.ts';
import { answerOf, connectionTo, instantClock, message, open, outcomeOf } from '../support/sessions.ts';
import { flat } from '../../../support/item.ts';

const { start, closeAll } = services();
afterEach(closeAll);

const isAbort = ({ path }: Asked): boolean => path.endsWith('/chat/abort');
/** Writes the start of an answer and never ends. */
const endless = (asked: Asked): void => {
  asked.response.write(ndjson(cutoff(), echo(asked), delta('Half', 2)));
};
/** A clock that stands still. */
const waiting: Clock = {
  now: () => 1_700_000_000_000,
  random: () => 1,
  sleep: (_, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
};
const stopOf = (outcome: unknown): unknown => (outcome as { service?: string } | undefined)?.service;

describe('stopping', () => {
  for (const [status, outcome, body = ''] of [
    [204, 'stopped'],
    [403, 'forbidden'],
    [404, 'notFound'],
    [404, 'unreachable', '<html><h1>404 Not Found</h1></html>'],
    [500, 'unreachable'],
  ] as const)
    it(`shows the outcome when the service responds with ${status}${body && ` and ${body}`}`, async () => {
      const service = await start((asked) =>
        isAbort(asked) ? asked.response.writeHead(status).end(body) : endless(asked),
      );
      const { session } = open({ url: service.url });
      const asking = session.send(message());
      await until(() => answerOf(session) === 'Half');
      assert.equal(await session.abort(), outcome);
      await asking;
      const abort = service.asked.find(isAbort);
      assert.deepEqual(abort?.body, { chatId: 'c1', sessionSettings: { externalId: 'dev' } });
      assert.deepEqual(flat(session.thread)[0]?.outcome, { state: 'stopped', service: outcome });
      assert.deepEqual([answerOf(session), session.status], ['Half', 'ready']);
    });

  it('takes effect at once, even if the service hangs', async () => {
    const service = await start((asked) => {
      if (!isAbort(asked)) endless(asked);
      // The stop is sent again after its connection was closed.
      else if (service.asked.filter(isAbort).length > 1) asked.response.destroy();
    });
    const { session } = open({ url: service.url });
    void session.send(message());
    await until(() => answerOf(session) === 'Half');
    const stopping = session.abort();
    assert.equal(session.status, 'ready');
    assert.equal(stopOf(flat(session.thread)[0]?.outcome), 'pending');
    await session.idle();
    await until(
      () => service.asked.some(isAbort),
      () => 'nothing was told to stop',
    );
    service.asked.find(isAbort)?.response.destroy();
    assert.equal(await stopping, 'unreachable');
    assert.equal(stopOf(flat(session.thread)[0]?.outcome), 'unreachable');
  });

  it('does not affect the next question if the stopped one fails to connect later', async () => {
    const service = await start((asked) => (isAbort(asked) ? asked.response.writeHead(204).end() : endless(asked)));
    let refuse: (failure: Error) => void = () => undefined;
    let count = 0;
    const { session, unsent, failures } = open({
      url: service.url,
      connect: (to) => {
        count += 1;
        if (count === 1) return new Promise((_, reject) => (refuse = reject));
        return Promise.resolve(connectionTo({ url: service.url }, to));
      },
    });
    const first = session.send(message('first'));
    await session.abort();
    void session.send(message('second'));
    await until(() => answerOf(session) === 'Half');
    refuse(new Error('no key'));
    await first;
    assert.deepEqual([session.status, session.thread.error, failures], ['streaming', undefined, []]);
    assert.deepEqual(
      unsent.map(({ text }) => text),
      ['first'],
    );
    await session.abort();
    assert.equal(outcomeOf(session), 'stopped');
  });

  it('waits for an earlier stop, also if a question that waited for it was stopped', async () => {
    let hangs = true;
    const service = await start((asked) => {
      if (!isAbort(asked)) return endless(asked);
      return hangs ? undefined : asked.response.writeHead(204).end();
    });
    const { session } = open({ url: service.url });
    void session.send(message('first'));
    await until(() => answerOf(session) === 'Half');
    void session.abort();
    await until(
      () => service.asked.some(isAbort),
      () => 'nothing was told to stop',
    );
    void session.send(message('second'));
    await until(() => flat(session.thread).some(({ content }) => content === 'second'));
    await session.abort();
    void session.send(message('third'));
    await until(() => flat(session.thread).some(({ content }) => content === 'third'));
    assert.equal(service.asked.length, 2, 'the first question and its abort');
    hangs = false;
    service.asked.find(isAbort)?.response.writeHead(204).end();
    await until(
      () => service.asked.length === 3,
      () => 'the third question has not come',
    );
    assert.equal(service.asked.at(-1)?.body.input, 'third');
    await session.abort();
  });

  it('drops late lines, and closes the stream', async () => {
    let stream: Asked | undefined;
    const service = await start((asked) => {
      if (isAbort(asked)) {
        stream?.response.write(ndjson(delta(' and more', 3)));
        return asked.response.writeHead(204).end();
      }
      stream = asked;
      endless(asked);
    });
    const { session } = open({ url: service.url });
    const asking = session.send(message());
    await until(() => answerOf(session) === 'Half');
    await session.abort();
    await asking;
    await stream?.closed;
    assert.equal(answerOf(session), 'Half');
  });

  it('a new thread waits for its id, and shows nothing of the answer meanwhile', async () => {
    let stream: Asked | undefined;
    const service = await start((asked) => {
      if (isAbort(asked)) return asked.response.writeHead(204).end();
      stream = asked;
      asked.response.flushHeaders();
    });
    const { session } = open({ url: service.url, clock: waiting });
    void session.send(message());
    await until(() => stream !== undefined);
    const stopping = session.abort();
    assert.deepEqual([session.status, service.asked.length], ['ready', 1]);
    stream?.response.write(ndjson(cutoff('c9'), echo(stream), delta('Late', 2)));
    assert.equal(await stopping, 'stopped');
    assert.equal(service.asked.find(isAbort)?.body.chatId, 'c9');
    assert.deepEqual([session.thread.chatId, flat(session.thread).length], ['c9', 1]);
  });

  it('a new thread whose request fails meanwhile reports the failure', async () => {
    const service = await start(() => undefined);
    const { session } = open({ url: service.url, clock: waiting });
    void session.send(message());
    await until(() => service.asked.length === 1);
    const stopping = session.abort();
    service.asked[0]?.response.destroy();
    assert.equal(await Promise.race([stopping, session.idle().then(() => 'idle')]), 'idle');
    await service.close();
    assert.equal(await stopping, 'unreachable');
  });

  it('before anything was sent returns the message at once', async () => {
    let connect: () => void = () => undefined;
    const { session, unsent } = open({
      url: 'https://x',
      connect: () => new Promise((_, reject) => (connect = () => reject(new Error('too late')))),
    });
    const asking = session.send(message());
    assert.equal(session.connecting?.text, message().text);
    assert.equal(await session.abort(), 'stopped');
    assert.deepEqual([unsent, session.connecting], [[message()], undefined]);
    connect();
    await asking;
    assert.deepEqual([unsent.length, flat(session.thread).length, session.thread.error], [1, 0, undefined]);
  });

  it('twice, or without a running answer, does nothing', async () => {
    const service = await start((asked) => (isAbort(asked) ? asked.response.writeHead(204).end() : endless(asked)));
    const { session } = open({ url: service.url });
    assert.equal(await session.abort(), undefined);
    void session.send(message());
    await until(() => answerOf(session) === 'Half');
    const [first, second] = await Promise.all([session.abort(), session.abort()]);
    assert.deepEqual([first, second], ['stopped', undefined]);
    assert.equal(service.asked.filter(isAbort).length, 1);
  });

  it('delays the next message until the service has stopped the last one', async () => {
    let release: () => void = () => undefined;
    const service = await start((asked) => {
      if (isAbort(asked)) release = () => asked.response.writeHead(204).end();
      else if (asked.body.input === 'two') reply(asked, ...answer(asked, 'Second'));
      else endless(asked);
    });
    const { session } = open({ url: service.url });
    void session.send(message('one'));
    await until(() => answerOf(session) === 'Half');
    const stopping = session.abort();
    const asking = session.send(message('two'));
    await until(() => service.asked.some(isAbort));
    assert.equal(service.asked.length, 2);
    assert.equal(session.status, 'submitted');
    release();
    assert.equal(await stopping, 'stopped');
    await asking;
    assert.deepEqual([answerOf(session), outcomeOf(session)], ['Second', 'done']);
    assert.equal(stopOf(flat(session.thread)[0]?.outcome), 'stopped');
  });

  it('while reconnecting ends the wait', async () => {
    const service = await start((asked) =>
      isAbort(asked) ? asked.response.writeHead(204).end() : asked.response.destroy(),
    );
    const thread = { ...open({ url: '' }).session.thread, chatId: 'c1' };
    const { session } = open({ url: service.url, thread, clock: waiting });
    const asking = session.send(message());
    await until(() => session.thread.reconnecting !== undefined);
    assert.equal(await session.abort(), 'stopped');
    await asking;
    assert.deepEqual([session.thread.reconnecting, session.status], [undefined, 'ready']);
  });

  it('a new thread while reconnecting does not wait for its id, because no request is open', async () => {
    const service = await start((asked) =>
      asked.body.input === 'one'
        ? asked.response.writeHead(429, { 'retry-after': '60' }).end()
        : reply(asked, ...answer(asked, 'Second')),
    );
    const { session } = open({ url: service.url, clock: waiting });
    void session.send(message('one'));
    await until(() => session.thread.reconnecting !== undefined);
    const stopping = session.abort();
    await session.send(message('two'));
    assert.deepEqual([await stopping, answerOf(session)], ['unreachable', 'Second']);
  });
});

describe('a thread in progress', () => {
  const BUSY = 'Streaming for thread is in progress';
  for (const [how, refuse] of [
    ['an error line', (asked: Asked) => reply(asked, cutoff('c1', true), { error: BUSY })],
    ['status 409', (asked: Asked) => asked.response.writeHead(409).end(JSON.stringify({ error: BUSY }))],
    [
      'JSON-RPC',
      (asked: Asked) => asked.response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { message: BUSY } })),
    ],
  ] as const)
    it(`reported by ${how} offers to attach, or to stop and send`, async () => {
      let busy = true;
      const service = await start((asked) => {
        if (isAbort(asked)) {
          busy = false;
          return asked.response.writeHead(204).end();
        }
        if (asked.body.input === undefined)
          return reply(
            asked,
            cutoff('c1'),
            { ...delta('Theirs', 2), isInProcess: false },
            { id: '__state__', state: {} },
          );
        return busy ? refuse(asked) : reply(asked, ...answer(asked, 'Mine'));
      });
      const thread = { ...open({ url: '' }).session.thread, chatId: 'c1' };
      const { session, unsent } = open({ url: service.url, thread });
      const id = await session.send(message());
      assert.deepEqual(session.thread.error?.actions, ['attach', 'stopAndSend']);
      assert.deepEqual([unsent.length, service.asked.length], [1, 1]);
      await session.attach();
      assert.equal(answerOf(session), 'Theirs');
      await session.stopAndSend();
      assert.deepEqual([answerOf(session), outcomeOf(session)], ['Mine', 'done']);
      assert.equal(service.asked.at(-1)?.body.messageId, id);
    });

  it('is waited for while the service is stopping it', async () => {
    let refusals = 0;
    const service = await start((asked) => {
      if (isAbort(asked)) {
        refusals = 2;
        return asked.response.writeHead(204).end();
      }
      refusals -= 1;
      return refusals === -2 || refusals > 0 ? reply(asked, { error: BUSY }) : reply(asked, ...answer(asked, 'Mine'));
    });
    const { session, unsent } = open({ url: service.url, clock: instantClock() });
    await session.send(message('one?'));
    await session.send(message('two?'));
    assert.deepEqual([unsent.length, session.thread.error?.kind], [1, 'busy']);
    await session.stopAndSend();
    assert.deepEqual([answerOf(session), outcomeOf(session), unsent.length], ['Mine', 'done', 1]);
    refusals = 2;
    await session.send(message('three?'));
    assert.deepEqual([unsent.length, session.thread.error?.kind, refusals], [2, 'busy', 1], 'only then');
  });
});

import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { emptyThread } from '../../../src/shared/thread.ts';
import { ndjson, reply, services } from '../api/support/service.ts';
import { answer, cutoff, delta, final, state } from './support/answers.ts';
import { answerOf, instantClock, message, open, outcomeOf } from './support/sessions.ts';

const { start, closeAll } = services();
afterEach(closeAll);
const thread = { ...emptyThread('t'), chatId: 'c1' };

describe('reading a thread', () => {
  it('adds what is not here yet, without doubling what is', async () => {
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
      session.thread.items.map(({ content }) => content),
      ['earlier', 'Old answer'],
    );
    assert.equal(session.status, 'ready');
  });

  it('reads again while somebody’s answer is still being written, and Retry reads after a failure', async () => {
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

  it('of a parked thread does not go on for ever', async () => {
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
  it('waits for the usage line that may follow the end, but not for a connection that stays open', async () => {
    const usage = { id: '__usage__', type: 'usage', usage: { totalTokens: 7 } };
    const service = await start((asked) => {
      asked.response.write(ndjson(...answer(asked, 'x')));
      setImmediate(() => asked.response.write(ndjson(usage)));
    });
    const { session } = open({ url: service.url });
    await session.send(message());
    assert.deepEqual(session.thread.items[0]?.usage, { totalTokens: 7 });
    assert.equal(outcomeOf(session), 'done');
  });
});

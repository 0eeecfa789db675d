/** Rules for reconnecting, each pinned by a test. */
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { flat } from '../../../support/item.ts';
import { ndjson, reply, services } from '../../api/support/service.ts';
import { cutoff, delta, echo, final, state } from '../support/answers.ts';
import { answerOf, instantClock, message, open, outcomeOf } from '../support/sessions.ts';

const { start, closeAll } = services();
afterEach(closeAll);

describe('reconnecting', () => {
  for (const chatId of ['c1', undefined])
    it(`does not repeat a question that is stopped while it waits, in ${chatId ? 'a' : 'an unnamed'} thread`, async () => {
      const service = await start(({ response, body }) => {
        if (body.input === undefined) return response.writeHead(204).end();
        response.write(
          ndjson(
            { ...cutoff(), state: { chatId, isStreaming: true } },
            { id: body.messageId, role: 'user', content: body.input },
            delta('Half', 2),
          ),
        );
        return setImmediate(() => response.destroy());
      });
      const clock = instantClock();
      let stopping: Promise<unknown> | undefined;
      let isStopped = false;
      const { session } = open({
        url: service.url,
        clock: {
          ...clock,
          sleep: async (ms, signal) => {
            // Stopping waits for the id of a new thread.
            if (isStopped) return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
            isStopped = true;
            stopping = session.abort();
            await clock.sleep(ms, signal);
          },
        },
      });
      await session.send(message());
      await stopping;
      assert.equal(service.asked.filter(({ body }) => body.input !== undefined).length, 1);
      assert.equal(outcomeOf(session), 'stopped');
    });

  it('does not repeat a question that the service aborted', async () => {
    const aborted = { id: '__aborted__', type: 'abort', code: 'chat_aborted', error: 'x' };
    const service = await start((asked) => reply(asked, cutoff(), echo(asked), delta('Half', 2), aborted));
    const { session } = open({ url: service.url, clock: instantClock() });
    await session.send(message());
    assert.deepEqual([service.asked.length, outcomeOf(session)], [1, 'stopped']);
  });

  it('does not happen after an abort, and shows nothing that comes after it but the usage', async () => {
    const aborted = { id: '__aborted__', type: 'abort', code: 'chat_aborted', error: 'x' };
    const usage = { id: '__usage__', usage: { totalTokens: 9 } };
    const service = await start((asked) =>
      reply(asked, cutoff(), echo(asked), delta('Half', 2), aborted, delta(' more', 3), final('All.', 4), usage),
    );
    const { session } = open({ url: service.url, clock: instantClock() });
    await session.send(message());
    assert.deepEqual([answerOf(session), flat(session.thread)[0]?.usage], ['Half', { totalTokens: 9 }]);
  });

  it('sends another message, or one with another image, under another id', async () => {
    const service = await start((asked) => asked.response.writeHead(503).end());
    const { session } = open({ url: service.url, clock: instantClock() });
    const image = (data: string) => ({ mimeType: 'image/png', data });
    const ids: string[] = [];
    for (const [text, ...images] of [['a'], ['a'], ['b'], ['b', 'x'], ['b', 'y'], ['b', 'y']] as const) {
      await session.send({ text, images: images.map(image) });
      ids.push(String(service.asked.at(-1)?.body.messageId));
    }
    assert.deepEqual(
      ids.map((id) => ids.indexOf(id)),
      [0, 0, 2, 3, 4, 4],
    );
  });

  it('continues while responses without an end bring new content', async () => {
    const words = Array.from({ length: 12 }, (_, at) => `${at} `);
    const service = await start((asked) => {
      if (asked.body.input === undefined) return reply(asked, cutoff(), state);
      const at = service.asked.length - 1;
      const text = words.join('');
      return at < words.length
        ? reply(asked, cutoff(), echo(asked), delta(words[at]!, at + 2))
        : reply(asked, cutoff(), echo(asked), final(text, 99), state);
    });
    const { session, events } = open({ url: service.url, clock: instantClock() });
    await session.send(message());
    assert.deepEqual([answerOf(session), outcomeOf(session)], [words.join(''), 'done']);
    const attempts = events.flatMap((event) => (event.type === 'reconnecting' ? [event.attempt] : []));
    assert.deepEqual(attempts, Array(words.length).fill(1), 'the backoff restarts');
  });

  it('does not happen after a final answer that is complete but for its state line', async () => {
    const service = await start((asked) => reply(asked, cutoff(), echo(asked), final('All.', 2)));
    const { session } = open({ url: service.url, clock: instantClock() });
    await session.send(message());
    assert.deepEqual([service.asked.length, answerOf(session), outcomeOf(session)], [1, 'All.', 'done']);
  });

  it('does not happen because the numbers of the lines start at zero', async () => {
    for (const first of [0, 1]) {
      const service = await start((asked) =>
        reply(asked, cutoff(), delta('A', first), delta('ll.', first + 1), final('All.', first + 1), state),
      );
      const { session } = open({ url: service.url, clock: instantClock() });
      await session.send(message());
      assert.deepEqual([service.asked.length, answerOf(session)], [1, 'All.'], `from ${first}`);
    }
  });

  for (const [sort, requests, id] of [
    [2, 2, {}],
    [3, 3, {}],
    [2, 2, { id: 'u1' }],
    [3, 3, { id: 'u1' }],
  ] as const)
    it(`reads the thread afterwards only if a number is missing after the question${id.id ? ' with another id' : ''}: 1, ${sort}`, async () => {
      const service = await start((asked) => {
        if (asked.body.input === undefined) return reply(asked, cutoff(), state);
        const question = { ...echo(asked), ...id };
        return reply(asked, cutoff(), question, ...(service.asked.length > 1 ? [final('Up.', sort), state] : []));
      });
      const { session } = open({ url: service.url, clock: instantClock() });
      await session.send(message());
      assert.deepEqual([service.asked.length, answerOf(session), outcomeOf(session)], [requests, 'Up.', 'done']);
    });

  for (const [what, status, headers, isShown] of [
    ['the service requests it', 503, { 'retry-after': '7' }, true],
    ['there were too many requests', 429, {}, true],
    ['neither is the case', 503, {}, false],
  ] as const)
    it(`shows ${isShown ? 'until when it waits' : 'no time'} if ${what}`, async () => {
      const service = await start((asked) =>
        service.asked.length === 1
          ? asked.response.writeHead(status, headers).end()
          : reply(asked, cutoff(), echo(asked), final('Up.', 2), state),
      );
      const clock = instantClock();
      const begun = clock.time;
      const { session, events } = open({ url: service.url, clock });
      await session.send(message());
      const [reconnecting] = events.filter((event) => event.type === 'reconnecting');
      assert.equal(reconnecting?.until, isShown ? begun + clock.waits[0]! : undefined);
    });

  it('gives up after six responses in a row without new content', async () => {
    const service = await start((asked) => reply(asked, cutoff(), echo(asked)));
    const { session } = open({ url: service.url, clock: instantClock() });
    await session.send(message());
    assert.deepEqual([service.asked.length, outcomeOf(session)], [6, 'failed']);
  });

  it('does not confuse the question with an older one of the same text', async () => {
    const older = { id: 'u0', role: 'user', content: 'revenue?', sort: 1 };
    const service = await start(({ response }) => {
      response.write(ndjson(older, { ...final('Old.', 2), graphPath: ['agent'] }));
      return setImmediate(() => response.destroy());
    });
    const { session, unsent } = open({ url: service.url, clock: instantClock() });
    await session.send(message());
    assert.equal(unsent.length, 1, 'the question goes back to its author');
  });

  it('sends a question that was not delivered on Retry, instead of reading the thread', async () => {
    let isDown = true;
    const service = await start((asked) =>
      isDown ? asked.response.destroy() : reply(asked, cutoff(), echo(asked), final('Up.', 2), state),
    );
    const { session } = open({ url: service.url, clock: instantClock() });
    await session.send(message());
    isDown = false;
    const before = service.asked.length;
    await session.retry();
    assert.equal(service.asked[before]?.body.input, 'revenue?');
    assert.equal(answerOf(session), 'Up.');
  });

  it('shows repeated and reordered lines only once, after the answer has ended', async () => {
    const text = 'one two three four ';
    const words = ['one ', 'two ', 'three ', 'four '];
    for (const order of [
      [0, 1, 1, 2, 3],
      [0, 2, 1, 3],
    ]) {
      const service = await start((asked) =>
        asked.body.input === undefined
          ? reply(asked, { id: service.asked[0]?.body.messageId, role: 'user' }, final(text, 2), cutoff(), state)
          : reply(asked, cutoff(), echo(asked), ...order.map((at) => delta(words[at]!, at + 2)), state),
      );
      const { session } = open({ url: service.url, clock: instantClock() });
      await session.send(message());
      assert.equal(answerOf(session), text);
    }
  });
});

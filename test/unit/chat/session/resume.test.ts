import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { afterEach, describe, it } from 'mocha';
import { until } from '../../../support/until.ts';
import { ndjson, reply, services, type Asked } from '../../api/support/service.ts';
import { answer, cutoff, delta, echo, final, state } from '../support/answers.ts';
import { answerOf, instantClock, message, open, outcomeOf } from '../support/sessions.ts';
import { flat } from '../../../support/item.ts';

const { start, closeAll } = services();
afterEach(closeAll);
afterEach(() => mock.timers.reset());
const TEXT = 'Revenue grew by 12 % in the second quarter 🙂, most of it in the south.';

/** The first connection is cut after half of the answer; later ones call `again`. */
function halfThen(breakOff: (asked: Asked) => unknown, again: (asked: Asked) => unknown): ReturnType<typeof start> {
  let first = true;
  return start((asked) => {
    if (!first) return again(asked);
    first = false;
    const lines = answer(asked, TEXT);
    asked.response.write(ndjson(...lines.slice(0, 9)));
    return setImmediate(() => breakOff(asked));
  });
}
const replay = (asked: Asked): void => reply(asked, ...answer(asked, TEXT));
const goOn = (asked: Asked): void => {
  const [first, ...lines] = answer(asked, TEXT);
  reply(asked, first, ...lines.slice(8));
};

describe('an answer with a lost connection', () => {
  const ways: Record<string, (asked: Asked) => unknown> = {
    reset: ({ response }) => response.socket?.resetAndDestroy(),
    closed: ({ response }) => response.destroy(),
    'ended without a word': ({ response }) => response.end(),
    'ended within a line': ({ response }) => response.end('{"id":"f","ro'),
    suspended: ({ response }) =>
      response.end(
        ndjson({ id: '__suspended__', type: 'suspend', code: 'chat_suspended', retryable: true, error: 'x' }),
      ),
  };
  for (const [what, breakOff] of Object.entries(ways))
    for (const [how, again] of [
      ['goes on', goOn],
      ['repeats', replay],
    ] as const)
      it(`(${what}) continues when the service ${how}`, async () => {
        const service = await halfThen(breakOff, again);
        const clock = instantClock();
        const { session, events } = open({ url: service.url, clock });
        const id = await session.send(message());
        assert.deepEqual([answerOf(session), outcomeOf(session)], [TEXT, 'done']);
        assert.equal(flat(session.thread).length, 2);
        assert.deepEqual(
          events.filter(({ type }) => type === 'reconnecting'),
          [{ type: 'reconnecting', attempt: 1 }],
        );
        assert.equal(session.thread.reconnecting, undefined);
        const [, second] = service.asked;
        assert.deepEqual(second?.body, {
          input: 'revenue?',
          chatId: 'c1',
          messageId: id,
          sessionSettings: { externalId: 'dev' },
        });
      });

  const refusals: Record<string, (asked: Asked) => unknown> = {
    'busy with status 409': ({ response }) =>
      response.writeHead(409).end('{"error":"Streaming for thread is in progress"}'),
    'busy with a line': (asked) => reply(asked, cutoff('c1', true), { error: 'Streaming for thread is in progress' }),
    'status 502 with HTML': ({ response }) => response.writeHead(502, { 'content-type': 'text/html' }).end('<html>'),
    'a web page with status 200': ({ response }) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
    'an empty answer': ({ response }) => response.end(),
    'no connection': ({ response }) => response.socket?.destroy(),
  };
  for (const [what, refuse] of Object.entries(refusals))
    it(`continues when the service is still restarting: ${what}`, async () => {
      let refusing = 3;
      const service = await halfThen(
        ({ response }) => response.destroy(),
        (asked) => ((refusing -= 1) >= 0 ? refuse(asked) : replay(asked)),
      );
      const { session } = open({ url: service.url, clock: instantClock() });
      await session.send(message());
      assert.deepEqual([answerOf(session), outcomeOf(session), service.asked.length], [TEXT, 'done', 5]);
    });

  it('continues after only the question was sent, also if the service gives it another id', async () => {
    const service = await start((asked) => {
      const own = { ...echo(asked), id: 'srv-1' };
      return service.asked.length < 4
        ? reply(asked, cutoff(), own)
        : reply(asked, cutoff(), own, final(TEXT, 2), state);
    });
    const { session, unsent } = open({ url: service.url, clock: instantClock() });
    await session.send(message());
    assert.deepEqual([answerOf(session), outcomeOf(session), unsent], [TEXT, 'done', []]);
  });

  it('that is lost for good keeps its partial text', async () => {
    const forbidden = (asked: Asked): unknown => asked.response.writeHead(403).end();
    const service = await halfThen(({ response }) => response.destroy(), forbidden);
    const { session } = open({ url: service.url, clock: instantClock() });
    await session.send(message());
    assert.equal(outcomeOf(session), 'failed');
    assert.ok(TEXT.startsWith(answerOf(session) ?? 'nothing'));
  });

  it("of a run that can't be resumed is reported", async () => {
    const parked = { id: '__suspended__', type: 'suspend', retryable: false, error: 'Quota used up' };
    const service = await halfThen((asked) => asked.response.end(ndjson(parked)), replay);
    const { session } = open({ url: service.url, clock: instantClock() });
    await session.send(message());
    assert.deepEqual([outcomeOf(session), service.asked.length], ['failed', 1]);
  });

  it("continues after a window reload with the question's own id, branch and user", async () => {
    const service = await halfThen(() => undefined, replay);
    const before = open({ url: service.url });
    const asking = before.session.send(message());
    await until(() => (answerOf(before.session) ?? '').length > 10);
    const saved = JSON.parse(JSON.stringify(before.session.thread)) as typeof before.session.thread;
    const after = open({ url: service.url, thread: saved });
    await after.session.reattach();
    assert.deepEqual([answerOf(after.session), outcomeOf(after.session)], [TEXT, 'done']);
    assert.equal(service.asked[1]?.body.messageId, service.asked[0]?.body.messageId);
    service.asked[0]?.response.end(ndjson(...answer(service.asked[0], TEXT).slice(9)));
    await asking;
    assert.equal(answerOf(before.session), TEXT);
  });

  const steps = [delta('Looking. ', 2, 'm1'), { ...delta('Found. ', 3, 'm2'), isInProcess: false, isDelta: false }];
  const kept = [{ ...final('Looking. ', 2, 'm1'), graphPath: ['agent'] }, steps[1], final(TEXT, 9)];
  for (const [numbers, history] of [
    ['the same numbers', kept],
    ['numbers of its own', kept.map((line, at) => ({ ...line, sort: 40 + at }))],
    ['no numbers', kept.map((line) => ({ ...line, sort: undefined }))],
  ] as const)
    it(`gets lost lines at their position, from a thread that is read with ${numbers}`, async () => {
      const service = await start((asked) => {
        if (asked.body.input === undefined)
          return reply(asked, { id: service.asked[0]?.body.messageId, role: 'user' }, ...history, cutoff(), state);
        // The first connection is lost with everything but the thread's id; the second one continues.
        if (service.asked.length > 1) return reply(asked, cutoff(), final(TEXT, 9), state);
        asked.response.write(ndjson(cutoff()));
        return setImmediate(() => asked.response.destroy());
      });
      const { session } = open({ url: service.url, clock: instantClock() });
      const id = await session.send(message());
      assert.deepEqual(
        flat(session.thread).map((item) => [item.id, item.content]),
        [
          [id, 'revenue?'],
          ['m1', 'Looking. '],
          ['m2', 'Found. '],
          ['f', TEXT],
        ],
      );
    });

  it('is repaired from the stored thread', async () => {
    const service = await start((asked) => {
      if (asked.body.input === undefined) return reply(asked, final(TEXT, 9), cutoff(), state);
      const broken = `${JSON.stringify(delta('missing', 3))}\n`.replace('{', '<');
      return asked.response.end(ndjson(cutoff(), echo(asked), delta('Rev', 2)) + broken + ndjson(state));
    });
    const { session } = open({ url: service.url });
    await session.send(message());
    assert.deepEqual([answerOf(session), outcomeOf(session)], [TEXT, 'done']);
  });
});

describe('an answer that lacks only its end', () => {
  const BUSY = 'Streaming for thread is in progress';
  const ends: Record<string, (asked: Asked) => unknown> = {
    'breaks off each time': ({ response }) => response.socket?.resetAndDestroy(),
    'goes silent': ({ response }) => response.flushHeaders(),
    'is down': ({ response }) => response.writeHead(503).end(),
    'stays busy': (asked) => reply(asked, cutoff('c1', true), { error: BUSY }),
    'has forgotten the run': ({ response }) => response.writeHead(404).end('{"error":"No such thread"}'),
    'has forgotten the run and says so in a line': (asked) => reply(asked, cutoff(), { error: 'No such run' }),
  };
  for (const [what, again] of Object.entries(ends))
    it(`is finished soon by a service that ${what}`, async () => {
      const service = await start((asked) => {
        if (service.asked.length > 1) return again(asked);
        asked.response.write(ndjson(cutoff(), echo(asked), delta('Reve', 2), final(TEXT, 3)));
        return until(() => answerOf(session) === TEXT).then(() => asked.response.socket?.resetAndDestroy());
      });
      const { session } = open({ url: service.url, clock: instantClock(), stallTimeout: 500 });
      await session.send(message());
      assert.deepEqual([answerOf(session), outcomeOf(session)], [TEXT, 'done']);
      assert.ok(service.asked.length <= 3, `${service.asked.length} requests`);
    });

  it('fails if the service says so afterwards', async () => {
    const service = await start((asked) =>
      reply(asked, cutoff(), echo(asked), final(TEXT, 2), { error: 'Overloaded' }),
    );
    const { session } = open({ url: service.url, clock: instantClock() });
    await session.send(message());
    assert.deepEqual([answerOf(session), outcomeOf(session)], [TEXT, 'failed']);
  });
});

describe('an answer with a backfill', () => {
  const broken = `${JSON.stringify(delta('missing', 3))}\n`.replace('{', '<');
  const lines = ndjson(cutoff(), { ...final(TEXT), graphPath: ['agent'] }) + broken + ndjson(state);

  const tool = { ...final('', 2, 't1'), graphPath: ['agent', 'tools'], toolCall: { name: 'svcMeta', result: '{}' } };
  for (const [how, id] of [
    ['its own id', undefined],
    ['an id of the service', 'q1'],
  ])
    it(`restores a corrupted query although the final answer arrived, from a thread that has it under ${how}`, async () => {
      const service = await start(async (asked) => {
        const question = { ...echo(service.asked[0] ?? asked), ...(id === undefined ? {} : { id }) };
        if (asked.body.input === undefined) return reply(asked, question, tool, final(TEXT, 3), cutoff(), state);
        asked.response.write(ndjson(cutoff(), question) + ndjson(tool).replace('{', '<'));
        await until(() => session.thread.unknownLines > 0);
        return asked.response.end(ndjson(final(TEXT, 3), state));
      });
      const { session } = open({ url: service.url });
      await session.send(message());
      assert.deepEqual(
        flat(session.thread).map(({ content, toolCall }) => toolCall?.name ?? content),
        ['revenue?', 'svcMeta', TEXT],
      );
      assert.deepEqual([outcomeOf(session), service.asked.length], ['done', 2]);
    });

  it('is tried three times, and the answer is kept as it is', async () => {
    const service = await start((asked) =>
      asked.body.input === undefined ? asked.response.writeHead(503).end() : asked.response.end(lines),
    );
    const { session } = open({ url: service.url, clock: instantClock() });
    await session.send(message());
    assert.deepEqual([answerOf(session), outcomeOf(session), service.asked.length], [TEXT, 'done', 4]);
  });

  it('leaves other answers with the same ids unchanged, and adds questions of other clients', async () => {
    const turn = (asked: Asked, text: string): object[] => [echo(asked), tool, final(text, 3)];
    const service = await start((asked) => {
      const [one, two] = service.asked;
      if (!two) return reply(asked, cutoff(), ...turn(asked, 'First.'), state);
      if (asked === two)
        return asked.response.end(
          ndjson(cutoff(), echo(asked)) + ndjson(tool).replace('{', '<') + ndjson(final('Second.', 3), state),
        );
      const elsewhere = turn({ ...asked, body: { messageId: 'q3', input: 'and costs?' } }, 'Third.');
      return reply(asked, ...turn(one!, 'First.'), ...turn(two, 'Second.'), ...elsewhere, cutoff(), state);
    });
    const { session } = open({ url: service.url });
    await session.send(message('revenue?'));
    await session.send(message('and profit?'));
    assert.deepEqual(
      flat(session.thread).map(({ content, toolCall }) => toolCall?.name ?? content),
      ['revenue?', 'svcMeta', 'First.', 'and profit?', 'svcMeta', 'Second.', 'and costs?', 'svcMeta', 'Third.'],
    );
  });

  for (const numbers of ['with numbers', 'without numbers'])
    it(`restores lines lost between question and end, ${numbers}`, async () => {
      const kept = (asked: Asked): object[] =>
        [echo(asked), ...['t1', 't2', 't3'].map((id) => ({ ...tool, id })), final(TEXT, 2)].map((line) =>
          numbers === 'with numbers' ? line : { ...line, sort: undefined },
        );
      const service = await start((asked) => {
        const [one, two] = service.asked;
        if (!two) return reply(asked, cutoff());
        if (asked === two) return reply(asked, cutoff(), kept(one!).at(-1), state);
        return reply(asked, ...kept(one!), cutoff(), state);
      });
      const { session } = open({ url: service.url, clock: instantClock() });
      await session.send(message());
      assert.deepEqual(
        flat(session.thread).map(({ content, toolCall }) => toolCall?.name ?? content),
        ['revenue?', 'svcMeta', 'svcMeta', 'svcMeta', TEXT],
      );
    });

  it('restores lost lines also if an earlier answer has items with the same ids', async () => {
    const turn = (asked: Asked, text: string): object[] => [echo(asked), tool, final(text, 3)];
    const service = await start((asked) => {
      const [one, two, again] = service.asked;
      if (!two) return reply(asked, cutoff(), ...turn(asked, 'First.'), state);
      if (!again) return reply(asked, cutoff(), echo(asked));
      if (asked === again) return reply(asked, cutoff(), final('Second.', 3), state);
      return reply(asked, ...turn(one!, 'First.'), ...turn(two, 'Second.'), cutoff(), state);
    });
    const { session } = open({ url: service.url, clock: instantClock() });
    await session.send(message('revenue?'));
    await session.send(message('and profit?'));
    assert.deepEqual(
      flat(session.thread).map(({ content, toolCall }) => toolCall?.name ?? content),
      ['revenue?', 'svcMeta', 'First.', 'and profit?', 'svcMeta', 'Second.'],
    );
  });

  it('restores lines lost before all others, if the service repeats the question and continues', async () => {
    const kept = (asked: Asked): object[] => [echo(asked), { ...tool, sort: 2 }, final(TEXT, 3)];
    const service = await start((asked) => {
      const [one, two] = service.asked;
      if (!two) return asked.response.destroy();
      if (asked === two) return reply(asked, cutoff(), echo(asked), final(TEXT, 3), state);
      return reply(asked, ...kept(one!), cutoff(), state);
    });
    const { session } = open({ url: service.url, clock: instantClock() });
    await session.send(message());
    assert.deepEqual(
      flat(session.thread).map(({ content, toolCall }) => toolCall?.name ?? content),
      ['revenue?', 'svcMeta', TEXT],
    );
  });

  for (const [how, lastReplays] of [
    ['without the lost text', false],
    ['without it, and then replayed', true],
  ] as const)
    it(`corrects reasoning that was continued ${how}`, async () => {
      const thinking = (text: string, sort: number): object => ({ ...delta('', sort, 'm'), thinking: text });
      const whole = { ...final('Summed up.', 5, 'm'), graphPath: ['agent'] };
      const end = [{ ...whole, thinking: '' }, final(TEXT, 6), state];
      const service = await start((asked) => {
        const [one, two, three] = service.asked;
        const start = [cutoff('c1', true), echo(one!)];
        const [first, lost, last] = [
          thinking('First orders,', 2),
          thinking(' then taxes,', 3),
          thinking(' then costs.', 4),
        ];
        if (!two) return reply(asked, ...start, first);
        if (asked === two) return reply(asked, ...start, last, ...(lastReplays ? [] : end));
        if (asked === three && lastReplays) return reply(asked, ...start, first, lost, last, ...end);
        const read = { ...whole, thinking: 'First orders, then taxes, then costs.' };
        return reply(asked, echo(one!), read, final(TEXT, 6), cutoff(), state);
      });
      const { session } = open({ url: service.url, clock: instantClock() });
      await session.send(message());
      assert.deepEqual(
        flat(session.thread).map((item) => item.thinking),
        ['', 'First orders, then taxes, then costs.', ''],
      );
    });

  it('ends when the user stops waiting for it', async () => {
    const service = await start(({ response, body }) => (body.input === undefined ? undefined : response.end(lines)));
    const { session } = open({ url: service.url });
    const asking = session.send(message());
    await until(() => service.asked.length === 2);
    assert.equal(await session.abort(), undefined);
    await asking;
    assert.deepEqual([answerOf(session), outcomeOf(session), session.status], [TEXT, 'done', 'ready']);
    await service.asked[1]?.closed;
    assert.equal(service.asked.length, 2, 'and no request to stop it');
  });

  it('ends after ten seconds if the service does not allow reading', async () => {
    const timeout = new AbortController();
    const limit = mock.method(AbortSignal, 'timeout', () => timeout.signal);
    let reads: () => void = () => undefined;
    const reading = new Promise<void>((resolve) => (reads = resolve));
    const answering: typeof fetch = (_, init) => {
      if ((JSON.parse(String(init?.body)) as Asked['body']).input !== undefined)
        return Promise.resolve(new Response(lines));
      reads();
      return new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(new Error('aborted'))));
    };
    const { session } = open({ url: 'http://localhost', fetch: answering });
    const asking = session.send(message());
    await reading;
    timeout.abort();
    await asking;
    limit.mock.restore();
    assert.deepEqual(limit.mock.calls[0]?.arguments, [10_000]);
    assert.deepEqual([answerOf(session), outcomeOf(session)], [TEXT, 'done']);
  });
});

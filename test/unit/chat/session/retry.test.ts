import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { ChatError, errorFromFetch, errorFromStatus } from '../../../../src/api/errors.ts';
import { RetryPolicy, waitBefore } from '../../../../src/chat/session/retry.ts';
import { seeded } from '../../../support/random.ts';
import { ndjson, reply, services } from '../../api/support/service.ts';
import { answer, cutoff, delta, echo, final } from '../support/answers.ts';
import { answerOf, instantClock, message, open, outcomeOf } from '../support/sessions.ts';
import { flat } from '../../../support/item.ts';

const { start, closeAll } = services();
afterEach(closeAll);
const HOUR = 60 * 60_000;

describe('the backoff', () => {
  it('is below a second at first, with full jitter up to a ceiling that doubles, and 30 s at most', () => {
    assert.ok(waitBefore(1, 0.999999) < 1000);
    for (let attempt = 1; attempt < 7; attempt += 1) {
      assert.equal(waitBefore(attempt, 0), 0);
      assert.equal(waitBefore(attempt, 0.5), Math.min(30_000, 900 * 2 ** (attempt - 1)) / 2);
    }
    for (let attempt = 1; attempt < 500; attempt += 1) assert.ok(waitBefore(attempt, 0.999999) <= 30_000);
  });

  it('is nearly full from the seventh wait on', () => {
    assert.deepEqual(
      [waitBefore(6, 0), waitBefore(7, 0), waitBefore(7, 0.5), waitBefore(9, 1)],
      [0, 29_100, 29_550, 30_000],
    );
  });

  it('is at least what the service requests', () => {
    assert.equal(waitBefore(1, 0.1, 12_000), 12_000);
  });

  for (const [what, random] of [
    ['luck', seeded(5)],
    ['the shortest waits', () => 0],
    ['the longest waits', () => 0.999999],
  ] as const)
    it(`makes at most 130 requests in an hour's outage, with ${what}`, () => {
      let time = 0;
      const policy = new RetryPolicy({ ...instantClock(random), now: () => time });
      let requests = 1;
      const error = new ChatError('network', 'x');
      for (let wait = policy.next(error, true); wait !== undefined; wait = policy.next(error, true)) {
        time += wait;
        requests += 1;
      }
      assert.ok(requests <= 130, `${requests} requests`);
      assert.ok(time > HOUR - 31_000 && time <= HOUR, `gave up after ${time} ms`);
    });
});

describe('a running answer after a failure', () => {
  const fromStatus = (status: number, body = ''): ChatError => errorFromStatus(status, body, new Headers());
  const fromCode = (code: string): ChatError =>
    errorFromFetch(new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code }) }));
  const isRetried = (error: ChatError): boolean => new RetryPolicy(instantClock()).next(error, true) !== undefined;
  const problem = '{"message":"No."}';

  for (const [what, error] of [
    ['status 408', fromStatus(408, problem)],
    ['status 499 with a message', fromStatus(499, problem)],
    ['a reset connection', fromCode('ECONNRESET')],
  ] as const)
    it(`is reattached: ${what}`, () => assert.ok(isRetried(error)));

  for (const [what, error] of [
    ['status 400', fromStatus(400, problem)],
    ['status 407 of a proxy', fromStatus(407)],
    ['a certificate that could not be verified', fromCode('UNABLE_TO_VERIFY_LEAF_SIGNATURE')],
    ['a certificate that has expired', fromCode('CERT_HAS_EXPIRED')],
  ] as const)
    it(`fails: ${what}`, () => assert.ok(!isRetried(error)));
});

describe('a question after a failure', () => {
  const isRetried = (error: ChatError, accepted: boolean): boolean =>
    new RetryPolicy(instantClock()).next(error, accepted) !== undefined;

  for (const [what, error] of [
    ['busy', new ChatError('busy', 'x', { status: 409 })],
    ['answered by a gateway', new ChatError('protocol', 'x')],
    ['too early', new ChatError('badRequest', 'x', { status: 425 })],
  ] as const)
    it(`is sent again only once it was accepted: ${what}`, () =>
      assert.deepEqual([isRetried(error, true), isRetried(error, false)], [true, false]));

  it('waits for an earlier answer that is being stopped, and for nothing else', () => {
    const isWaiting = (error: ChatError): boolean =>
      new RetryPolicy(instantClock()).next(error, false, true) !== undefined;
    assert.ok(isWaiting(new ChatError('busy', 'x', { status: 409 })));
    assert.ok(!isWaiting(new ChatError('auth', 'x', { status: 401 })));
  });

  const rules: [isRetried: string, ChatError['kind'], ConstructorParameters<typeof ChatError>[2]?][] = [
    ['always', 'network'],
    ['always', 'stalled'],
    ['always', 'server'],
    ['always', 'rateLimited'],
    ['if accepted', 'busy'],
    ['if accepted', 'protocol'],
    ['if accepted', 'badRequest', { status: 409 }],
    ['never', 'badRequest', { status: 400 }],
    ['never', 'protocol', { code: 'REDIRECT' }],
    ['never', 'network', { code: 'PROXY_AUTH' }],
    ['never', 'network', { code: 'SELF_SIGNED_CERT_IN_CHAIN' }],
    ...(['auth', 'forbidden', 'notFound', 'stream'] as const).map((kind) => ['never', kind] as ['never', typeof kind]),
  ];
  for (const [expected, kind, details] of rules)
    it(`is retried ${expected} for the error ${[kind, ...Object.values(details ?? {})].join(' ')}`, () => {
      const error = new ChatError(kind, 'x', details);
      const results = { always: [true, true], 'if accepted': [true, false], never: [false, false] };
      assert.deepEqual([isRetried(error, true), isRetried(error, false)], results[expected as keyof typeof results]);
    });

  it('is retried three times before it was accepted, or once after silence', () => {
    const retries = (kind: ChatError['kind'], accepted: boolean): number => {
      const policy = new RetryPolicy({ ...instantClock(() => 0), now: () => 0 });
      let count = 0;
      while (count < 9 && policy.next(new ChatError(kind, 'x'), accepted) !== undefined) count += 1;
      assert.equal(policy.attempt, count + Number(count < 9));
      return count;
    };
    assert.deepEqual(
      (['network', 'server', 'stalled'] as const).map((kind) => retries(kind, false)),
      [3, 3, 1],
    );
    assert.equal(retries('stalled', true), 9);
  });

  it('waits up to a minute before it was accepted, and up to an hour of failures after that without progress', () => {
    const HOUR = 60 * 60_000;
    let time = 0;
    const limited = (retryAfter: number): ChatError => new ChatError('rateLimited', 'x', { retryAfter });
    const clock = { ...instantClock(() => 0), now: () => time };
    const wait = (retryAfter: number, accepted: boolean, policy = new RetryPolicy(clock)): number | undefined =>
      policy.next(limited(retryAfter), accepted);
    assert.deepEqual([wait(60_000, false), wait(60_001, false)], [60_000, undefined]);
    assert.deepEqual([wait(HOUR, true), wait(HOUR + 1, true)], [HOUR, undefined]);
    const policy = new RetryPolicy(clock);
    time = 9 * HOUR;
    assert.equal(wait(HOUR, true, policy), HOUR);
    time += 1000;
    assert.deepEqual([wait(HOUR - 1000, true, policy), wait(HOUR - 999, true, policy)], [HOUR - 1000, undefined]);
    policy.restart();
    time += 9 * HOUR;
    assert.deepEqual([policy.attempt, wait(HOUR, true, policy)], [0, HOUR]);
    time = 0;
    assert.equal(wait(1, true, policy), 1);
    time = 2000;
    assert.deepEqual([wait(HOUR - 2000, true, policy), wait(HOUR - 1999, true, policy)], [HOUR - 2000, undefined]);
  });

  it('does not follow a redirect', () => {
    assert.ok(!isRetried(new ChatError('protocol', 'x', { code: 'REDIRECT' }), true));
  });
});

describe('an outage', () => {
  /** Starts an answer for each request, then calls `after`. */
  const begun = (after: (asked: Parameters<Parameters<typeof start>[0]>[0]) => unknown): ReturnType<typeof start> => {
    let first = true;
    return start((asked) => {
      if (!first) return after(asked);
      first = false;
      asked.response.write(ndjson(cutoff(), echo(asked), delta('Half', 2)));
      return setImmediate(() => asked.response.destroy());
    });
  };

  it('of an hour needs few requests, then keeps the partial answer, and Retry keeps the id', async () => {
    let up = false;
    const service = await begun((asked) =>
      up
        ? asked.response.end(ndjson(delta(' and half', 3), final('Half and half', 4), { id: '__state__' }))
        : asked.response.destroy(),
    );
    const clock = instantClock(seeded(3));
    const from = clock.time;
    const { session, events, unsent } = open({ url: service.url, clock });
    const id = await session.send(message());
    assert.ok(service.asked.length <= 130, `${service.asked.length} requests`);
    assert.ok((clock.waits[0] ?? Infinity) < 1000);
    assert.ok(clock.waits.every((wait) => wait <= 30_000));
    assert.ok(clock.time - from > HOUR - 31_000);
    assert.deepEqual([answerOf(session), outcomeOf(session), unsent.length], ['Half', 'failed', 0]);
    const attempts = events.flatMap((event) => (event.type === 'reconnecting' ? [event.attempt] : []));
    assert.deepEqual(attempts.slice(0, 3), [1, 2, 3]);
    up = true;
    await session.retry();
    assert.deepEqual([answerOf(session), outcomeOf(session)], ['Half and half', 'done']);
    const asked = service.asked.filter(({ body }) => body.input !== undefined);
    assert.deepEqual([...new Set(asked.map(({ body }) => body.messageId))], [id]);
    assert.equal(flat(session.thread).filter(({ role }) => role === 'user').length, 1);
  });

  for (const status of [400, 401, 403, 404])
    it(`that turns out as ${status} is not retried`, async () => {
      const service = await begun(({ response }) => response.writeHead(status).end('{"error":"no"}'));
      const { session } = open({ url: service.url, clock: instantClock() });
      await session.send(message());
      assert.equal(service.asked.length, 2);
      assert.deepEqual([answerOf(session), outcomeOf(session)], ['Half', 'failed']);
      const fresh = await start(({ response }) => response.writeHead(status).end());
      await open({ url: fresh.url, clock: instantClock() }).session.send(message());
      assert.equal(fresh.asked.length, 1);
    });

  for (const [status, outcome] of [
    [409, 'done'],
    [425, 'done'],
    [402, 'failed'],
  ] as const)
    it(`that turns out as ${status}, with a reason, is ${outcome === 'done' ? 'temporary' : 'reported'}`, async () => {
      let refusals = 2;
      const service = await begun(({ response }) =>
        (refusals -= 1) < 0
          ? response.end(ndjson(final('Half.', 3), { id: '__state__' }))
          : response.writeHead(status).end('{"error":"not now"}'),
      );
      const { session } = open({ url: service.url, clock: instantClock() });
      await session.send(message());
      assert.equal(outcomeOf(session), outcome);
    });

  it('with a requested wait is waited for', async () => {
    let asked = 0;
    const service = await begun(({ response }) => {
      asked += 1;
      if (asked === 1) return response.writeHead(429, { 'retry-after': '17' }).end();
      if (asked === 2) return response.writeHead(503, { 'retry-after': '45' }).end();
      return response.end(ndjson(final('Half.', 3), { id: '__state__' }));
    });
    const clock = instantClock();
    const { session } = open({ url: service.url, clock });
    await session.send(message());
    assert.deepEqual(clock.waits.slice(1), [17_000, 45_000]);
    assert.equal(answerOf(session), 'Half.');
  });

  it('is limited to an hour even if the service asks for more', async () => {
    const service = await begun(({ response }) => response.writeHead(503, { 'retry-after': '86400' }).end());
    const clock = instantClock();
    const { session } = open({ url: service.url, clock });
    await session.send(message());
    assert.equal(clock.waits.length, 1);
    assert.equal(outcomeOf(session), 'failed');
  });

  it('ends after an hour even if the clock is set back', async () => {
    const clock = instantClock();
    const service = await begun((asked) => {
      if (service.asked.length === 2) clock.time -= 24 * HOUR;
      return asked.response.destroy();
    });
    const { session } = open({ url: service.url, clock });
    await session.send(message());
    assert.equal(outcomeOf(session), 'failed');
    assert.ok(service.asked.length <= 132, `${service.asked.length} requests`);
  });

  it('found after hours of sleep of the computer is retried', async () => {
    const clock = instantClock();
    const service = await start((asked) => {
      if (service.asked.length > 1) return reply(asked, ...answer(asked, 'Up 12 %.'));
      clock.time += 9 * HOUR;
      asked.response.write(ndjson(cutoff(), echo(asked)));
      return setImmediate(() => asked.response.destroy());
    });
    const { session } = open({ url: service.url, clock });
    await session.send(message());
    assert.deepEqual([answerOf(session), outcomeOf(session)], ['Up 12 %.', 'done']);
  });

  it('during which the computer was asleep is limited to an hour from then on', async () => {
    const clock = instantClock();
    const sleep = clock.sleep;
    const service = await begun((asked) =>
      service.asked.length < 9 ? asked.response.destroy() : reply(asked, ...answer(asked, 'Half and half')),
    );
    clock.sleep = async (ms, signal) => {
      await sleep(ms, signal);
      if (clock.waits.length === 4) clock.time += 9 * HOUR;
    };
    const { session } = open({ url: service.url, clock });
    await session.send(message());
    assert.deepEqual([outcomeOf(session), service.asked.filter(({ body }) => body.input).length], ['done', 9]);
    assert.ok((clock.waits[4] ?? Infinity) < 1000, 'the backoff begins anew');
  });

  it('before any text does not mention a partial answer', async () => {
    const suspended = { id: '__suspended__', type: 'suspend', retryable: true, error: 'later' };
    const service = await start((asked) => asked.response.end(ndjson(cutoff(), echo(asked), suspended)));
    const { session } = open({ url: service.url, clock: instantClock() });
    await session.send(message());
    const { outcome } = flat(session.thread)[0] ?? {};
    assert.equal(outcome?.state === 'failed' && outcome.error.message, 'The service paused this answer.');
  });

  it('for a new question is retried a few times only, and reported', async () => {
    const service = await start(({ response }) => response.destroy());
    const { session, unsent } = open({ url: service.url, clock: instantClock() });
    await session.send(message());
    assert.equal(service.asked.length, 4);
    assert.equal(unsent.length, 1);
    const asking = await start(({ response }) => response.writeHead(429, { 'retry-after': '600' }).end());
    const limited = open({ url: asking.url, clock: instantClock() });
    await limited.session.send(message());
    assert.equal(asking.asked.length, 1);
    assert.match(limited.session.thread.error?.message ?? '', /600 seconds/);
  });

  for (const [what, waits, isAskedAgain] of [
    ['absurdly long', ['99999999999999999999', new Date(4e12).toUTCString()], false],
    ['until a moment that has passed', ['-3', new Date(0).toUTCString()], true],
  ] as const)
    it(`with a requested wait ${what} is reported without a number`, async () => {
      for (const wait of waits) {
        const service = await start(({ response }) => response.writeHead(429, { 'retry-after': wait }).end());
        const { session } = open({ url: service.url, clock: instantClock() });
        await session.send(message());
        assert.equal(session.thread.error?.message, 'Too many requests. Wait before you ask again.');
        assert.equal(service.asked.length > 1, isAskedAgain);
      }
    });

  it('due to a wrong URL is not retried', async () => {
    for (const body of ['{"hello":"world"}', '<!DOCTYPE html><p>Welcome</p>']) {
      const service = await start(({ response }) => response.end(body));
      const { session } = open({ url: service.url, clock: instantClock() });
      await session.send(message());
      assert.equal(service.asked.length, 1);
      assert.equal(session.thread.error?.kind, 'protocol');
    }
  });
});

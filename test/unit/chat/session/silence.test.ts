import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { afterEach, describe, it } from 'mocha';
import { ndjson, reply, services, type Asked } from '../../api/support/service.ts';
import { answer } from '../support/answers.ts';
import { answerOf, instantClock, message, open, outcomeOf } from '../support/sessions.ts';

const { start, closeAll } = services();
afterEach(closeAll);
const TEXT = 'Revenue grew by 12 % in the second quarter 🙂, most of it in the south.';

describe('a silence', () => {
  it('longer than the stall timeout counts as a lost connection', async () => {
    const service = await start((asked) =>
      service.asked.length > 1
        ? reply(asked, ...answer(asked, TEXT))
        : asked.response.write(ndjson(...answer(asked, TEXT).slice(0, 9))),
    );
    const { session } = open({ url: service.url, clock: instantClock(), stallTimeout: 500 });
    await session.send(message());
    assert.deepEqual([answerOf(session), service.asked.length], [TEXT, 2]);
    await service.asked[0]?.closed;
  });

  /** A service without a network that is silent for a given time; its HTTP client times out like that of Node.js. */
  const silent = (
    answers: ((write: (text: string) => void, fail: (error: Error) => void, asked: Asked) => void)[],
  ): typeof fetch => {
    let call = 0;
    return (_, init) => {
      const body = JSON.parse(String(init?.body)) as Asked['body'];
      const stream = new ReadableStream<Uint8Array>({
        start: (controller) => {
          const write = (text: string): void =>
            text === '' ? controller.close() : controller.enqueue(new TextEncoder().encode(text));
          answers[call++]?.(write, (error) => controller.error(error), { body } as Asked);
        },
      });
      return Promise.resolve(new Response(stream));
    };
  };
  const pass = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= 1000) {
      mock.timers.tick(1000);
      await Promise.resolve();
    }
    for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
  };
  afterEach(() => mock.timers.reset());

  for (const [minutes, ms] of [
    ['301 seconds', 301_000],
    ['15 minutes', 15 * 60_000],
  ] as const)
    it(`of ${minutes} with a long timeout does no harm`, async () => {
      mock.timers.enable({ apis: ['setTimeout'] });
      let proceed: () => void = () => undefined;
      const answering = silent([
        (write, _, asked) => {
          const lines = answer(asked, TEXT);
          write(ndjson(...lines.slice(0, 9)));
          proceed = () => {
            write(ndjson(...lines.slice(9)));
            write('');
          };
        },
      ]);
      const { session, events } = open({
        url: 'http://localhost',
        fetch: answering,
        stallTimeout: 20 * 60_000,
        clock: instantClock(),
      });
      const asking = session.send(message());
      for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
      await pass(ms);
      proceed();
      await asking;
      assert.deepEqual([answerOf(session), outcomeOf(session)], [TEXT, 'done']);
      assert.ok(events.every(({ type }) => type !== 'reconnecting'));
    });

  it('that the HTTP client does not tolerate (300 s) counts as a lost connection, before and after the headers', async () => {
    const timeout = (code: string): Error => Object.assign(new Error('Timeout'), { code });
    const calls: string[] = [];
    const answering = silent([
      (write, fail, asked) => {
        write(ndjson(...answer(asked, TEXT).slice(0, 9)));
        setImmediate(() => fail(new TypeError('terminated', { cause: timeout('UND_ERR_BODY_TIMEOUT') })));
      },
      (write, _, asked) => {
        write(ndjson(...answer(asked, TEXT)));
        write('');
      },
    ]);
    const fetching: typeof fetch = (url, init) => {
      calls.push((JSON.parse(String(init?.body)) as { messageId: string }).messageId);
      return calls.length === 2
        ? Promise.reject(new TypeError('fetch failed', { cause: timeout('UND_ERR_HEADERS_TIMEOUT') }))
        : answering(url, init);
    };
    const { session, failures } = open({ url: 'http://localhost', fetch: fetching, clock: instantClock() });
    await session.send(message());
    assert.deepEqual([answerOf(session), outcomeOf(session), failures.length], [TEXT, 'done', 0]);
    assert.equal(calls.length, 3);
    assert.equal(new Set(calls).size, 1);
  });
});

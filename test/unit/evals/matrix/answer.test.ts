/** The answer to one question, and what is reported while it is asked. */
import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { afterEach, describe, it } from 'mocha';
import type { Clock } from '../../../../src/chat/session/clock.ts';
import { sessionAsk, type AskEvents } from '../../../../src/evals/matrix/answer.ts';
import { until } from '../../../support/until.ts';
import { ndjson, reply, services, type Asked, type Service } from '../../api/support/service.ts';
import { answer, cutoff, echo, final, state } from '../../chat/support/answers.ts';
import { connectionTo, instantClock } from '../../chat/support/sessions.ts';

const { start, closeAll } = services();
afterEach(closeAll);

const asking = (service: Service, events?: AskEvents, options?: Parameters<typeof sessionAsk>[2]) =>
  sessionAsk(() => Promise.resolve(connectionTo({ url: service.url })), events, options);
const ask = async (service: Service, clock?: Clock) =>
  asking(service, {}, { clock })('revenue?', new AbortController().signal);

const tool = (id: string, sort: number, toolCall: object, isInProcess = false): object => ({
  ...{ id, role: 'assistant', graphPath: ['tools'], isDelta: false, isInProcess, sort },
  toolCall: { name: 'svcSqlApi', ...toolCall },
});
const sql = { input: '{"sqlQuery":"SELECT 1","queryTitle":"One"}' };
const queryLines = (asked: Asked): object[] => [
  cutoff(),
  echo(asked),
  tool('q1', 2, sql, true),
  tool('q1', 2, { ...sql, result: '{"error":"no such member"}' }),
  tool('q2', 3, { ...sql, result: '{"schema":[{"name":"a"}],"data":[[1]]}' }),
  { id: '__usage__', usage: { totalTokens: 7 } },
  final('It is 1.', 4),
  state,
];
const withQueries = (asked: Asked): void => reply(asked, ...queryLines(asked));

describe('the answer of a question test', () => {
  it('has the text, the queries in order with their rows or error, and its usage', async () => {
    const got = await ask(await start(withQueries));
    assert.deepEqual(
      [got.text, got.usage, got.error, got.isStopped],
      ['It is 1.', { totalTokens: 7 }, undefined, false],
    );
    assert.deepEqual(got.queries, [
      { sql: 'SELECT 1', error: 'no such member' },
      { sql: 'SELECT 1', table: { columns: [{ name: 'a', type: '' }], rows: [[1]], totalRows: 1 } },
    ]);
    assert.equal(got.thread.chatId, 'c1');
    assert.ok(got.milliseconds > 0 && got.milliseconds < 60_000);
  });

  it('has no table of a failed query, even if the service sends one without rows', async () => {
    const schema = [{ name: 'a' }];
    const results = [
      { error: 'timeout', schema, data: [] },
      { error: 'only a part', schema, data: [[1]] },
    ];
    const tools = results.map((result, at) => tool(`q${at}`, at + 2, { ...sql, result: JSON.stringify(result) }));
    const { queries } = await ask(
      await start((asked) => reply(asked, cutoff(), echo(asked), ...tools, final('Up.', 9), state)),
    );
    assert.deepEqual(
      queries.map(({ error, table }) => [error, table?.rows]),
      [
        ['timeout', undefined],
        ['only a part', [[1]]],
      ],
    );
  });

  it('has the rows of any tool, but no chart without rows', async () => {
    const rows = { schema: [{ name: 'a' }], data: [[1]] };
    const results = { run_code: rows, draw: { vegaSpec: '{"data":{"values":[1]},"mark":"bar"}' } };
    const tools = Object.entries(results).map(([name, result], at) =>
      tool(name, at + 2, { name, result: JSON.stringify(result) }),
    );
    const { queries } = await ask(
      await start((asked) => reply(asked, cutoff(), echo(asked), ...tools, final('Up.', 9), state)),
    );
    assert.deepEqual(queries, [{ sql: '', table: { columns: [{ name: 'a', type: '' }], rows: [[1]], totalRows: 1 } }]);
  });

  it('reports each query when it starts and when it has a result', async () => {
    const seen: [string, boolean, boolean][] = [];
    const service = await start(async (asked) => {
      const lines = queryLines(asked);
      asked.response.write(ndjson(...lines.slice(0, 3)));
      await until(() => seen.length > 0);
      asked.response.end(ndjson(...lines.slice(3)));
    });
    await asking(service, {
      onTool: (id, payload) => {
        if (payload.kind === 'sqlQuery') seen.push([id, payload.error !== undefined, payload.table !== undefined]);
      },
    })('revenue?', new AbortController().signal);
    assert.deepEqual(seen, [
      ['q1', false, false],
      ['q1', true, false],
      ['q2', false, true],
    ]);
  });

  it('has the error of the agent, or that the service stopped it', async () => {
    const failed = await ask(await start((asked) => reply(asked, cutoff(), echo(asked), { error: 'Out of memory' })));
    assert.match(failed.error ?? '', /Out of memory/);
    const aborted = { id: '__aborted__', role: 'assistant' };
    const stopped = await ask(await start((asked) => reply(asked, cutoff(), echo(asked), aborted)));
    assert.deepEqual([stopped.error, stopped.isStopped], ['The service stopped this answer.', false]);
  });

  it('is given up after minutes instead of an hour, and says how often it was tried', async () => {
    const service = await start((asked) => {
      asked.response.write(ndjson(cutoff(), echo(asked)));
      return setImmediate(() => asked.response.destroy());
    });
    const clock = instantClock();
    const from = clock.time;
    const { error } = await ask(service, clock);
    assert.ok(clock.time - from <= 5 * 60_000, `gave up after ${clock.time - from} ms`);
    assert.ok(service.asked.length > 5);
    assert.equal(
      error,
      `Tried ${service.asked.length} times. The connection to the chat service was lost (UND_ERR_SOCKET).`,
    );
  });

  it('waits with growing pauses, or as long as asked, while the service has too many requests', async () => {
    let refusals = 0;
    const service = await start((asked) => {
      refusals += 1;
      if (refusals === 8) return asked.response.writeHead(429, { 'retry-after': '90' }).end();
      if (refusals < 9) return asked.response.writeHead(429).end();
      return reply(asked, ...answer(asked, 'Up.'));
    });
    const clock = instantClock();
    const { text, error } = await ask(service, clock);
    assert.deepEqual([text, error], ['Up.', undefined]);
    assert.deepEqual(clock.waits, [450, 900, 1800, 3600, 7200, 14_400, 29_550, 90_000]);
  });

  it('fails if the service has too many requests for minutes, or asks for a longer pause', async () => {
    const busy = await start(({ response }) => response.writeHead(429).end());
    const { error } = await ask(busy, instantClock());
    assert.equal(error, `Tried ${busy.asked.length} times. Too many requests. Wait before you ask again.`);
    const closed = await start(({ response }) => response.writeHead(429, { 'retry-after': '600' }).end());
    assert.equal(
      (await ask(closed, instantClock())).error,
      'Too many requests. Wait 600 seconds before you ask again.',
    );
    assert.equal(closed.asked.length, 1);
  });

  it('to a follow-up is waited for while the service is still ending the one before', async () => {
    const service = await start((asked) =>
      service.asked.length === 2
        ? asked.response.writeHead(409).end('{"error":"Streaming for thread is in progress"}')
        : reply(asked, ...answer(asked, `Up, ${String(asked.body.input)}.`)),
    );
    const { signal } = new AbortController();
    const { thread } = await asking(service)('Ana', signal);
    const { text, error } = await asking(service, {}, { thread, clock: instantClock() })('Ben', signal);
    assert.deepEqual([text, error, service.asked.length], ['Up, Ben.', undefined, 3]);
  });

  it('has no error if the user stopped it', async () => {
    const controller = new AbortController();
    const service = await start((asked) => {
      if (asked.body.input === undefined) return asked.response.writeHead(204).end();
      return asked.response.write(ndjson(cutoff(), echo(asked), tool('q1', 2, sql, true)));
    });
    const got = await asking(service, { onTool: () => controller.abort() })('revenue?', controller.signal);
    assert.deepEqual([got.error, got.isStopped], [undefined, true]);
    assert.equal(service.asked.length, 2, 'aborted on the service before the answer is returned');
  });

  it('is not waited for longer than it should if the user stopped it before the service has responded', async () => {
    const controller = new AbortController();
    const service = await start(() => controller.abort());
    const clock = instantClock();
    const got = await asking(service, {}, { clock, stopPatience: 300 })('revenue?', controller.signal);
    assert.deepEqual([got.isStopped, clock.waits], [true, [300]]);
  });

  it('leaves nothing behind on the signal of the run', async () => {
    const { signal } = new AbortController();
    await asking(await start(withQueries))('revenue?', signal);
    assert.equal(getEventListeners(signal, 'abort').length, 0);
  });

  it('is not asked for once the run is canceled', async () => {
    const service = await start((asked) => reply(asked, ...answer(asked, 'Up.')));
    const got = await asking(service)('revenue?', AbortSignal.abort());
    assert.deepEqual([got.text, got.queries, got.isStopped, service.asked.length], ['', [], true, 0]);
  });
});

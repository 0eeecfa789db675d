import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { queryTable } from '../../../../src/api/dataQuery.ts';
import { withRetries } from '../../../../src/chat/session/retry.ts';
import type { ResultTable } from '../../../../src/shared/wire/toolPayloads.ts';
import { services, type Service } from '../../api/support/service.ts';

const { start, closeAll } = services();
const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);

describe('data queries of question tests', () => {
  afterEach(closeAll);

  const waits: number[] = [];
  function ask({ origin }: Service): Promise<ResultTable> {
    waits.length = 0;
    const { signal } = new AbortController();
    const sleep = (ms: number, cancel: AbortSignal): Promise<void> => {
      assert.equal(cancel, signal, 'a canceled run does not wait');
      return Promise.resolve(void waits.push(ms));
    };
    const clock = { now: () => sum(waits), random: () => 0.5, sleep };
    const credential = { kind: 'apiKey', value: 'k' } as const;
    const options = { dataQueryUrl: `${origin}/query`, credential, signal };
    return withRetries(() => queryTable('SELECT 1', options), signal, undefined, clock);
  }

  it('are run again when the service asks to wait, after that time', async () => {
    const service = await start(({ response }) => {
      if (service.asked.length === 1) return response.writeHead(429).end();
      if (service.asked.length === 2) return response.writeHead(503, { 'Retry-After': '7' }).end();
      return response.end('{"schema":[{"name":"a"}],"data":[[1]]}\n');
    });
    assert.deepEqual((await ask(service)).rows, [[1]]);
    assert.deepEqual(waits, [450, 7000]);
  });

  it('fail if the service goes on refusing, or asks to wait for long', async () => {
    const busy = await start(({ response }) => response.writeHead(429).end());
    await assert.rejects(ask(busy), { kind: 'rateLimited' });
    assert.ok(busy.asked.length > 4);
    const closed = await start(({ response }) => response.writeHead(503, { 'Retry-After': '3600' }).end());
    await assert.rejects(ask(closed), { kind: 'server' });
    assert.equal(closed.asked.length, 1);
  });

  it('are run again a few times after a failure of a gateway and a lost connection', async () => {
    const service = await start(({ response }) => {
      if (service.asked.length === 1) return response.writeHead(502).end('<html>Bad gateway</html>');
      if (service.asked.length === 2) return response.write('{"schema":[{"na', () => response.destroy());
      return response.end('{"schema":[{"name":"a"}],"data":[[1]]}\n');
    });
    assert.deepEqual((await ask(service)).rows, [[1]]);
    const down = await start(({ response }) => response.writeHead(504).end());
    await assert.rejects(ask(down), { status: 504 });
    assert.equal(down.asked.length, 4);
  });

  it('fail at once for any other reason', async () => {
    const service = await start(({ response }) => response.writeHead(500).end('{"error":"no such column"}'));
    await assert.rejects(ask(service), { kind: 'server' });
    assert.equal(service.asked.length, 1);
  });
});

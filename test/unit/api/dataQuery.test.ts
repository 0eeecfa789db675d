import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { afterEach, describe, it } from 'mocha';
import { queryAllRows, queryTable } from '../../../src/api/dataQuery.ts';
import { MAX_LINE_BYTES } from '../../../src/api/ndjson.ts';
import { services, type Service } from './support/service.ts';

const { start, closeAll } = services();

async function rowsOf({ origin }: Service, signal = new AbortController().signal): Promise<unknown[]> {
  const rows: unknown[] = [];
  const credential = { kind: 'apiKey', value: 'k' } as const;
  for await (const batch of queryAllRows('SELECT 1', { dataQueryUrl: `${origin}/query`, credential, signal }))
    rows.push(...batch.rows);
  return rows;
}

describe('the data query', () => {
  afterEach(closeAll);

  it('sends branch and user like a chat request', async () => {
    const service = await start(({ response }) => response.end('{"schema":[{"name":"a"}],"data":[[1]]}\n'));
    const context = {
      activeBranchName: 'feature/net',
      isDefaultBranch: false,
      sessionSettings: { externalId: 'ana' },
    };
    const ask = async (kind: 'apiKey' | 'serviceToken', named: object): Promise<void> => {
      const dataQueryUrl = `${service.origin}/branches/{branch}/query`;
      const options = { dataQueryUrl, mainBranch: 'trunk', credential: { kind, value: 'k' }, ...named };
      for await (const { rows } of queryAllRows('SELECT 1', { ...options, signal: new AbortController().signal }))
        assert.deepEqual(rows, [[1]]);
    };
    await ask('apiKey', context);
    await ask('serviceToken', context);
    await ask('apiKey', {});
    const { sessionSettings: _, ...branch } = context;
    assert.deepEqual(
      service.asked.map(({ path, body }) => [path, body]),
      [
        ['/branches/feature%2Fnet/query', { query: 'SELECT 1', ...context }],
        // With a token, the service reads the user from the token.
        ['/branches/feature%2Fnet/query', { query: 'SELECT 1', ...branch }],
        ['/branches/trunk/query', { query: 'SELECT 1' }],
      ],
    );
  });

  it('collects the batches of a result in one table', async () => {
    const service = await start(({ response }) =>
      response.end(
        '{"schema":[{"name":"a","column_type":"number"}]}\n{"data":[[1],[2]]}\nnull\n{"data":[[{"b":2.50}]]}\n',
      ),
    );
    const options = { dataQueryUrl: service.origin, credential: { kind: 'apiKey', value: 'k' } as const };
    assert.deepEqual(await queryTable('SELECT 1', { ...options, signal: new AbortController().signal }), {
      columns: [{ name: 'a', type: 'number' }],
      rows: [[1], [2], [{ b: 2.5 }]],
      totalRows: 3,
    });
  });

  it('fails at a second schema with other columns, and accepts the same one again', async () => {
    const first = '{"schema":[{"name":"a"},{"name":"b"}],"data":[[1,2]]}\n';
    const same = await start(({ response }) => response.end(first + first));
    assert.deepEqual(await rowsOf(same), [
      [1, 2],
      [1, 2],
    ]);
    for (const names of [
      ['b', 'a'],
      ['a', 'c'],
      ['a', 'b', 'c'],
    ]) {
      const schema = JSON.stringify(names.map((name) => ({ name })));
      const other = await start(({ response }) => response.end(`${first}{"schema":${schema},"data":[[3,4]]}\n`));
      await assert.rejects(rowsOf(other), { kind: 'protocol', message: /two results with different columns/ }, schema);
    }
  });

  it('says that it got a web page, or a line that is too long', async () => {
    const page = await start(({ response }) => response.end('<!DOCTYPE html>\n<h1>Sign in</h1>\n'));
    await assert.rejects(rowsOf(page), { kind: 'protocol', message: /web page/ });
    const options = { dataQueryUrl: 'https://a.example', credential: { kind: 'apiKey', value: 'k' } as const };
    const { signal } = new AbortController();
    const fetch = (): Promise<Response> => Promise.resolve(new Response(Buffer.alloc(MAX_LINE_BYTES + 1, 'x')));
    const long = queryTable('SELECT 1', { ...options, signal, fetch });
    await assert.rejects(long, { kind: 'protocol', message: /a line of more than 32 MB/ });
  });

  it('ends if no row arrives for too long, whatever else does', async () => {
    for (const line of ['', ' ', '\n', '{"data":[]}\n', '{}\n']) {
      const service = await start(({ response }) => {
        response.write('{"schema":[{"name":"a"}],"data":[[1]]}\n');
        const timer = setInterval(() => response.write(line || ' '), 5);
        response.once('close', () => clearInterval(timer));
      });
      const options = { dataQueryUrl: service.origin, credential: { kind: 'apiKey', value: 'k' } as const };
      const { signal } = new AbortController();
      await assert.rejects(queryTable('SELECT 1', { ...options, signal, stallTimeout: 100 }), { kind: 'stalled' });
      await service.asked[0]?.closed;
    }
  });

  it('collects no more rows and bytes than fit into memory, and says how many', async () => {
    const rows = (...all: string[]): Buffer => Buffer.from(`{"data":[${all.join()}]}\n`);
    const many = rows(`[]${',[]'.repeat(199_999)}`);
    const wide = Buffer.concat(Array<Buffer>(200).fill(rows(`["${'x'.repeat(50_000)}"]`)));
    for (const batches of [[...Array<Buffer>(5).fill(many), rows('[]')], Array<Buffer>(10).fill(wide)]) {
      const { promise: closed, resolve: close } = Promise.withResolvers<void>();
      // Another one follows, which must not be read.
      const left = [...batches, rows('[]')];
      const body = new ReadableStream({
        start: (stream) => stream.enqueue(Buffer.from('{"schema":[{"name":"a"}]}\n')),
        pull: (stream) => {
          const bytes = left.shift();
          if (bytes) stream.enqueue(bytes);
          else stream.close();
        },
        cancel: close,
      });
      const options = { dataQueryUrl: 'https://a.example', credential: { kind: 'apiKey', value: 'k' } as const };
      const { signal } = new AbortController();
      const fetch = (): Promise<Response> => Promise.resolve(new Response(body));
      await assert.rejects(queryTable('SELECT 1', { ...options, signal, fetch }), {
        message: 'The result has more than 1,000,000 rows or 100 MB. Limit the rows of the query.',
      });
      await closed;
    }
  });

  it('sends nothing after an earlier abort', async () => {
    const service = await start(({ response }) => response.end('{"schema":[{"name":"a"}],"data":[[1]]}\n'));
    assert.deepEqual(await rowsOf(service), [[1]]);
    assert.deepEqual(await rowsOf(service, AbortSignal.abort()), []);
    assert.equal(service.asked.length, 1);
  });

  it('is sent again if its connection was closed before a response, but not after an abort', async () => {
    const abort = new AbortController();
    const service = await start(({ response }) => {
      if (service.asked.length === 2) return response.end('{"schema":[{"name":"a"}],"data":[[1]]}\n');
      if (service.asked.length === 3) abort.abort();
      return response.destroy();
    });
    assert.deepEqual(await rowsOf(service), [[1]]);
    assert.deepEqual(await rowsOf(service, abort.signal), []);
    assert.equal(service.asked.length, 3);
  });

  it('closes the connection if its rows are no longer read', async () => {
    const service = await start(({ response }) => response.write('{"schema":[{"name":"a"}],"data":[[1]]}\n'));
    const options = { dataQueryUrl: service.origin, credential: { kind: 'apiKey', value: 'k' } as const };
    for await (const { rows } of queryAllRows('SELECT 1', { ...options, signal: new AbortController().signal })) {
      assert.deepEqual(rows, [[1]]);
      break;
    }
    await service.asked[0]?.closed;
  });

  it('finds the cells of a row that is an object by the columns of an earlier line', async () => {
    const service = await start(({ response }) =>
      response.end('{"schema":[{"name":"a"},{"name":"b"}]}\n{"data":[{"b":2,"a":1}]}\n'),
    );
    assert.deepEqual(await rowsOf(service), [[1, 2]]);
  });

  it('reports the error of a line, as text or as an object', async () => {
    for (const error of ['Out of memory.', { message: 'Out of memory.' }]) {
      const service = await start(({ response }) =>
        response.end(`{"schema":[{"name":"a"}],"data":[[1]]}\n${JSON.stringify({ error })}\n`),
      );
      await assert.rejects(rowsOf(service), { kind: 'stream', message: 'Out of memory.' });
    }
  });

  it('reports a rejected credential, and an error without a message', async () => {
    for (const [line, kind, message] of [
      [{ jsonrpc: '2.0', error: { message: 'no scope' } }, 'auth', 'no scope'],
      [{ error: { message: 1 } }, 'stream', 'The service reported an error.'],
    ] as const) {
      const service = await start(({ response }) => response.end(JSON.stringify(line)));
      await assert.rejects(rowsOf(service), { kind, message });
    }
  });

  it('uses the branch “main” by default, and ignores lines that are not objects', async () => {
    const service = await start(({ response }) => response.end('null\n3\n{"schema":[{"name":"a"}],"data":[[1]]}\n'));
    const options = { credential: { kind: 'apiKey', value: 'k' }, signal: new AbortController().signal } as const;
    const { rows } = await queryTable('SELECT 1', { ...options, dataQueryUrl: `${service.origin}/{branch}` });
    assert.deepEqual([rows, service.asked[0]?.path], [[[1]], '/main']);
    assert.equal(getEventListeners(options.signal, 'abort').length, 0);
  });

  it('needs a schema, also for a result without rows', async () => {
    const empty = await start(({ response }) => response.end('{"schema":[{"name":"a"}],"data":[]}\n'));
    assert.deepEqual(await rowsOf(empty), []);
    const options = { credential: { kind: 'apiKey', value: 'k' }, signal: new AbortController().signal } as const;
    const { columns } = await queryTable('SELECT 1', { ...options, dataQueryUrl: empty.origin });
    assert.deepEqual(columns, [{ name: 'a', type: '' }]);
    for (const [status, body] of [
      [204, ''],
      [200, ''],
      [200, '{}\n'],
      [200, '[]\n'],
      [200, '{"data":[]}\n'],
    ] as const) {
      const service = await start(({ response }) => response.writeHead(status).end(body));
      await assert.rejects(rowsOf(service), { kind: 'protocol', message: 'The data query API returned no result.' });
    }
  });

  it('reports deeply nested data as an error, not as a lost connection', async () => {
    const deep = '['.repeat(50_000) + ']'.repeat(50_000);
    const service = await start(({ response }) => response.end(`{"schema":[{"name":"a"}],"data":[[${deep}]]}\n`));
    await assert.rejects(rowsOf(service), { kind: 'protocol' });
  });
});

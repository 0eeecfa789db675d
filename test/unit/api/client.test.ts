import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, it } from 'mocha';
import { ChatClient, ChatError } from '../../../src/api/client.ts';
import { answerLines } from '../../bench/parse/lines.ts';
import { collect } from '../../support/collect.ts';
import { ndjson, reply, services, type Service } from './support/service.ts';

const { start, closeAll } = services();
const sessionSettings = { externalId: 'dev' };
const key = { kind: 'apiKey', value: 'k' } as const;
const client = ({ url }: Service): ChatClient => new ChatClient({ chatApiUrl: url, credential: key });
const ask = { input: 'revenue?', sessionSettings };

const failure = (work: Promise<unknown>): Promise<ChatError> =>
  work.then(
    () => assert.fail('did not fail'),
    (error: unknown) => {
      assert.ok(error instanceof ChatError, String(error));
      return error;
    },
  );

describe('the stream request', () => {
  afterEach(closeAll);

  for (const [how, beginning] of [
    ['a blank line', '\n'],
    ['what keeps the connection alive', ': keep-alive\n\n'],
  ] as const)
    it(`reads an answer that a gateway has labeled as HTML, after ${how}`, async () => {
      const service = await start(({ response }) => {
        response.writeHead(200, { 'content-type': 'text/html' });
        response.write(beginning);
        response.end(ndjson({ id: 'a', role: 'assistant', content: 'Hi', isDelta: false }));
      });
      const lines = await collect(client(service).stream(ask));
      assert.deepEqual(
        lines.map(({ kind }) => kind).filter((kind) => kind !== 'unknown'),
        ['message'],
      );
    });

  it('waits for the configured timeout, even beyond the maximum of timers', async () => {
    const chat = new ChatClient({
      chatApiUrl: 'https://chat.example/agent',
      credential: key,
      fetch: async (_, init) => {
        // Timers fire in order: an expired one that fires at once comes before this one.
        await pause(2, undefined, { signal: init?.signal ?? undefined });
        return new Response(ndjson({ id: 'a', role: 'assistant', content: 'Hi', isDelta: false }));
      },
    });
    const lines = await collect(chat.stream(ask, { stallTimeout: 3_000_000_000 }));
    assert.equal(lines.length, 1);
  });

  it('posts JSON to the stream URL, and yields each line', async () => {
    const service = await start((asked) =>
      reply(
        asked,
        { id: '__cutoff__', role: 'assistant', sort: 0, state: { chatId: 'c1', isStreaming: false } },
        {
          id: 'a',
          role: 'assistant',
          content: 'Hi',
          graphPath: ['final'],
          isDelta: false,
          isInProcess: false,
          sort: 1,
        },
        { id: '__state__', isDelta: false, state: { messages: [] } },
        { id: '__usage__', usage: { totalTokens: 3 } },
      ),
    );
    const lines = await collect(client(service).stream(ask));
    assert.deepEqual(
      lines.map(({ kind }) => kind),
      ['cutoff', 'message', 'state', 'usage'],
    );
    const [asked] = service.asked;
    assert.equal(asked?.response.req.method, 'POST');
    assert.equal(asked?.path, '/api/v1/agent/chat/stream-chat-state');
    assert.equal(asked?.headers['content-type'], 'application/json');
    assert.deepEqual(asked?.body, ask);
  });

  for (const credential of [key, { kind: 'serviceToken', value: 'a.b.c' } as const])
    it(`sends one credential header, with ${credential.kind}`, async () => {
      const service = await start((asked) => reply(asked, { id: '__state__', state: { messages: [] } }));
      await collect(new ChatClient({ chatApiUrl: service.url, credential }).stream(ask));
      const { headers } = service.asked[0]!;
      assert.equal(headers.authorization, credential.kind === 'apiKey' ? 'Api-Key k' : undefined);
      assert.equal(headers['x-svc-auth-token'], credential.kind === 'serviceToken' ? 'a.b.c' : undefined);
    });

  // Node.js keeps no cookies and has no cache, so only the options tell what a browser would send.
  it('tells the browser to send no cookies, to cache nothing and to follow no redirect', async () => {
    const sent: (RequestInit | undefined)[] = [];
    const recording: typeof fetch = (_, init) => {
      sent.push(init);
      return Promise.resolve(new Response(null, { status: 204 }));
    };
    const recorded = new ChatClient({ chatApiUrl: 'https://agent.example', credential: key, fetch: recording });
    await collect(recorded.stream(ask));
    await recorded.abort('c1', ask.sessionSettings);
    assert.deepEqual(
      sent.map((init) => [init?.credentials, init?.cache, init?.redirect]),
      Array(2).fill(['omit', 'no-store', 'error']),
    );
  });

  it('reports a first line that was cut off as unreadable, not as another kind of response', async () => {
    const service = await start(({ response }) => response.end('{"id":"a","ro'));
    const spaced = await start(({ response }) => response.end(' {"id":"a","ro'));
    for (const each of [service, spaced])
      assert.deepEqual(
        (await collect(client(each).stream(ask))).map(({ kind }) => kind),
        ['unknown'],
      );
    const other = await start(({ response }) => response.end('Welcome'));
    await assert.rejects(collect(client(other).stream(ask)), { kind: 'protocol' });
  });

  it('has no lines if the response is a web page', async () => {
    const service = await start(({ response }) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      response.end('\n<!doctype html>\n<title>Sign in</title>\n');
    });
    const lines = client(service).stream(ask);
    await assert.rejects(lines.next(), { kind: 'protocol' });
  });

  it('has no lines if the response is empty', async () => {
    const service = await start(({ response }) => response.end());
    assert.deepEqual(await collect(client(service).stream(ask)), []);
  });

  it('shows an error whose characters are split between chunks', async () => {
    for (const status of [200, 500]) {
      const service = await start(async ({ response }) => {
        response.writeHead(status);
        for (const byte of Buffer.from('{\n"jsonrpc":"2.0","error":{"message":"Schlüssel für 5 €"}}')) {
          response.write(Uint8Array.of(byte));
          await new Promise(setImmediate);
        }
        response.end();
      });
      assert.equal((await failure(collect(client(service).stream(ask)))).message, 'Schlüssel für 5 €');
    }
  });

  it('yields a line while the service is writing the next one', async () => {
    let write: (text: string) => void = () => undefined;
    const service = await start(({ response }) => {
      response.writeHead(200);
      write = (text) => response.write(text);
      response.write('{"id":"a","role":"assistant","content":"1","isDelta":true}\n{"id":"a","ro');
    });
    const stream = client(service).stream(ask);
    assert.equal(((await stream.next()).value as { content: string }).content, '1');
    write('le":"assistant","content":"2","isDelta":true}\n');
    assert.equal(((await stream.next()).value as { content: string }).content, '2');
    await stream.return();
  });

  it('yields the lines of a chunk together, each reported with its text before, and no empty list', async () => {
    const line = (id: string): string => JSON.stringify({ id, role: 'assistant', content: 'Hi' });
    const chunks = [`${line('a')}\n${line('b')}\n`, '\n', '{"id":', `"c"}\n`];
    const start = (body: ReadableStreamDefaultController<Uint8Array>): void => {
      for (const chunk of chunks) body.enqueue(Buffer.from(chunk));
      body.close();
    };
    const events: string[] = [];
    const chat = new ChatClient({
      chatApiUrl: 'https://chat.example/agent',
      credential: key,
      fetch: () => Promise.resolve(new Response(new ReadableStream({ start }))),
      onLine: ({ kind }, text) => void events.push(`${kind} ${text}`),
    });
    for await (const lines of chat.streamBatches(ask)) events.push(`${lines.length} lines`);
    assert.deepEqual(events, [
      ...[`message ${line('a')}`, `message ${line('b')}`, '2 lines'],
      ...['unknown {"id":"c"}', '1 lines'],
    ]);
  });

  it('accepts chunks that split every character', async () => {
    const lines = answerLines(20, 3);
    const text = ndjson(...Array.from({ length: 30 }, () => lines.next().value));
    const whole = await start(({ response }) => response.writeHead(200).end(text));
    const cut = await start(async ({ response }) => {
      response.writeHead(200);
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; at += 97) {
        response.write(bytes.subarray(at, at + 97));
        await new Promise(setImmediate);
      }
      response.end();
    });
    assert.deepEqual(await collect(client(cut).stream(ask)), await collect(client(whole).stream(ask)));
  });

  it('rejects an invalid request without sending it', async () => {
    const service = await start((asked) => reply(asked));
    assert.equal((await failure(collect(client(service).stream({ input: 'x' })))).kind, 'badRequest');
    assert.equal(service.asked.length, 0);
  });

  it('reports a rejected credential as such, also after an unknown line', async () => {
    const rpc = '{"jsonrpc":"2.0","error":{"message":"Invalid key"}}';
    const service = await start(({ response }) => response.end(`: keep-alive\n${rpc}\n`));
    assert.equal((await failure(collect(client(service).stream(ask)))).kind, 'auth');
  });

  it('continues after unknown lines', async () => {
    const service = await start(({ response }) =>
      response.end('<junk>\n{"traceId":"x"}\n{"id":"a","role":"assistant","content":"x"}\n{"id":"b"}\n'),
    );
    const kinds = (await collect(client(service).stream(ask))).map(({ kind }) => kind);
    assert.deepEqual(kinds, ['unknown', 'unknown', 'message', 'unknown']);
  });
});

describe('the abort request', () => {
  afterEach(closeAll);

  it('posts to the abort URL and resolves on 204', async () => {
    const service = await start(({ response }) => response.writeHead(204).end());
    await client(service).abort('c1', sessionSettings);
    const [asked] = service.asked;
    assert.equal(asked?.path, '/api/v1/agent/chat/abort');
    assert.equal(asked?.headers.authorization, 'Api-Key k');
    assert.deepEqual(asked?.body, { chatId: 'c1', sessionSettings });
  });

  it('is sent again if its connection was closed before a response', async () => {
    const service = await start(({ response }) =>
      service.asked.length === 1 ? response.destroy() : response.writeHead(204).end(),
    );
    await client(service).abort('c1', sessionSettings);
    assert.deepEqual(service.asked[1]?.body, service.asked[0]?.body);
  });

  it('is sent at most twice, and only once if the connection was not closed', async () => {
    for (const [code, times] of [
      ['ECONNRESET', 2],
      ['EPIPE', 2],
      ['UND_ERR_SOCKET', 2],
      ['ECONNREFUSED', 1],
      ['CERT_HAS_EXPIRED', 1],
      [undefined, 1],
    ] as const) {
      let sent = 0;
      const failing = (): Promise<Response> => {
        sent += 1;
        return Promise.reject(new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code }) }));
      };
      const chat = new ChatClient({ chatApiUrl: 'https://chat.example/agent', credential: key, fetch: failing });
      const { kind, code: reported } = await failure(chat.abort('c1', sessionSettings));
      assert.deepEqual([kind, reported, sent], ['network', code, times]);
    }
  });

  it('uses the `fetch` that VS Code has set meanwhile', async () => {
    const replaced = mock.method(globalThis, 'fetch', () => Promise.resolve(new Response(null, { status: 204 })));
    try {
      await new ChatClient({ chatApiUrl: 'https://chat.example/agent', credential: key }).abort('c1', sessionSettings);
    } finally {
      replaced.mock.restore();
    }
    assert.equal(replaced.mock.callCount(), 1);
  });

  it('ends when its signal aborts', async () => {
    const service = await start(() => undefined);
    const signal = AbortSignal.abort();
    assert.equal((await failure(client(service).abort('c1', sessionSettings, { signal }))).kind, 'network');
    assert.equal(service.asked.length, 0);
  });

  for (const [status, kind] of [
    [403, 'forbidden'],
    [404, 'notFound'],
    [400, 'badRequest'],
    [401, 'auth'],
    [500, 'server'],
  ] as const)
    it(`fails as ${kind} on ${status}`, async () => {
      const service = await start(({ response }) => response.writeHead(status).end('{"error":"no"}'));
      const error = await failure(client(service).abort('c1', sessionSettings));
      assert.deepEqual([error.kind, error.status, error.message], [kind, status, 'no']);
    });

  it('reads a limited part of an endless error, and closes the connection', async () => {
    let reads = 0;
    const pull = (body: ReadableStreamDefaultController<Uint8Array>): void => {
      // Fails without the limit, instead of filling the memory.
      if ((reads += 1) > 100) body.error(new Error('read too much'));
      else body.enqueue(Buffer.from('x'.repeat(10_000)));
    };
    const endless = (): Promise<Response> =>
      Promise.resolve(new Response(new ReadableStream({ pull }), { status: 500 }));
    const chat = new ChatClient({ chatApiUrl: 'https://chat.example/agent', credential: key, fetch: endless });
    await failure(chat.abort('c1', sessionSettings));
    assert.ok(reads < 10, String(reads));

    const service = await start(({ response }) => {
      response.writeHead(500);
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    });
    assert.equal((await failure(client(service).abort('c1', sessionSettings))).kind, 'server');
    await service.asked[0]?.closed;
  });

  it('fails on a JSON-RPC error in a 200 response, and on an empty 200 response', async () => {
    const rpc = '{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"Invalid key"}}';
    const refusing = await start(({ response }) => response.end(rpc));
    assert.equal((await failure(client(refusing).abort('c1', sessionSettings))).kind, 'auth');
    const ended = await start(({ response }) => response.end(`${rpc}\n`));
    assert.equal((await failure(client(ended).abort('c1', sessionSettings))).kind, 'auth');
    const silent = await start(({ response }) => response.end());
    assert.equal((await failure(client(silent).abort('c1', sessionSettings))).kind, 'protocol');
  });
});

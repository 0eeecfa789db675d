import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { mock } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, it } from 'mocha';
import { ChatClient, ChatError } from '../../../src/api/client.ts';
import { seeded } from '../../support/random.ts';
import { until } from '../../support/until.ts';
import { ndjson, services, type Asked, type Service } from './support/service.ts';
import { runs } from '../../support/runs.ts';

// The tests run without this flag, but `gc` is defined in contexts created after it is set.
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const { start, closeAll } = services();
const ask = { input: 'x', sessionSettings: { externalId: 'dev' } };
const delta = { id: 'a', role: 'assistant', content: 'x', isDelta: true, isInProcess: true };
const client = ({ url }: Service): ChatClient =>
  new ChatClient({ chatApiUrl: url, credential: { kind: 'apiKey', value: 'k' } });

/** Writes a first line, then never ends. */
const hang = ({ response }: Asked): void => {
  response.writeHead(200);
  response.write(ndjson(delta));
};

/** Three lines and then an error when the request is canceled, like a network body. */
function inTwoPieces(signal: AbortSignal | null | undefined): ReadableStream<Uint8Array> {
  const pieces = [ndjson(delta, delta), ndjson(delta)].map((text) => new TextEncoder().encode(text));
  return new ReadableStream(
    {
      pull: (controller) => {
        signal?.throwIfAborted();
        const piece = pieces.shift();
        if (piece) controller.enqueue(piece);
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

describe('canceling', () => {
  afterEach(closeAll);
  afterEach(() => mock.reset());

  it('by leaving the loop closes the connection to the service', async () => {
    const service = await start(hang);
    for await (const line of client(service).stream(ask)) {
      assert.equal(line.kind, 'message');
      break;
    }
    await service.asked[0]?.closed;
    await until(
      () => service.sockets.size === 0,
      () => 'the socket is still open',
    );
  });

  it('by throwing inside the loop closes it too', async () => {
    const service = await start(hang);
    await assert.rejects(async () => {
      for await (const line of client(service).stream(ask)) throw new Error(line.kind);
    }, /^Error: message$/);
    await service.asked[0]?.closed;
  });

  it('by an abort ends the loop silently, before and during the answer', async () => {
    const service = await start((asked) => (service.asked.length > 1 ? hang(asked) : undefined));
    for (const lines of [0, 1]) {
      const controller = new AbortController();
      let got = 0;
      const reading = (async () => {
        for await (const line of client(service).stream(ask, { signal: controller.signal })) {
          got += 1;
          assert.ok(line);
          controller.abort();
        }
      })();
      await until(
        () => service.asked.length === lines + 1,
        () => 'the request has not come',
      );
      if (lines === 0) controller.abort();
      await reading;
      assert.equal(got, lines);
      await service.asked[lines]?.closed;
    }
  });

  it('by an earlier abort sends nothing', async () => {
    const service = await start(hang);
    for await (const line of client(service).stream(ask, { signal: AbortSignal.abort() })) assert.fail(line.kind);
    assert.equal(service.asked.length, 0);
  });

  it('by the stall timeout fails as stalled and closes the connection', async () => {
    const service = await start(hang);
    mock.timers.enable({ apis: ['setTimeout'] });
    const lines: string[] = [];
    await assert.rejects(
      async () => {
        for await (const { kind } of client(service).stream(ask, { stallTimeout: 400 })) {
          lines.push(kind);
          setImmediate(() => mock.timers.tick(400));
        }
      },
      (error) => error instanceof ChatError && error.kind === 'stalled',
    );
    assert.deepEqual(lines, ['message']);
    await service.asked[0]?.closed;
  });

  it('by the stall timeout before any response fails as stalled', async () => {
    const service = await start(() => undefined);
    await assert.rejects(
      client(service).stream(ask, { stallTimeout: 400 }).next(),
      (error) => error instanceof ChatError && error.kind === 'stalled',
    );
    await service.asked[0]?.closed;
  });

  it('by an abort or a stall also ends a body that ignores signals', async () => {
    let given = 0;
    const endless = new TextEncoder().encode(ndjson(delta));
    const chat = new ChatClient({
      chatApiUrl: 'https://chat.example/agent',
      credential: { kind: 'apiKey', value: 'k' },
      fetch: () =>
        Promise.resolve(
          new Response(new ReadableStream({ start: (body) => body.enqueue(endless), cancel: () => void (given += 1) })),
        ),
    });
    const own = new AbortController();
    for await (const _line of chat.stream(ask, { signal: own.signal })) setImmediate(() => own.abort());
    const silent = async (): Promise<void> => {
      for await (const line of chat.stream(ask, { stallTimeout: 20 })) assert.equal(line.kind, 'message');
    };
    await assert.rejects(silent, (error) => error instanceof ChatError && error.kind === 'stalled');
    assert.equal(given, 2);
  });

  it('does not count a slow reader as silence of the service', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const chat = new ChatClient({
      chatApiUrl: 'https://chat.example/agent',
      credential: { kind: 'apiKey', value: 'k' },
      fetch: (_, init) => Promise.resolve(new Response(inTwoPieces(init?.signal))),
    });
    let lines = 0;
    for await (const line of chat.stream(ask, { stallTimeout: 300 })) {
      lines += line.kind === 'message' ? 1 : 0;
      mock.timers.tick(400);
    }
    assert.equal(lines, 3);
  });

  it('does not count the time that large images take to send', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const image = { mimeType: 'image/png', data: 'A'.repeat(1_000_000) };
    const outcomes: string[] = [];
    for (const sending of [10_399, 10_500]) {
      const chat = new ChatClient({
        chatApiUrl: 'https://chat.example/agent',
        credential: { kind: 'apiKey', value: 'k' },
        fetch: (_, init) => {
          mock.timers.tick(sending);
          init?.signal?.throwIfAborted();
          return Promise.resolve(new Response(ndjson(delta)));
        },
      });
      const lines = chat.stream({ ...ask, images: [image] }, { stallTimeout: 400 });
      outcomes.push(
        await lines.next().then(
          ({ value }) => value?.kind ?? '',
          ({ kind }: ChatError) => kind,
        ),
      );
    }
    assert.deepEqual(outcomes, ['message', 'stalled']);
  });

  it('counts silence from the headers of the response', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const wait = (body: string) => {
      mock.timers.tick(300);
      return new TextEncoder().encode(body);
    };
    const chat = new ChatClient({
      chatApiUrl: 'https://chat.example/agent',
      credential: { kind: 'apiKey', value: 'k' },
      fetch: (_, init) => {
        wait('');
        const pull = (body: ReadableByteStreamController | ReadableStreamDefaultController<Uint8Array>): void => {
          init?.signal?.throwIfAborted();
          body.enqueue(wait(ndjson(delta)));
          body.close();
        };
        return Promise.resolve(new Response(new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 })));
      },
    });
    const kinds: string[] = [];
    for await (const { kind } of chat.stream(ask, { stallTimeout: 400 })) kinds.push(kind);
    assert.deepEqual(kinds, ['message']);
  });

  it('by nothing but heartbeats fails as stalled, however often they arrive', async () => {
    const body = (first: string) => {
      const pieces = [first];
      return new ReadableStream<Uint8Array>({
        pull: async (controller) => {
          await new Promise(setImmediate);
          controller.enqueue(new TextEncoder().encode(pieces.pop() ?? ': keep-alive\n'));
        },
      });
    };
    for (const first of ['', ndjson(delta)]) {
      const kinds = new Set<string>();
      const chat = new ChatClient({
        chatApiUrl: 'https://chat.example/agent',
        credential: { kind: 'apiKey', value: 'k' },
        fetch: () => Promise.resolve(new Response(body(first))),
      });
      await assert.rejects(
        async () => {
          for await (const { kind } of chat.stream(ask, { stallTimeout: 50 })) kinds.add(kind);
        },
        (error) => error instanceof ChatError && error.kind === 'stalled',
      );
      assert.deepEqual([...kinds].sort(), first === '' ? ['unknown'] : ['message', 'unknown']);
    }
  });

  it('leaves no timer', async () => {
    const set = mock.method(globalThis, 'setTimeout').mock;
    const cleared = mock.method(globalThis, 'clearTimeout').mock;
    const chat = new ChatClient({
      chatApiUrl: 'https://chat.example/agent',
      credential: { kind: 'apiKey', value: 'k' },
      fetch: () => Promise.resolve(new Response(ndjson(delta))),
    });
    for await (const line of chat.stream(ask, { stallTimeout: 60_001 })) assert.equal(line.kind, 'message');
    const timers = set.calls.filter((call) => call.arguments[1] === 60_001).map(({ result }) => result);
    assert.ok(timers.length > 0);
    for (const timer of timers) assert.ok(cleared.calls.some((call) => call.arguments[0] === timer));
  });

  it('leaves no listener on a long-lived signal, no socket and no memory', async () => {
    const aborts = runs(50, 2000);
    const random = seeded(11);
    // Some responses never start, some stop half way, some are complete.
    const service = await start(({ response }) => {
      const fate = random();
      if (fate < 0.2) return;
      response.writeHead(200);
      response.write(ndjson(delta));
      if (fate < 0.5) response.end(ndjson(delta, delta));
    });
    const session = new AbortController();
    let most = 0;
    const once = async (): Promise<void> => {
      const own = new AbortController();
      const [signal, leaves] = random() < 0.5 ? [session.signal, true] : [own.signal, random() < 0.5];
      const timer = setTimeout(() => own.abort(), random() * 4);
      try {
        for await (const line of client(service).stream(ask, { signal, stallTimeout: leaves ? 5 : undefined })) {
          assert.equal(line.kind, 'message');
          if (leaves) break;
        }
      } catch (error) {
        assert.ok(error instanceof ChatError && error.kind === 'stalled');
      }
      clearTimeout(timer);
      own.abort();
      service.asked.length = 0;
      most = Math.max(most, service.sockets.size);
    };
    for (let warm = 0; warm < 100; warm += 1) await once();
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    for (let done = 0; done < aborts; done += 1) await once();
    collectGarbage();
    const grown = process.memoryUsage().heapUsed - before;
    assert.equal(getEventListeners(session.signal, 'abort').length, 0);
    assert.ok(most <= 4, `${most} sockets at once`);
    assert.ok(grown < 5_000_000, `${grown} bytes`);
  });
});

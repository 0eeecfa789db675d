import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { afterEach, describe, it } from 'mocha';
import { faultsInQuestion } from '../../sandbox/faults/queue.ts';
import type { FaultSpec, PayloadVariant, Sandbox } from '../../sandbox/server.ts';
import { until } from '../../support/until.ts';
import {
  ask,
  chatIdOf,
  dev,
  finalOf,
  newMessageId,
  parseLines,
  postAbort,
  postChat,
  queryOf,
  type Line,
  useSandbox,
} from './support.ts';

const input = 'revenue by month in 2024';

/** The response as bytes, even if the connection fails. */
async function rawBody(sandbox: Sandbox, body: object): Promise<{ bytes: Buffer; ended: boolean; pieces: number }> {
  const response = await postChat(sandbox, body);
  const chunks: Uint8Array[] = [];
  let ended = true;
  try {
    for await (const chunk of response.body ?? []) chunks.push(chunk);
  } catch {
    ended = false;
  }
  return { bytes: Buffer.concat(chunks), ended, pieces: chunks.length };
}

/** The raw bytes of the response, read from the socket. */
function overTcp(sandbox: Sandbox, body: object): Promise<{ text: string; reset: boolean }> {
  const { hostname, port, pathname } = new URL(sandbox.chatApiUrl);
  const json = JSON.stringify({ sessionSettings: dev, ...body });
  const head = [
    `POST ${pathname} HTTP/1.1`,
    `Host: ${hostname}`,
    'Content-Type: application/json',
    `Authorization: Api-Key ${sandbox.apiKey}`,
    `Content-Length: ${Buffer.byteLength(json)}`,
  ];
  return new Promise((resolve) => {
    let text = '';
    let reset = false;
    const socket = connect(Number(port), hostname, () => socket.write(`${head.join('\r\n')}\r\n\r\n${json}`));
    socket.on('data', (data) => (text += data.toString()));
    socket.on('error', (error: NodeJS.ErrnoException) => (reset = error.code === 'ECONNRESET'));
    socket.on('close', () => resolve({ text, reset }));
  });
}

describe('sandbox: faults', () => {
  const sandbox = useSandbox();
  afterEach(() => sandbox.faults());

  it('cuts the body after a number of bytes, in three ways', async () => {
    for (const cutAfter of [1, 77, 1000]) {
      for (const cutBy of ['close', 'end'] as const) {
        sandbox.faults({ cutAfter, cutBy });
        const { bytes, ended } = await rawBody(sandbox, { input });
        assert.equal(bytes.length, cutAfter);
        assert.equal(ended, cutBy === 'end');
      }
      sandbox.faults({ cutAfter });
      assert.equal((await overTcp(sandbox, { input })).reset, true);
    }
  });

  it('continues the answer when the connection is lost', async () => {
    const messageId = newMessageId();
    sandbox.faults({ cutAfter: 300, cutBy: 'close' });
    await rawBody(sandbox, { input, messageId });
    const lines = await ask(sandbox, { input, messageId });
    assert.match(finalOf(lines), /Revenue came to/);
    assert.equal(lines.filter(({ role }) => role === 'user').length, 1);
  });

  it('starts a continued answer with the line that was cut', async () => {
    sandbox.setAttach('continue');
    const messageId = newMessageId();
    sandbox.faults({ cutAfter: 1500, cutBy: 'close', suspendAfter: 12 });
    const { bytes } = await rawBody(sandbox, { input, messageId });
    const cut = bytes.toString();
    const whole = parseLines(cut.slice(0, cut.lastIndexOf('\n') + 1));
    const rest = await ask(sandbox, { input, messageId });
    sandbox.setAttach('replay');
    assert.equal(rest[1]?.sort, (whole.at(-1)?.sort ?? 0) + 1);
    assert.match(finalOf(rest), /Revenue came to/);
  });

  it('splits the body anywhere, including inside characters', async () => {
    sandbox.faults({ slice: 7 });
    const { bytes, pieces } = await rawBody(sandbox, { input: 'revenue in München and São Paulo in 2024' });
    assert.ok(pieces > 200);
    assert.match(bytes.toString(), /São Paulo/);
    assert.match(finalOf(parseLines(bytes.toString())), /Revenue/);
  });

  it('pauses after a number of bytes', async () => {
    sandbox.faults({ stallAfter: 200, stall: 600_000 });
    const response = await postChat(sandbox, { input });
    let received = 0;
    for await (const chunk of response.body ?? []) {
      received += chunk.length;
      if (received >= 200) break;
    }
    assert.equal(received, 200);
  });

  it('starts late, pauses and sends slowly, but sends the whole answer', async () => {
    const timeOf = async (fault: FaultSpec): Promise<number> => {
      sandbox.faults(fault);
      const begin = performance.now();
      assert.match(finalOf(await ask(sandbox, { input })), /Revenue/);
      return performance.now() - begin;
    };
    // Timers may fire a millisecond early.
    assert.ok((await timeOf({ latency: 250 })) >= 249);
    assert.ok((await timeOf({ stallAfter: 200, stall: 250 })) >= 249);
    assert.ok((await timeOf({ bytesPerSecond: 50_000 })) >= 100);
  });

  it('serves others while it sends an answer slowly', async () => {
    sandbox.faults({ bytesPerSecond: 1 });
    const slow = await postChat(sandbox, { input });
    assert.match(finalOf(await ask(sandbox, { input })), /Revenue/);
    await slow.body?.cancel();
  });

  it('writes lines with CR LF and empty lines in between', async () => {
    sandbox.faults({ crlf: true, blankLines: true });
    const text = (await rawBody(sandbox, { input })).bytes.toString();
    assert.ok(text.includes('}\r\n\r\n{'));
    assert.match(finalOf(parseLines(text)), /Revenue/);
  });

  it('corrupts, duplicates and swaps single lines', async () => {
    const textOf = async (fault: FaultSpec): Promise<string[]> => {
      sandbox.faults(fault);
      return (await rawBody(sandbox, { input })).bytes.toString().trimEnd().split('\n');
    };
    const broken = await textOf({ corruptLine: 4 });
    assert.throws(() => JSON.parse(broken[4] ?? ''));
    assert.doesNotThrow(() => parseLines(broken.filter((_, index) => index !== 4).join('\n')));
    const doubled = await textOf({ duplicateLine: 3 });
    assert.equal(doubled[3], doubled[4]);
    const sorts = parseLines((await textOf({ swapLine: 3 })).join('\n')).map(({ sort }) => sort);
    assert.deepEqual(sorts.slice(2, 6), [2, 4, 3, 5]);
  });

  it('returns any status, header and body', async () => {
    for (const status of [400, 401, 403, 404, 409, 429, 500, 502, 503, 504]) {
      sandbox.faults({ status, retryAfter: 7 });
      const response = await postChat(sandbox, { input });
      assert.equal(response.status, status);
      assert.equal(response.headers.get('retry-after'), '7');
      assert.equal(typeof ((await response.json()) as { error: string }).error, 'string');
    }
    sandbox.faults({ html: true });
    const page = await postChat(sandbox, { input });
    assert.deepEqual([page.status, page.headers.get('content-type')], [502, 'text/html']);
    assert.match(await page.text(), /^<!DOCTYPE html>/);
    for (const status of [301, 302, 303, 307, 308]) {
      sandbox.faults({ status, location: 'https://elsewhere.example/' });
      const response = await postChat(sandbox, { input });
      assert.deepEqual([response.status, response.headers.get('location')], [status, 'https://elsewhere.example/']);
    }
  });

  it('returns JSON-RPC, with and without a line end', async () => {
    for (const jsonRpcNewline of [false, true]) {
      sandbox.faults({ jsonRpc: 'no such tenant', jsonRpcNewline });
      const text = await (await postChat(sandbox, { input })).text();
      assert.equal(text.endsWith('\n'), jsonRpcNewline);
      assert.match(text, /"message":"no such tenant"/);
    }
  });

  it('reports an error within the stream', async () => {
    sandbox.faults({ errorLine: 'Error: the model went away', errorAfter: 5 });
    const lines = await ask(sandbox, { input });
    assert.equal(lines.length, 6);
    assert.deepEqual(lines.at(-1), { error: 'Error: the model went away' });
  });

  it('adds unknown lines, and omits expected ones', async () => {
    sandbox.faults({ traceLine: true, unknownLine: true, noFinal: true, noState: true, noChatId: true });
    const lines = await ask(sandbox, { input });
    assert.deepEqual(Object.keys(lines[1] ?? {}), ['traceId']);
    assert.equal(lines[2]?.id, '__heartbeat__');
    assert.equal(finalOf(lines), '');
    assert.ok(!lines.some(({ id }) => id === '__state__'));
    assert.equal(lines[0]?.state?.chatId, undefined);
  });

  it('omits tool calls, so that the result is only in the text', async () => {
    sandbox.faults({ noTools: true });
    const lines = await ask(sandbox, { input: 'revenue by region in 2024' });
    assert.ok(!lines.some(({ toolCall }) => toolCall));
    assert.match(finalOf(lines), /\n\| Region \| Revenue \|\n/);
  });

  it('sends the history before the initial marker', async () => {
    const chatId = chatIdOf(await ask(sandbox, { input }));
    sandbox.faults({ historyFirst: true });
    const lines = await ask(sandbox, { input: 'orders in 2024', chatId });
    const at = lines.findIndex(({ id }) => id === '__cutoff__');
    assert.ok(at > 3);
    assert.equal(lines[0]?.role, 'user');
    assert.equal(lines[at + 1]?.content, 'orders in 2024');
  });

  it('sends every variant of the tool payloads', async () => {
    const callOf = async (...payload: PayloadVariant[]): Promise<{ name: string; input: unknown; result: unknown }> => {
      sandbox.faults({ payload });
      const lines: Line[] = await ask(sandbox, { input });
      return lines.findLast(({ toolCall }) => toolCall?.result)?.toolCall as unknown as {
        name: string;
        input: unknown;
        result: unknown;
      };
    };
    const read = (value: unknown): Record<string, unknown> => JSON.parse(value as string) as Record<string, unknown>;
    assert.deepEqual(read((await callOf('columnType')).result)['schema'], [
      { name: 'month', columnType: 'time' },
      { name: 'revenue', columnType: 'number' },
    ]);
    const [firstRow] = read((await callOf('stringNumbers')).result)['data'] as unknown[][];
    assert.equal(typeof firstRow?.[1], 'string');
    const [object] = read((await callOf('rowObjects')).result)['data'] as object[];
    assert.deepEqual(Object.keys(object ?? {}), ['month', 'revenue']);
    const keyed = read((await callOf('queryKey')).input);
    assert.match(String(keyed['query']), /^SELECT/);
    assert.equal(keyed['sqlQuery'], undefined);
    assert.equal((await callOf('toolSuffix')).name, 'svcSqlApiWithChart');
    assert.equal((await callOf('otherTool')).name, 'warehouse_connector');
    const parsed = await callOf('parsed');
    assert.equal(typeof (parsed.result as { vegaSpec: { mark: object } }).vegaSpec.mark, 'object');
    assert.equal(typeof (parsed.input as { sqlQuery: string }).sqlQuery, 'string');
    assert.equal(read((await callOf('bare')).result)['totalRows'], undefined);
    sandbox.faults({ payload: ['memberNames'] });
    const [search] = (await ask(sandbox, { input })).filter(({ toolCall }) => toolCall?.result);
    const [view] = read(search?.toolCall?.result)['cubes'] as Record<string, unknown>[];
    assert.deepEqual(
      [view?.['members'], (view?.['measures'] as string[])[0], Object.keys(view?.['annotation'] as object)[0]],
      [undefined, 'sales.revenue', 'sales.revenue'],
    );
  });

  it('fails queries, and floods the answer', async () => {
    sandbox.faults({ toolError: 'warehouse is asleep' });
    assert.equal(queryOf(await ask(sandbox, { input })).error, 'warehouse is asleep');
    sandbox.faults({ flood: 3000 });
    const lines = await ask(sandbox, { input });
    assert.ok(lines.length > 3000);
    assert.match(finalOf(lines), /3000 of 3000 is here/);
  });

  it('restarts without losing running answers', async () => {
    const messageId = newMessageId();
    sandbox.faults({ pace: 5 });
    const response = await postChat(sandbox, { input, messageId });
    sandbox.faults({ restart: 50 });
    await assert.rejects(postChat(sandbox, { input }));
    await assert.rejects(response.text());
    const lines = await until(
      () => ask(sandbox, { input, messageId }).catch(() => undefined),
      () => 'it has not come back',
    );
    assert.match(finalOf(lines), /Revenue/);
  });

  it('applies to the requested number of requests, to its endpoint, and to abort requests', async () => {
    sandbox.faults({ status: 503, requests: 2 }, { endpoint: 'abort', status: 500 });
    const statuses = [];
    for (let count = 0; count < 3; count += 1) statuses.push((await postChat(sandbox, { input })).status);
    assert.deepEqual(statuses, [503, 503, 200]);
    assert.equal((await postAbort(sandbox, { chatId: 'none' })).status, 500);
    assert.equal((await postAbort(sandbox, { chatId: 'none' })).status, 404);
  });

  it('is set by the control endpoint or by words in the question', async () => {
    const control = new URL('/__control/faults', sandbox.url);
    await fetch(control, { method: 'POST', body: JSON.stringify([{ status: 503 }, { status: 429 }]) });
    assert.equal((await postChat(sandbox, { input })).status, 503);
    await fetch(control, { method: 'DELETE' });
    assert.equal((await postChat(sandbox, { input })).status, 200);
    assert.equal((await fetch(control, { method: 'POST', body: 'nonsense' })).status, 400);
    const lines = await ask(sandbox, { input: `${input} [fault:tool-error=asleep] [fault:payload=toolSuffix]` });
    assert.ok(lines.some(({ toolCall }) => toolCall?.name === 'svcSqlApiWithChart'));
    assert.match(finalOf(lines), /asleep/);
    assert.deepEqual(faultsInQuestion('a [fault:cut-after=200] b [fault:crlf] [fault:payload=bare,parsed]'), {
      question: 'a b',
      fault: { cutAfter: 200, crlf: true, payload: ['bare', 'parsed'] },
    });
  });
});

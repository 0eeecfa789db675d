import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { decodeLine } from '../../../src/api/decode.ts';
import { ChatError } from '../../../src/api/errors.ts';
import { NdjsonParser } from '../../../src/api/ndjson.ts';
import { reduceAll } from '../../../src/shared/thread/reducer.ts';
import { emptyThread, type ThreadEvent } from '../../../src/shared/thread/model.ts';
import { payloadOf, shownTurns } from '../../../src/shared/thread/turns.ts';
import type { StreamLine } from '../../../src/shared/wire/streamLines.ts';
import { flat } from '../../support/item.ts';
import { runs } from '../../support/runs.ts';
import { anyCharacter, anyText } from '../../support/text.ts';

const decodeText = (text: string): StreamLine | ChatError => {
  const parser = new NdjsonParser();
  const [line] = [...parser.push(new TextEncoder().encode(text)), ...parser.flush()];
  assert.ok(line, 'a line');
  return decodeLine(line);
};
const decode = (value: unknown): StreamLine | ChatError => decodeText(JSON.stringify(value));
const message = { id: 'a', role: 'assistant', graphPath: ['svc_data_analyst_agent'], isDelta: true, isInProcess: true };

describe('decoding a line', () => {
  it('accepts the initial marker, with and without a chatId', () => {
    const state = { chatId: 'c', isStreaming: true };
    assert.deepEqual(decode({ id: '__cutoff__', role: 'assistant', sort: 0, state }), {
      kind: 'cutoff',
      chatId: 'c',
      isStreaming: true,
    });
    assert.deepEqual(decode({ id: '__cutoff__' }), { kind: 'cutoff', isStreaming: false });
  });

  it('accepts the echo of the question', () => {
    const echo = { id: '1700000000000-message', role: 'user', content: 'hi', isDelta: false, sort: 1 };
    assert.deepEqual(decode(echo), { ...echo, kind: 'message', graphPath: [], isInProcess: false });
  });

  it('accepts deltas of content and thinking, including empty ones', () => {
    assert.deepEqual(decode({ ...message, content: 'x', thinking: '', sort: 4 }), {
      ...message,
      kind: 'message',
      content: 'x',
      thinking: '',
      sort: 4,
    });
  });

  it('drops numbers that are not sequence numbers, so that the message is saved', () => {
    for (const sort of [1e308, -1e308, -1, '3', null])
      assert.deepEqual(decode({ ...message, content: 'x', sort }), { ...message, kind: 'message', content: 'x' });
  });

  it("keeps the JSON text of a tool call's start and result", () => {
    const graphPath = ['svc_data_analyst_agent', 'tools'];
    const start = {
      ...message,
      graphPath,
      isDelta: false,
      toolCall: { name: 'svcMeta', input: '{"searchQuery":"x"}' },
    };
    assert.deepEqual(decode(start), { ...start, kind: 'toolCall' });
    const toolCall = { ...start.toolCall, result: '{"cubes":[]}' };
    assert.deepEqual(decode({ ...start, isInProcess: false, toolCall }), {
      ...start,
      kind: 'toolCall',
      isInProcess: false,
      toolCall,
    });
  });

  it('keeps the digits of numbers in a parsed result', () => {
    const line = decodeText(
      '{"id":"t","role":"assistant","toolCall":{"name":"svcSqlApi","input":{"sqlQuery":"S"},"result":{"data":[[9007199254740993,12.50,7]]}}}',
    );
    assert.ok(!(line instanceof ChatError) && line.kind === 'toolCall');
    assert.deepEqual(line.toolCall.result, { data: [['9007199254740993', '12.50', 7]] });
  });

  it('accepts a tool result without a tool name', () => {
    const line = decode({ ...message, toolCall: { result: '{}' } });
    assert.ok(!(line instanceof ChatError) && line.kind === 'toolCall');
    assert.deepEqual(line.toolCall, { name: '', result: '{}' });
  });

  it('accepts a tool name alone, and ignores a tool call without anything', () => {
    const kindOf = (toolCall: unknown): unknown => (decode({ ...message, content: 'x', toolCall }) as StreamLine).kind;
    assert.deepEqual([kindOf({ name: 'svcMeta' }), kindOf({ input: '{}' })], ['toolCall', 'toolCall']);
    assert.deepEqual(
      [kindOf({}), kindOf({ name: '', input: null }), kindOf('svcMeta')],
      ['message', 'message', 'message'],
    );
  });

  it('accepts the final state without its entries', () => {
    assert.deepEqual(decode({ id: '__state__', isDelta: false, state: { messages: [1, {}, 'x'] } }), {
      kind: 'state',
    });
  });

  it('accepts the lines of newer services', () => {
    assert.deepEqual(decode({ id: '__aborted__', type: 'abort', code: 'chat_aborted', error: 'by user' }), {
      kind: 'aborted',
      reason: 'by user',
    });
    assert.deepEqual(decode({ id: '__suspended__', retryable: true, messageId: 'm', error: 'later' }), {
      kind: 'suspended',
      reason: 'later',
      retryable: true,
    });
    const counts = { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4 };
    assert.deepEqual(decode({ id: '__usage__', usage: { ...counts, totalTokens: 'x', llmCalls: 5, models: ['m'] } }), {
      kind: 'usage',
      usage: counts,
    });
    const state = { chatId: 'c', isStreaming: false, suspended: { messageId: 'm' } };
    assert.deepEqual(decode({ id: '__cutoff__', role: 'assistant', state }), {
      ...state,
      kind: 'cutoff',
      suspended: 'm',
    });
  });

  it('counts unknown lines: no id, no role, unknown reserved ids, values that are not objects', () => {
    for (const value of [{ traceId: 'x' }, { id: 'a' }, { id: '__new__' }, { id: '__proto__' }, [], 1, null, 'x'])
      assert.equal((decode(value) as StreamLine).kind, 'unknown', JSON.stringify(value));
    const damaged = (text: string): unknown => (decodeText(text) as { damaged?: boolean }).damaged;
    assert.deepEqual(decodeText('<html>'), { kind: 'unknown', reason: 'not JSON', damaged: false });
    for (const heartbeat of [':', ': keep-alive', 'ping']) assert.equal(damaged(heartbeat), false, heartbeat);
    assert.equal(damaged(`: ${'x'.repeat(37)}`), false);
    assert.equal(damaged(`: ${'x'.repeat(38)}`), true);
    for (const torn of ['{"id"', ` {"id":"a"`, 'd":"a1","role":"assistant","content":"x"}'])
      assert.equal(damaged(torn), true, torn);
  });

  it('reports the error field as a failure, text or object', () => {
    const line = decode({ error: 'BadRequestError: Bad branch' });
    assert.ok(line instanceof ChatError && line.kind === 'stream' && line.badBranch);
    for (const id of [null, 1, 'x']) {
      const rpc = decode({ jsonrpc: '2.0', id, error: { code: -32603, message: 'no chat scope' } });
      assert.ok(rpc instanceof ChatError && rpc.kind === 'auth' && rpc.message === 'no chat scope');
    }
  });

  it('drops a tool result that is nested too deeply, and nothing else', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    const line = decodeText(
      `{"id":"t","role":"assistant","content":"x","toolCall":{"name":"n","input":${deep},"result":{"a":${deep}}}}`,
    );
    assert.ok(!(line instanceof ChatError) && line.kind === 'toolCall');
    assert.equal(line.content, 'x');
    assert.doesNotThrow(() => JSON.stringify(line));
  });

  it('accepts a tool call next to an unknown field that is nested too deeply', () => {
    const deep = '['.repeat(50_000) + ']'.repeat(50_000);
    const line = decodeText(
      `{"id":"t","role":"assistant","toolCall":{"name":"svcMeta","input":{"searchQuery":"x"}},"extra":${deep}}`,
    );
    assert.ok(!(line instanceof ChatError) && line.kind === 'toolCall');
    assert.deepEqual(line.toolCall.input, { searchQuery: 'x' });
  });
});

describe('edge values of a line', () => {
  const decoded = (value: unknown): unknown => decodeLine({ value, text: JSON.stringify(value) });

  it('make an unknown line, with the reason', () => {
    for (const [value, reason] of [
      [[], 'not an object'],
      [{ role: 'user' }, 'no id'],
      [{ id: '', role: 'user' }, 'no id'],
      [{ id: 'a' }, 'no role'],
      [{ id: '__new__', role: 'user' }, 'reserved id'],
    ] as const)
      assert.deepEqual(decoded(value), { kind: 'unknown', reason });
    const damaged = { kind: 'unknown', reason: 'line too long', damaged: true };
    assert.deepEqual(decodeLine({ problem: 'line too long', text: '' }), damaged);
  });

  it('are left out', () => {
    const line = { kind: 'message', id: '__a', role: 'user', graphPath: ['b'], isDelta: false, isInProcess: false };
    const { kind: _, ...sent } = line;
    assert.deepEqual(decoded({ ...sent, graphPath: ['b', 1, null], isDelta: 1, content: 1, thinking: {} }), line);
    assert.deepEqual(decoded({ ...sent, id: 'a__', graphPath: 'b' }), { ...line, id: 'a__', graphPath: [] });
    assert.deepEqual(decoded({ id: '__cutoff__', state: { chatId: '', isStreaming: 1 } }), {
      ...{ kind: 'cutoff', isStreaming: false },
    });
    assert.deepEqual(decoded({ id: '__usage__', usage: null }), { kind: 'usage', usage: {} });
    const usage = { inputTokens: Infinity, outputTokens: 0, totalTokens: '1' };
    assert.deepEqual(decodeLine({ value: { id: '__usage__', usage }, text: '' }), {
      ...{ kind: 'usage', usage: { outputTokens: 0 } },
    });
    assert.deepEqual(decoded({ id: '__aborted__', error: 1 }), { kind: 'aborted', reason: '' });
    assert.deepEqual(decoded({ id: '__suspended__' }), { kind: 'suspended', reason: '', retryable: true });
  });

  it('drop a tool result if any part of it is nested more than a hundred levels deep', () => {
    const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);
    const resultOf = (result: unknown): unknown =>
      (decoded({ id: 'a', role: 'assistant', toolCall: { result } }) as { toolCall: { result: unknown } }).toolCall
        .result;
    assert.deepEqual(resultOf({ a: 1, b: nested(99) }), { a: 1, b: nested(99) });
    assert.deepEqual(resultOf({ a: 1, b: nested(101) }), {});
  });

  it('keep a sort of 0 and the largest one', () => {
    for (const sort of [0, 1e20])
      assert.equal((decoded({ id: 'a', role: 'user', sort }) as { sort?: number }).sort, sort);
  });

  it('treat a suspended answer as resumable unless the service says otherwise', () => {
    const suspended = (more: object): unknown =>
      (decoded({ id: '__suspended__', error: 'x', ...more }) as { retryable: boolean }).retryable;
    assert.deepEqual([suspended({}), suspended({ retryable: false })], [true, false]);
  });
});

describe('a stream of hostile lines', () => {
  const count = runs(3_000, 100_000);
  const nasty = fc.constantFrom('\ud800', '\udfff', '\u0000', '__proto__', 'constructor', '__cutoff__', '{"a":', '{}');
  const text = fc.oneof(anyText({ maxLength: 20 }), nasty);
  const anything = fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    text,
    fc.json().map((json) => JSON.parse(json) as unknown),
    fc.constantFrom<unknown>(null, true, 0, -1, 1e308, [], {}, 'assistant', 'user', '__state__', '__usage__'),
    fc.dictionary(text, fc.oneof(text, fc.integer(), fc.constant(null)), { maxKeys: 4 }),
    fc.constant(JSON.parse('{"__proto__":{"role":"assistant"},"constructor":{"prototype":1}}') as unknown),
  );
  const fields = 'id role content thinking toolCall graphPath isDelta isInProcess sort state error usage jsonrpc'.split(
    ' ',
  );
  const wild = fc.record(Object.fromEntries(fields.map((field) => [field, anything])), { requiredKeys: [] });
  const almost = fc.record(
    {
      id: fc.oneof(fc.constantFrom('a', 'b', '__cutoff__', '__state__', '__proto__'), anything),
      role: fc.oneof(fc.constantFrom('user', 'assistant'), anything),
      content: anything,
      thinking: anything,
      toolCall: fc.oneof(
        anything,
        fc.record({
          name: fc.oneof(fc.constantFrom('svcMeta', 'svcSqlApi'), anything),
          input: anything,
          result: anything,
        }),
      ),
      graphPath: fc.oneof(fc.constant(['final']), anything),
      isDelta: fc.oneof(fc.boolean(), anything),
      isInProcess: anything,
      sort: fc.oneof(fc.integer(), anything),
      state: anything,
    },
    { requiredKeys: ['id', 'role'] },
  );
  const line = fc.oneof(
    wild.map((value) => Buffer.from(JSON.stringify(value))),
    almost.map((value) => Buffer.from(JSON.stringify(value))),
    fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes.map((byte) => (byte === 10 ? 0 : byte)))),
    fc.nat(300).map((depth) => Buffer.from(`{"id":"d","role":"user","content":${'['.repeat(depth)}`)),
    fc.json({ stringUnit: anyCharacter }).map((json) => Buffer.from(json)),
  );

  it('never throws, and yields every valid line', () => {
    const lines = 20;
    fc.assert(
      fc.property(fc.array(line, { minLength: lines, maxLength: lines }), (hostile) => {
        const good = (at: number): Buffer =>
          Buffer.from(JSON.stringify({ ...message, id: 'good-id', content: `<${at}>`, graphPath: ['final'] }));
        const parser = new NdjsonParser();
        const bytes = Buffer.concat(
          hostile.flatMap((each, at) => [each, good(at)]).flatMap((each) => [each, Buffer.from('\n')]),
        );
        const decoded = [...parser.push(bytes), ...parser.flush()].map(decodeLine);
        const events = decoded.flatMap((each): ThreadEvent[] =>
          each instanceof ChatError ? [] : [{ type: 'line', line: each, time: 1 }],
        );
        const thread = reduceAll(emptyThread('t'), events);
        // A question opens a new turn or an earlier one, so its id names different items.
        const items = flat(thread).filter(({ id, role }) => id === 'good-id' && role === 'assistant');
        const landed = items.flatMap(({ content }) => content.match(/<\d+>/g) ?? []);
        assert.deepEqual(landed.sort(), hostile.map((_, at) => `<${at}>`).sort());
        for (const each of flat(thread)) payloadOf(each);
        shownTurns(thread);
        JSON.stringify(thread);
        assert.equal(({} as { role?: string }).role, undefined);
      }),
      { numRuns: Math.ceil(count / lines) },
    );
  });
});

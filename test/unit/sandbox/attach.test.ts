import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Usage } from '../../../src/shared/wire/streamLines.ts';
import type { AttachMode, Sandbox } from '../../sandbox/server.ts';
import {
  ask,
  chatIdOf,
  finalOf,
  newMessageId,
  parseLines,
  postAbort,
  postChat,
  readUntil,
  startFast,
  textsOf,
  type Line,
} from './support.ts';

const input = 'revenue by month in 2024';
const isContent = ({ content, isDelta }: Line): boolean => isDelta === true && !!content;

describe('sandbox: attaching and stopping', () => {
  let sandbox: Sandbox;
  beforeEach(async () => {
    sandbox = await startFast();
  });
  afterEach(() => sandbox.stop());

  /** Starts a slow answer and disconnects after the first line that `isLast` accepts. */
  async function leave(messageId: string, isLast = isContent): Promise<Line[]> {
    sandbox.faults({ pace: 4 });
    return readUntil(await postChat(sandbox, { input, messageId }), isLast);
  }

  for (const mode of ['replay', 'continue', 'prefix', 'live'] as const satisfies readonly AttachMode[])
    it(`attaches a message that is sent again to its running answer (${mode})`, async () => {
      sandbox.setAttach(mode);
      const messageId = newMessageId();
      const seen = await leave(messageId);
      const chatId = chatIdOf(seen);
      const rest = await ask(sandbox, { input, messageId, chatId });
      assert.deepEqual(rest[0]?.state, { chatId, isStreaming: true });
      assert.match(finalOf(rest), /Revenue came to/);
      if (mode === 'live') assert.ok(rest.length < 40);
      if (mode === 'replay') assert.deepEqual(rest.slice(1, seen.length), seen.slice(1));
      const thread = await ask(sandbox, { chatId });
      assert.equal(thread.filter(({ role }) => role === 'user').length, 1);
      assert.equal(thread.filter(({ graphPath }) => graphPath?.[0] === 'final').length, 1);
      for (const [id, text] of textsOf(rest))
        if (id !== '__state__' && id !== '__cutoff__') assert.equal(text, textsOf(thread).get(id));
    });

  it('finds the answer by messageId if the client never learned the thread', async () => {
    const messageId = newMessageId();
    const seen = await leave(messageId, ({ id }) => id === '__cutoff__');
    const again = await ask(sandbox, { input, messageId });
    assert.equal(chatIdOf(again), chatIdOf(seen));
    assert.match(finalOf(again), /Revenue came to/);
  });

  it('repeats a finished answer instead of creating a new one', async () => {
    const messageId = newMessageId();
    const first = await ask(sandbox, { input, messageId });
    const again = await ask(sandbox, { input, messageId, chatId: chatIdOf(first) });
    assert.equal(again[0]?.state?.isStreaming, false);
    assert.deepEqual(again.slice(1), first.slice(1));
  });

  it('creates one answer for a message that is sent twice at once', async () => {
    const messageId = newMessageId();
    const both = await Promise.all([ask(sandbox, { input, messageId }), ask(sandbox, { input, messageId })]);
    assert.equal(chatIdOf(both[0]), chatIdOf(both[1]));
    assert.deepEqual(both[0].slice(1), both[1].slice(1));
  });

  for (const busy of ['line', 'status', 'jsonRpc'] as const)
    it(`rejects another message while the thread is streaming (${busy})`, async () => {
      const chatId = chatIdOf(await leave(newMessageId(), ({ id }) => id === '__cutoff__'));
      if (busy !== 'line') sandbox.faults({ busy });
      const response = await postChat(sandbox, { input: 'orders in 2024', chatId, messageId: newMessageId() });
      assert.equal(response.status, busy === 'status' ? 409 : 200);
      assert.match(await response.text(), /Streaming for thread is in progress/);
    });

  it('does not attach a reader, who gets the current thread', async () => {
    const seen = await leave(newMessageId());
    const lines = await ask(sandbox, { chatId: chatIdOf(seen) });
    assert.equal(lines[0]?.state?.isStreaming, true);
    assert.equal(lines.at(-1)?.id, '__state__');
    assert.equal(finalOf(lines), '');
  });

  it('stops an answer with 204, ends its stream and frees the thread', async () => {
    sandbox.faults({ pace: 4 });
    const response = await postChat(sandbox, { input, messageId: newMessageId() });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    const first = await reader?.read();
    const chatId = chatIdOf(parseLines((first?.value ?? '').slice(0, (first?.value ?? '').lastIndexOf('\n') + 1)));
    const stopped = await postAbort(sandbox, { chatId });
    assert.equal(stopped.status, 204);
    assert.equal(await stopped.text(), '');
    let text = first?.value ?? '';
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) text += part.value;
    assert.equal(parseLines(text).at(-1)?.id, '__aborted__');
    assert.match(finalOf(await ask(sandbox, { chatId, input: 'orders in 2024' })), /Orders/);
  });

  it('answers 204 for a finished thread, 403 to others, 404 for an unknown one, 400 without a thread', async () => {
    const chatId = chatIdOf(await ask(sandbox, { input }));
    assert.equal((await postAbort(sandbox, { chatId })).status, 204);
    assert.equal((await postAbort(sandbox, { chatId, sessionSettings: { externalId: 'eve' } })).status, 403);
    assert.equal((await postAbort(sandbox, { chatId: 'none' })).status, 404);
    assert.equal((await postAbort(sandbox, {})).status, 400);
  });

  it('suspends an answer on request and resumes it with the same message', async () => {
    sandbox.faults({ suspendAfter: 5 });
    const messageId = newMessageId();
    const parked = await ask(sandbox, { input, messageId });
    const [last, usage] = parked.slice(-2) as [Record<string, unknown>, Record<string, unknown>];
    assert.deepEqual(
      [last['id'], last['type'], last['retryable'], last['messageId']],
      ['__suspended__', 'suspend', true, messageId],
    );
    const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, totalTokens } = usage['usage'] as Usage;
    assert.ok(inputTokens && outputTokens && cacheReadTokens && cacheWriteTokens);
    assert.equal(totalTokens, undefined);
    const chatId = chatIdOf(parked);
    const [cutoff] = await ask(sandbox, { chatId });
    assert.deepEqual(cutoff?.state, { chatId, isStreaming: false, suspended: { messageId } });
    const resumed = await ask(sandbox, { messageId, chatId });
    assert.deepEqual(resumed.slice(1, parked.length - 2), parked.slice(1, -2));
    assert.match(finalOf(resumed), /Revenue came to/);
    assert.equal((await ask(sandbox, { chatId }))[0]?.state?.suspended, undefined);
  });

  it('can stop an answer itself', async () => {
    sandbox.faults({ abortAfter: 5 });
    const lines = await ask(sandbox, { input });
    assert.deepEqual(
      [lines.at(-1)?.id, (lines.at(-1) as Record<string, unknown>)['code']],
      ['__aborted__', 'chat_aborted'],
    );
  });
});

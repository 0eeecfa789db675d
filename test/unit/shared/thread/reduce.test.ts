import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { reduce } from '../../../../src/shared/thread/reducer.ts';
import { emptyThread, type ThreadEvent } from '../../../../src/shared/thread/model.ts';
import type { Thread } from '../../../../src/shared/thread/model.ts';
import { currentTurn, turnsOf } from '../../../../src/shared/thread/turns.ts';
import * as make from '../support/threads.ts';
import { runs } from '../../../support/runs.ts';
import { flat } from '../../../support/item.ts';

const { attached, delta, echo, finished, ids, itemOf, line, marker } = make;
const { QUESTION, sent, textOf, threadOf, tool, whole } = make;

describe('messages (3.1)', () => {
  it('append deltas, and the final line replaces and completes them', () => {
    const generating = threadOf(sent(), delta('a', 'Rev'), delta('a', 'enue'), delta('a', ''));
    assert.equal(textOf(generating), 'Revenue');
    assert.equal(itemOf(generating, 'a')?.inProcess, true);
    const done = reduce(generating, whole('a', 'Revenue grew.'));
    assert.equal(textOf(done), 'Revenue grew.');
    assert.equal(itemOf(done, 'a')?.inProcess, false);
  });

  it('with ids that a service reuses in a later turn belong to that turn, also in a replay', () => {
    const next = '1700000000001-message';
    const first = [echo('one?'), tool('q', { toolCall: { name: 'svcSqlApi', result: '1' } }), whole('a', 'One.')];
    const again = [
      tool('q', { toolCall: { name: 'svcSqlApi' } }),
      tool('q', { toolCall: { name: 'svcSqlApi', result: '2' } }),
      delta('a', 'One'),
      delta('a', ' more.'),
    ];
    const repeated = [whole('a', 'One.'), echo('two?', { id: next }), ...again.slice(1, 2), whole('a', 'One more.')];
    const shown = (thread: Thread): unknown =>
      turnsOf(thread).map(({ question, items }) => [
        question?.content,
        ...items.map(({ content, toolCall }) => toolCall?.result ?? content),
      ]);
    const turns = [sent('one?'), ...first, finished, sent('two?', next), echo('two?', { id: next }), ...again];
    const expected = [
      ['one?', '1', 'One.'],
      ['two?', '2', 'One more.'],
    ];
    assert.deepEqual(shown(threadOf(...turns, finished)), expected);
    assert.deepEqual(shown(threadOf(...turns, attached, ...first, ...repeated, finished)), expected);
  });

  it('accumulate thinking, and an empty final line keeps it', () => {
    const thread = threadOf(
      sent(),
      delta('a', '', { thinking: 'First ' }),
      delta('a', '', { thinking: 'second' }),
      whole('a', 'Done', { thinking: '' }),
    );
    assert.equal(itemOf(thread, 'a')?.thinking, 'First second');
    assert.equal(itemOf(threadOf(sent(), delta('a', 'x', { thinking: 'y' }), whole('a', 'x')), 'a')?.thinking, 'y');
  });

  it('have the latest time of their lines, also if the clock is set back', () => {
    const at = (time: number): ThreadEvent => ({ ...delta('a', 'x'), time }) as ThreadEvent;
    assert.equal(itemOf(threadOf(sent(), at(5), at(3)), 'a')?.updated, 5);
  });

  it('append deltas to a replacement', () => {
    assert.equal(
      textOf(threadOf(sent(), delta('a', 'x'), whole('a', 'AB', { isInProcess: true }), delta('a', 'C'))),
      'ABC',
    );
  });

  it('keep their text after an empty final line', () => {
    assert.equal(textOf(threadOf(sent(), delta('a', 'kept'), whole('a', ''))), 'kept');
  });

  it('start a tool call without a result, which a line of the same id adds', () => {
    const started = threadOf(sent(), tool('q', { toolCall: { name: 'svcSqlApi', input: '{"sqlQuery":"S"}' } }));
    assert.equal(itemOf(started, 'q')?.inProcess, true);
    const done = reduce(started, tool('q', { toolCall: { name: '', result: '{"data":[]}' } }));
    assert.equal(flat(done).length, 2);
    assert.equal(itemOf(done, 'q')?.inProcess, false);
    assert.deepEqual(itemOf(done, 'q')?.toolCall, {
      name: 'svcSqlApi',
      input: '{"sqlQuery":"S"}',
      result: '{"data":[]}',
    });
  });

  it('complete a failed tool call, with its error in the result', () => {
    const failed = tool('q', { toolCall: { name: 'svcSqlApi', input: '{}', result: '{"error":"no such member"}' } });
    const thread = threadOf(sent(), tool('q'), failed);
    assert.equal(itemOf(thread, 'q')?.inProcess, false);
    assert.equal(itemOf(thread, 'q')?.toolCall?.result, '{"error":"no such member"}');
  });

  it('are complete with a result, whatever the line says', () => {
    const done = tool('q', { isInProcess: true, toolCall: { name: 'svcSqlApi', result: '{}' } });
    assert.equal(itemOf(threadOf(sent(), done), 'q')?.inProcess, false);
  });

  it('stay complete during a replay', () => {
    const done = threadOf(sent(), delta('a', 'Revenue'), whole('a', 'Revenue grew.'), attached, delta('a', 'Rev'));
    assert.deepEqual([textOf(done), itemOf(done, 'a')?.inProcess], ['Revenue grew.', false]);
  });

  it('keep a result after a repeated start', () => {
    const result = tool('q', { toolCall: { name: 'svcSqlApi', input: '{}', result: '{}' } });
    const thread = threadOf(sent(), tool('q'), result, attached, tool('q'));
    assert.equal(itemOf(thread, 'q')?.toolCall?.result, '{}');
    assert.equal(itemOf(thread, 'q')?.inProcess, false);
  });
});

describe('order (3.3)', () => {
  it('distinguishes a question with the same text if it precedes the marker, even after usage', () => {
    const usage = line({ kind: 'usage', usage: { totalTokens: 7 } });
    const asked = whole('u0', 'revenue?', { role: 'user', graphPath: [] });
    const thread = threadOf(sent(), usage, asked, whole('old', 'Old.'), marker, echo(), whole('a', 'New.'));
    assert.deepEqual(ids(thread), [QUESTION, 'a', 'u0', 'old']);
  });

  it('keeps the first sort of an item, above later tool calls', () => {
    const thread = threadOf(
      sent(),
      delta('a', 'I look', { sort: 2 }),
      tool('q', { sort: 3 }),
      delta('a', ' further', { sort: 4 }),
      whole('a', 'I look further.', { sort: 5 }),
    );
    assert.deepEqual(ids(thread), [QUESTION, 'a', 'q']);
  });

  it('sorts lines that arrive out of order', () => {
    const thread = threadOf(
      sent(),
      echo('revenue?', { sort: 1 }),
      tool('q', { sort: 5 }),
      delta('a', 'x', { sort: 4 }),
      delta('b', 'y', { sort: 7 }),
      tool('r', { sort: 6 }),
    );
    assert.deepEqual(ids(thread), [QUESTION, 'a', 'q', 'r', 'b']);
  });

  it('is that of sort also in a turn that is read for the first time', () => {
    const lines = [tool('q', { sort: 5 }), whole('b', 'y', { sort: 7 }), whole('a', 'x', { sort: 4 })];
    assert.deepEqual(ids(threadOf({ type: 'loading' }, echo(), ...lines)), [QUESTION, 'a', 'q', 'b']);
    assert.deepEqual(ids(threadOf({ type: 'loading' }, echo(), ...lines, finished)), [QUESTION, 'a', 'q', 'b']);
  });

  it('is the order of arrival without sort', () => {
    const thread = threadOf(sent(), echo(), delta('a', 'x'), tool('q'), delta('b', 'y'), delta('a', 'z'));
    assert.deepEqual(ids(thread), [QUESTION, 'a', 'q', 'b']);
  });

  it('restarts with every question, whatever its numbers', () => {
    const thread = threadOf(
      sent('one', '1700000000001-message'),
      delta('a', 'x', { sort: 90 }),
      finished,
      sent('two', '1700000000002-message'),
      delta('b', 'y', { sort: 2 }),
    );
    assert.deepEqual(ids(thread), ['1700000000001-message', 'a', '1700000000002-message', 'b']);
  });

  it('has the echo as the question itself, even with another id', () => {
    assert.equal(ids(threadOf(sent(), echo('revenue?', { sort: 1 }))).length, 1);
    assert.equal(ids(threadOf(sent(), marker, echo('revenue?', { id: 'other', sort: 1 }))).length, 1);
  });

  it('has history before the question if it precedes the echo', () => {
    const thread = threadOf(
      sent(),
      whole('u0', 'earlier', { role: 'user', sort: 1 }),
      whole('a0', 'answer', { sort: 2 }),
      echo('revenue?', { sort: 3 }),
      delta('a', 'x', { sort: 4 }),
    );
    assert.deepEqual(ids(thread), ['u0', 'a0', QUESTION, 'a']);
  });

  it('names the thread by the marker; one without a chatId changes nothing', () => {
    const named = threadOf(sent(), line({ kind: 'cutoff', chatId: 'c1', isStreaming: false }));
    assert.equal(named.chatId, 'c1');
    assert.equal(reduce(named, line({ kind: 'cutoff', isStreaming: false })).chatId, 'c1');
  });

  it('keeps usage with its question, and counts unknown lines without other effects', () => {
    const thread = threadOf(sent(), line({ kind: 'usage', usage: { totalTokens: 7 } }));
    assert.deepEqual(currentTurn(thread)?.usage, { totalTokens: 7 });
    const counted = reduce({ ...thread, reconnecting: { attempt: 1 } }, line({ kind: 'unknown', reason: 'no id' }));
    assert.deepEqual([counted.unknownLines, counted.reconnecting?.attempt], [1, 1]);
  });
});

function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const each of Object.values(value)) frozen(each);
  return Object.freeze(value);
}

describe('the state of a thread (3.2)', () => {
  const failed: ThreadEvent = { type: 'failed', error: { kind: 'server', message: 'x', actions: ['retry'] } };
  const statuses = (...events: ThreadEvent[]): string[] => {
    let thread: Thread = emptyThread('t');
    return events.map((event) => (thread = reduce(thread, event)).status);
  };

  it('changes from ready through submitted and streaming to ready or error', () => {
    assert.deepEqual(statuses(sent(), echo(), finished), ['submitted', 'streaming', 'ready']);
    assert.deepEqual(statuses(sent(), echo(), failed), ['submitted', 'streaming', 'error']);
    assert.deepEqual(statuses({ type: 'loading' }, whole('a', 'x'), finished), ['submitted', 'streaming', 'ready']);
  });

  it('keeps the partial answer after a failure or stop, and nothing stays in progress', () => {
    for (const event of [failed, { type: 'stopped', messageId: QUESTION, service: 'pending' } as const]) {
      const thread = threadOf(sent(), delta('a', 'half'), tool('q'), event);
      assert.equal(textOf(thread), 'half');
      assert.ok(flat(thread).every(({ inProcess }) => !inProcess));
      assert.equal(currentTurn(thread)?.outcome?.state, event.type);
    }
  });

  it('assigns a late outcome of a stop to its own question', () => {
    const stop = (service: 'pending' | 'stopped'): ThreadEvent => ({ type: 'stopped', messageId: QUESTION, service });
    const thread = threadOf(sent(), stop('pending'), sent('two', '1700000000009-message'), stop('stopped'));
    assert.equal(thread.status, 'submitted');
    assert.deepEqual(turnsOf(thread)[0]?.outcome, { state: 'stopped', service: 'stopped' });
  });

  it('removes an unsent message and keeps the reason', () => {
    const reconnecting: ThreadEvent = { type: 'reconnecting', attempt: 2 };
    const error = { kind: 'network', message: 'x', actions: ['retry'] } as const;
    const thread = threadOf(sent(), reconnecting, { type: 'unsent', id: QUESTION, error });
    assert.deepEqual(
      [flat(thread).length, thread.status, thread.error, thread.reconnecting],
      [0, 'error', error, undefined],
    );
    assert.deepEqual(reduce(thread, failed).error?.kind, 'server');
  });

  it('shows reconnecting until the next line', () => {
    const thread = threadOf(sent(), delta('a', 'x'), { type: 'reconnecting', attempt: 3 }, attached);
    assert.equal(thread.reconnecting?.attempt, 3);
    assert.equal(reduce(thread, delta('a', 'y')).reconnecting, undefined);
  });

  it('keeps the order of the queue', () => {
    const queued = (id: string): ThreadEvent => ({ type: 'queued', message: { id, text: id, images: [] } });
    const thread = threadOf(queued('1'), queued('2'), queued('3'), { type: 'unqueued', id: '2' });
    assert.deepEqual(
      thread.queue.map(({ id }) => id),
      ['1', '3'],
    );
  });

  it('never changes a thread in place', () => {
    const events = [sent(), echo(), delta('a', 'x'), delta('a', 'y'), tool('q'), tool('q'), whole('a', 'z'), finished];
    let thread = emptyThread('t');
    for (const event of events) thread = reduce(frozen(thread), event);
    assert.deepEqual(thread, threadOf(...events));
  });

  it('is the same whatever the batching and the lines of the service', () => {
    const fields = fc.record({
      id: fc.constantFrom('a', 'a', 'b', QUESTION, '1700000000001-message'),
      role: fc.constantFrom('assistant', 'assistant', 'user'),
      content: fc.constantFrom('x', 'xy', '', 'one?'),
      thinking: fc.constantFrom(undefined, '', 'th'),
      isDelta: fc.boolean(),
      isInProcess: fc.boolean(),
      sort: fc.constantFrom(undefined, 0, 1, 2, 3),
    });
    const some = fc.oneof(
      { weight: 12, arbitrary: fields.map((each) => delta('a', '', each)) },
      { weight: 2, arbitrary: fields.map(({ id, content }) => tool(id, { toolCall: { name: 't', result: content } })) },
      { weight: 3, arbitrary: fc.constantFrom(attached, marker, finished) },
      { weight: 1, arbitrary: fc.constant(sent('two?', '1700000000001-message')) },
    );
    fc.assert(
      fc.property(fc.array(some, { maxLength: 14 }), (events) => {
        const all = [sent('one?'), ...events];
        assert.deepEqual(threadOf(...all), all.reduce(reduce, emptyThread('t')));
      }),
      { numRuns: runs(1000) },
    );
  });
});

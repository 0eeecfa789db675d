import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { ThreadEvent } from '../../../src/shared/thread/model.ts';
import { attached, delta, finished, itemOf, sent, textOf, threadOf, tool, whole } from './support/threads.ts';

const TEXT = 'Revenue grew by 12 % in the second quarter, most of it in the south.';
/** The text in deltas of `size` characters, numbered from `sort`. */
const deltas = (text: string, size = 5, sort?: number): ThreadEvent[] =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
    delta('a', text.slice(at * size, (at + 1) * size), sort === undefined ? {} : { sort: sort + at }),
  );
const after = (...events: ThreadEvent[]): string | undefined => textOf(threadOf(sent(), ...events));

describe('deltas of one connection', () => {
  it('in the wrong order are put right', () => {
    const [one, two, three, ...rest] = deltas(TEXT, 5, 10) as [ThreadEvent, ThreadEvent, ThreadEvent, ...ThreadEvent[]];
    assert.equal(after(one, three, two, ...rest), TEXT);
    assert.equal(after(three, two, one, ...rest), TEXT);
    assert.equal(after(two, one, three, ...rest), TEXT);
    assert.equal(after(...deltas(TEXT, 5, 10).reverse()), TEXT);
  });

  it('that come twice count once', () => {
    const twice = deltas(TEXT, 5, 10).flatMap((each) => [each, each]);
    assert.equal(after(...twice), TEXT);
    const all = deltas(TEXT, 5, 10);
    assert.equal(after(...all.slice(0, 6), ...all.slice(2)), TEXT);
  });

  it('with the same text but other numbers all count', () => {
    assert.equal(after(...deltas('aaaa', 1, 3)), 'aaaa');
  });

  it('with one number for all of them, or none, append as they come', () => {
    const same = (content: string): ThreadEvent => delta('a', content, { sort: 4 });
    const more = delta('a', 'z', { sort: 5 });
    assert.equal(after(same('x'), same('x'), same('y'), same('y'), more), 'xxyyz');
    assert.equal(after(delta('a', 'x'), delta('a', 'x')), 'xx');
  });

  it('that come after the line which settled the message change nothing', () => {
    const thread = threadOf(
      sent(),
      delta('a', 'x', { sort: 3 }),
      whole('a', 'xy.', { sort: 6 }),
      delta('a', 'y', { sort: 4 }),
    );
    assert.equal(textOf(thread), 'xy.');
    assert.equal(itemOf(thread, 'a')?.inProcess, false);
  });

  it('bring what the line that overtook them has left out', () => {
    const thread = threadOf(
      sent(),
      delta('a', '', { thinking: 'one ', sort: 2 }),
      whole('a', 'Done.', { thinking: '', sort: 5 }),
      delta('a', 'x', { thinking: 'three', sort: 4 }),
      delta('a', '', { thinking: 'two ', sort: 3 }),
    );
    assert.deepEqual([textOf(thread), itemOf(thread, 'a')?.thinking], ['Done.', 'one two three']);
    assert.equal(itemOf(thread, 'a')?.inProcess, false);
  });

  it('and tools that overtake each other a little come out as if they had not', () => {
    const call = { name: 'svcSqlApi', input: '{}' };
    const inOrder = [
      ...['We ', 'ask ', 'twice.'].map((thinking, at) => delta('a', '', { thinking, sort: 2 + at })),
      tool('t1', { sort: 5 }),
      tool('t2', { sort: 6 }),
      tool('t2', { sort: 7, toolCall: { ...call, result: '2' } }),
      tool('t1', { sort: 8, toolCall: { ...call, result: '1' } }),
      ...['Re', 'ven', 'ue.'].map((content, at) => delta('b', content, { sort: 9 + at })),
      whole('b', 'Revenue.', { thinking: '', sort: 12 }),
      delta('c', 'x', { sort: 13 }),
      whole('a', '', { thinking: '', sort: 14 }),
    ];
    const shown = (lines: readonly ThreadEvent[]): unknown =>
      threadOf(sent(), ...lines, finished).items.map(({ id, content, thinking, toolCall, inProcess }) => [
        ...[id, content, thinking, toolCall?.result, inProcess],
      ]);
    const delays = fc.array(fc.nat(4), { minLength: inOrder.length, maxLength: inOrder.length });
    fc.assert(
      fc.property(delays, (by) => {
        const arrival = inOrder
          .map((line, at) => ({ line, at: at + by[at]! + at / 100 }))
          .toSorted((one, other) => one.at - other.at)
          .map(({ line }) => line);
        assert.deepEqual(shown(arrival), shown(inOrder));
      }),
      { numRuns: 2000 },
    );
  });

  it('that overtook a replacement belong after it', () => {
    assert.equal(after(delta('a', 'C', { sort: 5 }), whole('a', 'AB', { sort: 4, isInProcess: true })), 'ABC');
  });

  it('a replacement that was overtaken by a later one changes nothing', () => {
    const thread = threadOf(sent(), whole('a', 'ABC', { sort: 6 }), whole('a', 'A', { sort: 4, isInProcess: true }));
    assert.equal(textOf(thread), 'ABC');
    assert.equal(itemOf(thread, 'a')?.inProcess, false);
  });

  it('far out of order are found among the many that came before', () => {
    const text = 'abcdefghij'.repeat(30);
    const all = deltas(text, 1, 1);
    const [late] = all.splice(200, 1);
    all.splice(250, 0, late as ThreadEvent, all[245] as ThreadEvent);
    assert.equal(after(...all), text);
  });

  it('keep a bounded record however many there are', () => {
    const thread = threadOf(sent(), ...deltas('x'.repeat(5000), 1, 1));
    assert.ok(JSON.stringify(thread).length < 40_000);
  });
});

describe('a further connection', () => {
  const half = deltas(TEXT.slice(0, 33));
  it('that goes on where the last one stopped appends', () => {
    assert.equal(after(...half, attached, ...deltas(TEXT.slice(33), 7)), TEXT);
  });

  it('that repeats the run from its start changes nothing until it says more', () => {
    const replay = deltas(TEXT, 4);
    for (let at = 1; at < replay.length; at += 1) {
      const text = after(...half, attached, ...replay.slice(0, at)) ?? '';
      assert.equal(text, TEXT.slice(0, Math.max(33, at * 4)));
    }
    assert.equal(after(...half, attached, ...replay), TEXT);
  });

  it('that repeats the run in one piece extends the text', () => {
    assert.equal(after(...half, attached, delta('a', TEXT)), TEXT);
    assert.equal(after(...half, attached, delta('a', TEXT.slice(0, 10))), TEXT.slice(0, 33));
  });

  it('that is itself cut while it repeats loses nothing', () => {
    const replay = deltas(TEXT, 3);
    const cuts = [2, 1, 5, 9, 3, replay.length];
    assert.equal(after(...half, ...cuts.flatMap((cut) => [attached, ...replay.slice(0, cut)])), TEXT);
  });

  it('that begins with an empty start line does not shrink the text', () => {
    const start = whole('a', '', { isInProcess: true });
    assert.equal(after(start, ...half, attached, start), TEXT.slice(0, 33));
    assert.equal(after(start, ...half, attached, start, ...deltas(TEXT, 6)), TEXT);
    assert.equal(after(...half, attached, whole('a', TEXT.slice(0, 12), { isInProcess: true })), TEXT.slice(0, 33));
  });

  it('whose beginning only looks like a repetition goes on', () => {
    const held = deltas('The south grew. ');
    assert.equal(
      after(...held, attached, delta('a', 'The'), delta('a', ' north did not.')),
      'The south grew. The north did not.',
    );
  });

  it('goes on under the number that all lines of the message have', () => {
    const numbered = (text: string): ThreadEvent => delta('a', text, { sort: 3 });
    const held = [numbered('The south grew. '), numbered('The east, too. ')];
    assert.equal(after(...held, attached, numbered('They sell')), 'The south grew. The east, too. They sell');
  });

  it('whose last words only look like a repetition loses them not', () => {
    assert.equal(after(...deltas('No, no. '), attached, delta('a', 'No'), finished), 'No, no. No');
  });

  it('that repeats the run and then takes another way replaces the text', () => {
    const other = `${TEXT.slice(0, 30)}THIRD quarter.`;
    assert.equal(after(...half, attached, ...deltas(other, 5)), other);
  });

  it('is settled by the final line, whatever it was', () => {
    for (const again of [deltas('Something else altogether'), deltas(TEXT), deltas(TEXT.slice(33)), []])
      assert.equal(after(...half, attached, ...again, whole('a', TEXT)), TEXT);
  });

  it('repeats thinking likewise', () => {
    const thought = (text: string): ThreadEvent => delta('a', '', { thinking: text });
    const thread = threadOf(
      sent(),
      thought('I look '),
      thought('at sales'),
      attached,
      thought('I look '),
      thought('at sales now'),
    );
    assert.equal(itemOf(thread, 'a')?.thinking, 'I look at sales now');
  });

  it('does not make a finished message unfinished', () => {
    const thread = threadOf(sent(), ...deltas(TEXT), whole('a', TEXT), attached, ...half);
    assert.equal(textOf(thread), TEXT);
    assert.equal(itemOf(thread, 'a')?.inProcess, false);
  });

  it('puts its own lines right when they come in the wrong order or twice', () => {
    const replay = deltas(TEXT, 4, 2);
    const [one, two, ...rest] = replay as [ThreadEvent, ThreadEvent, ...ThreadEvent[]];
    assert.equal(after(...half, attached, two, one, two, ...rest), TEXT);
    const [first, second, ...more] = deltas(TEXT.slice(33), 4, 50) as [ThreadEvent, ThreadEvent, ...ThreadEvent[]];
    assert.equal(after(...deltas(TEXT.slice(0, 33), 5, 2), attached, second, first, first, ...more), TEXT);
  });
});

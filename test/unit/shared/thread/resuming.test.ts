import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { reduce } from '../../../../src/shared/thread/reducer.ts';
import type { Thread, ThreadEvent } from '../../../../src/shared/thread/model.ts';
import { attached, delta, echo, finished, itemOf, sent, threadOf, tool, whole } from '../support/threads.ts';
import { flat } from '../../../support/item.ts';
import { runs } from '../../../support/runs.ts';

/** One line of an answer, numbered by its connection. */
type Numbered = (sort: number | undefined) => ThreadEvent;

interface Answer {
  lines: Numbered[];
  texts: Record<string, string>;
}

/** An answer with distinct words, so that every position in it can be identified. */
function distinctAnswer(sizes: readonly number[], settles: boolean): Answer {
  let word = 0;
  const lines: Numbered[] = [(sort) => echo('revenue?', { sort })];
  const texts: Record<string, string> = {};
  for (const [index, size] of sizes.entries()) {
    const id = `m${index}`;
    let text = '';
    for (let at = 0; at < size; at += 1) {
      const piece = `${word}🙂 `;
      word += 1;
      text += piece;
      lines.push((sort) => delta(id, piece, { sort }));
    }
    texts[id] = text;
    if (settles) lines.push((sort) => whole(id, text, { sort }));
    const call = { name: 'svcMeta', input: '{}' };
    lines.push((sort) => tool(`t${index}`, { sort, toolCall: call }));
    lines.push((sort) => tool(`t${index}`, { sort, toolCall: { ...call, result: `{"n":${index}}` } }));
  }
  return { lines, texts };
}

type Numbering = 'stable' | 'restarted' | 'rising' | 'none';
interface Cut {
  how: 'continue' | 'replay';
  /** Number of lines before the connection is lost. */
  lines: number;
}

/** The events of all connections: each continues or replays, and the last one completes the answer. */
function connections({ lines }: Answer, cuts: readonly Cut[], numbering: Numbering): ThreadEvent[] {
  const events: ThreadEvent[] = [sent()];
  let reached = 0;
  let sent_ = 0;
  for (const [index, cut] of [...cuts, { how: cuts.at(-1)?.how ?? 'replay', lines: Infinity }].entries()) {
    if (index > 0) events.push(attached);
    const from = cut.how === 'continue' ? reached : 0;
    const to = Math.min(lines.length, from + cut.lines);
    for (let at = from; at < to; at += 1) {
      sent_ += 1;
      const sorts = { stable: at, restarted: at - from, rising: sent_, none: undefined };
      events.push((lines[at] as Numbered)(sorts[numbering]));
    }
    reached = Math.max(reached, to);
  }
  return [...events, finished];
}

const cutsOf = (how: fc.Arbitrary<Cut['how']>): fc.Arbitrary<Cut[]> =>
  fc.array(fc.record({ how, lines: fc.nat(30) }), { maxLength: 20 });
const numberings: Numbering[] = ['stable', 'restarted', 'rising', 'none'];
const numRuns = runs(30, 2000);

describe('an answer over many connections', () => {
  it('has the complete text of a whole line, also if that is shorter than the one before', () => {
    const thread = threadOf(sent(), delta('a', 'Revenue grew a lot'), attached, whole('a', 'Revenue grew'));
    assert.equal(itemOf(thread, 'a')?.content, 'Revenue grew');
  });

  it('is continued in all its texts once one of them contradicts a replay', () => {
    const thread = threadOf(
      sent(),
      delta('a', 'Reven'),
      delta('b', 'la '),
      attached,
      delta('a', 'ue'),
      delta('b', 'la '),
      finished,
    );
    assert.deepEqual(
      flat(thread).map(({ content }) => content),
      ['revenue?', 'Revenue', 'la la '],
    );
  });

  for (const numbering of numberings)
    it(`is whole and unique with lines numbered ${numbering}, and never duplicated meanwhile`, () => {
      const sizes = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 4 });
      const how = fc.constantFrom<Cut['how'][]>('continue', 'replay');
      fc.assert(
        fc.property(sizes, fc.boolean(), cutsOf(how), (each, settles, cuts) => {
          const answer = distinctAnswer(each, settles);
          let thread: Thread = threadOf();
          for (const event of connections(answer, cuts, numbering)) {
            thread = reduce(thread, event);
            for (const [id, text] of Object.entries(answer.texts)) {
              const so = itemOf(thread, id)?.content ?? '';
              assert.ok(text.startsWith(so), `“${so}” is not a beginning of “${text}”`);
            }
          }
          for (const [id, text] of Object.entries(answer.texts)) assert.equal(itemOf(thread, id)?.content, text);
          const order = ['1700000000000-message', ...each.flatMap((_, index) => [`m${index}`, `t${index}`])];
          assert.deepEqual(
            flat(thread).map(({ id }) => id),
            order,
          );
        }),
        { numRuns },
      );
    });

  it('is exact in the end even if text repeats itself', () => {
    const pieces = fc.array(fc.constantFrom('a', 'b', 'aa', 'ab', ' ', ''), { minLength: 1, maxLength: 40 });
    const how = fc.constantFrom<Cut['how'][]>('continue', 'replay');
    fc.assert(
      fc.property(pieces, cutsOf(how), fc.constantFrom(...numberings), (each, cuts, numbering) => {
        const text = each.join('');
        const lines = each.map(
          (piece): Numbered =>
            (sort) =>
              delta('m', piece, { sort }),
        );
        lines.push((sort) => whole('m', text, { sort }));
        assert.equal(itemOf(threadOf(...connections({ lines, texts: {} }, cuts, numbering)), 'm')?.content, text);
      }),
      { numRuns },
    );
  });

  it('is the same in a replica that starts with a snapshot at any time', () => {
    const how = fc.constantFrom<Cut['how'][]>('continue', 'replay');
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        cutsOf(how),
        fc.constantFrom(...numberings),
        fc.nat(),
        (size, cuts, numbering, at) => {
          const events = connections(distinctAnswer([size, 3], true), cuts, numbering);
          const from = at % events.length;
          const host = events.slice(0, from).reduce(reduce, threadOf());
          const replica = JSON.parse(JSON.stringify(host)) as Thread;
          const texts = (thread: Thread): unknown[] =>
            flat(thread).map(({ id, content, inProcess }) => [id, content, inProcess]);
          for (const end of [events.slice(from), events.slice(from).flatMap((event) => [event, event])])
            assert.deepEqual(texts(end.reduce(reduce, replica)), texts(end.reduce(reduce, host)));
        },
      ),
      { numRuns },
    );
  });

  it('is the same in a replica that starts within a long text, also with reordered lines', () => {
    const swap = fc.record({ at: fc.nat(), by: fc.integer({ min: 1, max: 6 }) });
    fc.assert(
      fc.property(fc.array(swap, { maxLength: 12 }), fc.nat(), (faults, at) => {
        const lines = distinctAnswer([200], false).lines.map((line, index) => line(index));
        for (const { at: from, by } of faults) {
          const place = 1 + (from % (lines.length - 8));
          lines.splice(place + by, 0, ...lines.splice(place, 1));
        }
        const events = [sent(), ...lines, finished];
        const host = events.slice(0, at % events.length).reduce(reduce, threadOf());
        const replica = JSON.parse(JSON.stringify(host)) as Thread;
        const rest = events.slice(at % events.length);
        const texts = (thread: Thread): unknown[] => flat(thread).map(({ id, content }) => [id, content]);
        assert.deepEqual(texts(rest.reduce(reduce, replica)), texts(rest.reduce(reduce, host)));
      }),
      { numRuns },
    );
  });
});

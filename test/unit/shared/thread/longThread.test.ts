/** The cost of a line does not grow with the thread, measured as reads of existing turns and items. */
import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { describe, it } from 'mocha';
import { reduceAll } from '../../../../src/shared/thread/reducer.ts';
import { emptyThread, type Thread, type ThreadEvent, type Turn } from '../../../../src/shared/thread/model.ts';
import { turnsOf } from '../../../../src/shared/thread/turns.ts';
import { flat } from '../../../support/item.ts';
import { delta, line, marker, sent, whole } from '../support/threads.ts';

const TURNS = 500;
const PER_TURN = 10;

/** The messages of a long thread, as sent by a thread read. */
const history = (name: string): ThreadEvent[] =>
  Array.from({ length: TURNS * PER_TURN }, (_, at) =>
    at % PER_TURN === 0
      ? whole(`${name}-question-${at}`, `Q${at}`, { role: 'user', graphPath: [], sort: at })
      : whole(`${name}-${at}`, `A${at}`, { sort: at }),
  );

/** @returns the thread with proxies that count reads of its turns and items, and the count */
function counted(thread: Thread): { thread: Thread; looks: () => number } {
  let looks = 0;
  const watched = <T extends object>(value: T): T =>
    new Proxy(value, {
      get: (target, key) => {
        looks += 1;
        return Reflect.get(target, key) as unknown;
      },
    });
  const turns = thread.turns.map((turn): Turn => watched({ ...turn, items: turn.items.map(watched) }));
  return { thread: { ...thread, turns: Object.freeze(turns) }, looks: () => looks };
}

const textsOf = (thread: Thread): (string | undefined)[] =>
  (turnsOf(thread).at(-1)?.items ?? []).map(({ content }) => content);

describe('a long thread', () => {
  const loading: ThreadEvent = { type: 'loading' };
  const finished: ThreadEvent = { type: 'finished' };
  const thread = reduceAll(emptyThread('t'), [loading, ...history('a'), marker, finished]);
  const all = TURNS * PER_TURN;

  it('limits the text of a message, and still accepts the line that completes it', () => {
    const piece = 'x'.repeat(2 ** 22);
    let endless = reduceAll(emptyThread('t'), [sent(), marker]);
    for (let at = 0; at < 140; at += 1) endless = reduceAll(endless, [delta('x', piece)]);
    assert.equal(flat(endless).at(-1)?.content.length, 2 ** 24);
    assert.equal(flat(reduceAll(endless, [whole('x', 'All.')])).at(-1)?.content, 'All.');
  });

  for (const [order, sortOf] of [
    ['rising', (at: number) => at + 1],
    ['falling', (at: number) => 5000 - at],
    ['mixed', (at: number) => ((at * 7919) % 5000) + 1],
  ] as const)
    it(`finds the items of a growing answer in constant time, with ${order} sort`, () => {
      const count = 5000;
      const indexed = mock.method(Map.prototype, 'set').mock;
      let answer = reduceAll(emptyThread('t'), [sent(), marker]);
      for (let at = 0; at < count; at += 10)
        answer = reduceAll(
          answer,
          Array.from({ length: 10 }, (_, part) => delta(`i${at + part}`, 'x', { sort: sortOf(at + part) })),
        );
      const entries = indexed.callCount();
      indexed.restore();
      assert.ok(entries <= 3 * count, String(entries));
      const sorts = turnsOf(answer)[0]?.items.map(({ sort }) => sort);
      assert.equal(sorts?.length, count);
      assert.deepEqual(
        sorts,
        sorts.toSorted((a, b) => a - b),
      );
    });

  it('applies lines to a copy of an earlier state, whatever a later one has', () => {
    const lines = (...ids: string[]) => ids.map((id, at) => delta(id, id, { sort: at + 1 }));
    const early = reduceAll(emptyThread('t'), [sent(), marker, ...lines('a', 'b')]);
    const late = reduceAll(early, [delta('c', 'c', { sort: 3 }), delta('d', 'd', { sort: 4 })]);
    const other = reduceAll(early, [delta('d', 'D', { sort: 3 }), delta('a', 'A'), delta('c', 'C', { sort: 4 })]);
    assert.deepEqual(textsOf(late), ['a', 'b', 'c', 'd']);
    assert.deepEqual(textsOf(other), ['aA', 'b', 'D', 'C']);
    assert.deepEqual(textsOf(reduceAll(late, [delta('d', '2'), delta('a', '2')])), ['a2', 'b', 'c', 'd2']);
  });

  it('applies a delta without reading any turn', () => {
    const { thread: before, looks } = counted(reduceAll(thread, [sent('next?')]));
    const begun = reduceAll(before, [marker, delta('x', 'Reve')]);
    const looked = looks();
    const after = reduceAll(begun, [delta('x', 'nue')]);
    assert.equal(looks(), looked);
    assert.equal(flat(after).at(-1)?.content, 'Revenue');
  });

  it('derives the turns after a delta by reading only those that it belongs to', () => {
    const { thread: before, looks } = counted(reduceAll(thread, [sent('next?')]));
    let next = reduceAll(before, [marker, delta('x', 'Reve')]);
    turnsOf(next);
    const looked = looks();
    next = reduceAll(next, [delta('x', 'nue')]);
    assert.equal(turnsOf(next).at(-1)?.items[0]?.content, 'Revenue');
    assert.ok(looks() - looked < 50, `${looks() - looked} looks`);
  });

  it('derives the turns after a delta without merging a replayed thread again', () => {
    const { thread: before, looks } = counted(reduceAll(thread, [sent('next?')]));
    let next = reduceAll(before, [...history('a'), marker, delta('x', 'Reve')]);
    turnsOf(next);
    const looked = looks();
    next = reduceAll(next, [delta('x', 'nue')]);
    assert.equal(turnsOf(next).at(-1)?.items[0]?.content, 'Revenue');
    assert.ok(looks() - looked < 50, `${looks() - looked} looks`);
  });

  it('appends messages by reading each turn only', () => {
    const { thread: before, looks } = counted(thread);
    const after = reduceAll(before, [loading, ...history('b'), marker]);
    assert.equal(turnsOf(after).length, 2 * TURNS);
    assert.ok(looks() < 10 * TURNS, `${looks()} looks at ${TURNS} turns`);
  });

  it('is backfilled with few reads of each message, and stays the same', () => {
    const { thread: before, looks } = counted(thread);
    const after = reduceAll(before, [loading, ...history('a'), marker]);
    assert.equal(turnsOf(after), before.turns);
    assert.ok(looks() < 100 * all, `${looks()} looks at ${all} items`);
  });

  it('assigns lines to turns after others were inserted in between', () => {
    const late = thread.turns.map(({ id }) => id);
    const between = late.flatMap((id, turn) => [
      whole(id, `Q${turn * PER_TURN}`, { role: 'user', graphPath: [] }),
      whole(`late-${turn}`, 'late'),
      whole(`a-${turn * PER_TURN + 9}`, 'corrected', { sort: turn * PER_TURN + 9 }),
    ]);
    const after = flat(reduceAll(thread, [loading, ...between, line({ kind: 'state' })]));
    assert.equal(after.length, all + TURNS);
    assert.deepEqual(
      after.slice(PER_TURN - 2, PER_TURN + 2).map(({ content }) => content),
      ['A8', 'late', 'corrected', 'Q10'],
    );
    assert.equal(after.filter(({ content }) => content === 'corrected').length, TURNS);
  });

  it('is immutable for its holders while more arrives', () => {
    const [first, second] = [history('b').slice(0, 20), history('b').slice(20, 40)];
    const between = reduceAll(thread, [loading, ...first]);
    const held = JSON.stringify(between);
    reduceAll(between, second);
    reduceAll(between, [whole('b-1', 'otherwise')]);
    assert.equal(JSON.stringify(between), held);
  });
});

/** What a line costs does not grow with the thread: work is counted in looks at the items that are there already. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { reduceAll } from '../../../src/shared/thread/reducer.ts';
import { emptyThread, type Item, type Thread, type ThreadEvent } from '../../../src/shared/thread/model.ts';
import { line, marker, whole } from './support/threads.ts';

const TURNS = 500;
const PER_TURN = 10;

/** The messages of a long thread, as the service sends them when it is read. */
const history = (name: string): ThreadEvent[] =>
  Array.from({ length: TURNS * PER_TURN }, (_, at) =>
    at % PER_TURN === 0
      ? whole(`${name}-question-${at}`, `Q${at}`, { role: 'user', graphPath: [], sort: at })
      : whole(`${name}-${at}`, `A${at}`, { sort: at }),
  );

/** @returns the thread with items that count how often something of them is read, and the count */
function counted(thread: Thread): { thread: Thread; looks: () => number } {
  let looks = 0;
  const watched = (item: Item): Item =>
    new Proxy(item, {
      get: (target, key) => {
        looks += 1;
        return Reflect.get(target, key) as unknown;
      },
    });
  return { thread: { ...thread, items: Object.freeze(thread.items.map(watched)) }, looks: () => looks };
}

describe('a long thread', () => {
  const loading: ThreadEvent = { type: 'loading' };
  const thread = reduceAll(emptyThread('t'), [loading, ...history('a'), marker]);
  const all = TURNS * PER_TURN;

  it('gets more messages without being looked through for each of them', () => {
    const { thread: before, looks } = counted(thread);
    const after = reduceAll(before, [loading, ...history('b'), marker]);
    assert.equal(after.items.length, 2 * all);
    assert.ok(looks() < 10 * all, `${looks()} looks at ${all} items`);
  });

  it('is read once more without being looked through for each of its messages', () => {
    const { thread: before, looks } = counted(thread);
    const after = reduceAll(before, [loading, ...history('a'), marker]);
    assert.deepEqual(
      after.items.map(({ id, content }) => [id, content]),
      thread.items.map(({ id, content }) => [id, content]),
    );
    assert.ok(looks() < 100 * all, `${looks()} looks at ${all} items`);
  });

  it('finds what lines are of after others have been put between', () => {
    const { items } = thread;
    const late = items.filter(({ role }) => role === 'user').map(({ id }) => id);
    const between = late.flatMap((id, turn) => [
      whole(id, `Q${turn * PER_TURN}`, { role: 'user', graphPath: [] }),
      whole(`late-${turn}`, 'late'),
      whole(`a-${turn * PER_TURN + 9}`, 'corrected', { sort: turn * PER_TURN + 9 }),
    ]);
    const after = reduceAll(thread, [loading, ...between, line({ kind: 'state' })]);
    assert.equal(after.items.length, all + TURNS);
    assert.deepEqual(
      after.items.slice(PER_TURN - 2, PER_TURN + 3).map(({ content }) => content),
      ['A8', 'corrected', 'late', 'Q10', 'A11'],
    );
    assert.equal(after.items.filter(({ content }) => content === 'corrected').length, TURNS);
  });

  it('stays as it was for whoever holds it while more comes', () => {
    const [first, second] = [history('b').slice(0, 20), history('b').slice(20, 40)];
    const between = reduceAll(thread, [loading, ...first]);
    const held = [...between.items];
    reduceAll(between, second);
    reduceAll(between, [whole('b-1', 'otherwise')]);
    assert.deepEqual(between.items, held);
    assert.equal(thread.items.length, all);
  });
});

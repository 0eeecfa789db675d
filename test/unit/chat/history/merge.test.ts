/** What is kept of a thread that two windows have changed. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { mergeThreads, nothing, supersedes, type Known } from '../../../../src/chat/history/merge.ts';
import { emptyThread, type Thread, type Turn } from '../../../../src/shared/thread/model.ts';
import { makeTurn } from '../../../support/item.ts';
import { textItem } from './support/stores.ts';

const turn = (id: string, time = 1, ...items: string[]): Turn =>
  makeTurn(
    { id, content: id, time },
    items.map((item) => textItem(item)),
  );
const threadOf = (turns: readonly Turn[], fields: Partial<Thread> = {}): Thread => ({
  ...emptyThread('t'),
  turns,
  ...fields,
});
const knownOf = (...turns: Turn[]): Known => ({ ...nothing, turns });
const [a, b, c] = [turn('a', 1), turn('b', 2), turn('c', 3)];
/** The turns as another process has read them from the file. */
const read = (...turns: Turn[]): Turn[] => structuredClone(turns);

describe('merging the turns of two windows', () => {
  const idsOf = (theirs: readonly Turn[], ours: readonly Turn[], ...known: Turn[]): string[] =>
    mergeThreads(threadOf(theirs), threadOf(ours), knownOf(...known)).turns.map(({ id }) => id);

  it('keeps those that either has added, after the turns that they follow', () => {
    const [d, e] = [turn('d', 4), turn('e', 5)];
    assert.deepEqual(idsOf(read(a, d), [a, e], a), ['a', 'd', 'e']);
    assert.deepEqual(idsOf(read(a, e), [a, d], a), ['a', 'd', 'e'], 'in the order of their times');
    assert.deepEqual(idsOf(read(a, b, e), [a, c, b, d], a, b), ['a', 'c', 'b', 'd', 'e']);
    assert.deepEqual(idsOf(read(a, c), [a, turn('late', 1), turn('back', 0)], a), ['a', 'late', 'back', 'c']);
    assert.deepEqual(idsOf(read(a, d, b), [a, b, c], a, b), ['a', 'd', 'b', 'c']);
    assert.deepEqual(idsOf([], [b, a]), ['b', 'a'], 'the times of one window do not matter');
  });

  it('drops those that either has removed, unless the other has changed them', () => {
    assert.deepEqual(idsOf(read(a, b, c), [a, c], a, b, c), ['a', 'c']);
    assert.deepEqual(idsOf(read(a, c), [a, b, c], a, b, c), ['a', 'c']);
    assert.deepEqual(idsOf(read(a, c), [a, { ...b, outcome: { state: 'done' } }, c], a, b, c), ['a', 'b', 'c']);
    assert.deepEqual(idsOf(read(a, b), [b], a), ['b']);
  });

  it('keeps the items of both, and what either has changed of the rest', () => {
    const base = turn('q', 1, 'x');
    const usage = { totalTokens: 7 };
    const theirs = { ...turn('q', 1, 'x', 'theirs'), usage, outcome: { state: 'done' } as const };
    const ours = { ...base, items: [...base.items, textItem('ours')], outcome: undefined };
    const [merged] = mergeThreads(threadOf([theirs]), threadOf([ours]), knownOf(base)).turns;
    assert.deepEqual(
      merged?.items.map(({ id }) => id),
      ['x', 'ours', 'theirs'],
    );
    assert.deepEqual([merged?.usage, merged?.outcome, merged?.question], [usage, { state: 'done' }, theirs.question]);
    const failed = { ...theirs, outcome: { state: 'stopped', service: 'stopped' } as const };
    const [again] = mergeThreads(threadOf([theirs]), threadOf([failed]), knownOf(base)).turns;
    assert.deepEqual(again?.outcome, failed.outcome);
    const [unchanged] = mergeThreads(threadOf([theirs]), threadOf([base]), knownOf(base)).turns;
    assert.equal(unchanged, theirs);
  });

  it('has the state of the window that asked last, the chat id of either, and the queue that has changed', () => {
    const started = threadOf([a], { chatId: 'chat', messageId: 'a' });
    const ahead = threadOf([b], {
      status: 'streaming',
      messageId: 'b',
      queue: [{ id: 'w', text: 'Next?', images: [] }],
    });
    for (const [theirs, ours] of [
      [started, ahead],
      [ahead, started],
    ] as const) {
      const { chatId, status, messageId, queue } = mergeThreads(theirs, ours, { turns: [], queue: started.queue });
      assert.deepEqual([chatId, status, messageId, queue.length], ['chat', 'streaming', 'b', 1]);
    }
  });
});

describe('a version of an item', () => {
  const version = (content: string, updated: number, inProcess: boolean, thinking = '') =>
    textItem('x', { content, thinking, updated, inProcess });

  it('replaces an older one, and one of the same time', () => {
    assert.ok(supersedes(version('ab', 2, false), version('abc', 1, false)));
    assert.ok(supersedes(version('ab', 1, true), version('abc', 1, true)));
    assert.ok(!supersedes(version('abcd', 1, false), version('abc', 2, false)));
    const [merged] = mergeThreads(
      threadOf([
        makeTurn({ id: 'q' }, [textItem('x', { content: 'theirs', updated: 9 }), textItem('y', { updated: 1 })]),
      ]),
      threadOf([
        makeTurn({ id: 'q' }, [textItem('x', { updated: 8 }), textItem('y', { content: 'ours', updated: 1 })]),
      ]),
      nothing,
    ).turns;
    assert.deepEqual(
      merged?.items.map(({ content }) => content),
      ['theirs', 'ours'],
    );
  });

  it('that is complete is not replaced by a partial one that is shorter, whenever that was written', () => {
    const complete = version('ab', 1, false, 'c');
    assert.ok(!supersedes(version('ab', 2, true), complete));
    assert.ok(supersedes(complete, version('ab', 2, true)));
    assert.ok(supersedes(version('ab', 2, true, 'c'), complete), 'one of the same length is newer');
    assert.ok(supersedes(version('abcd', 2, true), complete));
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { headOf, Merge, mergeHeads, metaOf } from '../../../../src/chat/history/merge.ts';
import { isThreadRecord, type Head, type ThreadRecord } from '../../../../src/chat/history/format/records.ts';
import { storedTurn } from '../../../../src/chat/history/format/storedTurns.ts';
import { emptyThread, type Thread } from '../../../../src/shared/thread/model.ts';
import { flat, makeTurn } from '../../../support/item.ts';
import { textItem } from './support/stores.ts';

type Gone = readonly [id: string, updated: number, run?: number];

function merged(...records: ({ item: string; updated: number; run?: number } | Gone)[]): (string | number)[][] {
  const merge = new Merge();
  for (const record of records)
    if ('item' in record) {
      const { item, updated, run = 1 } = record;
      merge.add({ kind: 'item', item: { ...textItem(item, { updated }), role: 'assistant', run } }, 1);
    } else merge.add({ kind: 'gone', items: [record] }, 1);
  return flat(merge.result('a', 0).thread).map(({ id, updated }) => [id, updated]);
}

const head = (fields: Partial<Thread>): Head => {
  const thread = { ...emptyThread('a'), ...fields };
  return headOf(thread, metaOf(thread, 0));
};

describe('merging files of version 1', () => {
  it('removes an item deleted in the same or a later version', () => {
    assert.deepEqual(merged({ item: 'x', updated: 5 }, ['x', 5, 1]), []);
    assert.deepEqual(merged({ item: 'x', updated: 5 }, ['x', 6, 1]), []);
    assert.deepEqual(merged(['x', 5, 1], { item: 'x', updated: 4 }), []);
  });

  it('keeps an item that is newer than its deletion, in any order', () => {
    assert.deepEqual(merged({ item: 'x', updated: 6 }, ['x', 5, 1]), [['x', 6]]);
    assert.deepEqual(merged(['x', 5, 1], { item: 'x', updated: 6 }), [['x', 6]]);
  });

  it('keeps an item of a later run even if the clock was set back', () => {
    assert.deepEqual(merged(['x', 5, 1], { item: 'x', updated: 2, run: 2 }), [['x', 2]]);
  });

  it('applies the latest of several deletions', () => {
    assert.deepEqual(merged(['x', 7, 1], ['x', 5, 1], { item: 'x', updated: 6 }), []);
  });
});

describe('merging the changes of several windows', () => {
  const stored = (id: string, after?: string, time = 1): ThreadRecord => ({
    kind: 'turn',
    turn: storedTurn(makeTurn({ id, content: id, time }), after),
  });
  const idsOf = (...records: ThreadRecord[]): string[] => {
    const merge = new Merge();
    for (const record of records) merge.add(record, 1);
    return merge.result('a', 0).thread.turns.map(({ id }) => id);
  };

  it('drops a removed turn until a window adds it again', () => {
    const removed: ThreadRecord = { kind: 'removed', turns: ['x'] };
    const message: ThreadRecord = { kind: 'message', turn: 'x', item: textItem('late') };
    assert.deepEqual(idsOf(stored('x'), removed), []);
    assert.deepEqual(idsOf(stored('x'), removed, message, { kind: 'order', turn: 'x' }), []);
    assert.deepEqual(idsOf(stored('x'), removed, stored('x')), ['x']);
  });

  it('orders turns by their links, and siblings by their times', () => {
    assert.deepEqual(idsOf(stored('c', 'b', 1), stored('a'), stored('b', 'a', 9)), ['a', 'b', 'c']);
    assert.deepEqual(idsOf(stored('a'), stored('late', 'a', 9), stored('early', 'a', 5)), ['a', 'early', 'late']);
    assert.deepEqual(idsOf(stored('a'), stored('b', 'a'), { kind: 'order', turn: 'b' }, stored('c', 'a')), [
      'a',
      'c',
      'b',
    ]);
  });

  it('orders the items of a turn as its last version does, whatever the order of their records', () => {
    const items = ['x', 'y', 'z'].map((id) => textItem(id));
    const turn: ThreadRecord = { kind: 'turn', turn: storedTurn(makeTurn({ id: 'a' }, items), undefined) };
    const merge = new Merge();
    for (const record of [...items.toReversed().map((item) => ({ kind: 'message', turn: 'a', item }) as const), turn])
      merge.add(record, 1);
    assert.deepEqual(
      merge.result('a', 0).thread.turns[0]?.items.map(({ id }) => id),
      ['x', 'y', 'z'],
    );
  });

  it('keeps turns with missing or circular links', () => {
    assert.deepEqual(idsOf(stored('a'), stored('b', 'gone')).sort(), ['a', 'b']);
    assert.deepEqual(idsOf(stored('a', 'b'), stored('b', 'a')).sort(), ['a', 'b']);
  });

  it('keeps the state of the window that asked last, and the chat id of either', () => {
    const asked = (id: string, time: number): Partial<Thread> => ({ turns: [makeTurn({ id, time })] });
    const started = head({ ...asked('1', 1), chatId: 'chat', messageId: '1' });
    const ahead = head({ ...asked('2', 2), status: 'streaming', messageId: '2' });
    for (const both of [mergeHeads(started, ahead), mergeHeads(ahead, started)])
      assert.deepEqual([both.state.chatId, both.state.messageId, both.state.status], ['chat', '2', 'streaming']);
  });

  it('recognizes a thread whose last question failed', () => {
    const { meta, state } = head({ status: 'error', error: { kind: 'auth', message: 'No', actions: [] } });
    assert.ok(isThreadRecord(JSON.parse(JSON.stringify({ kind: 'head', meta, state }))));
    const context = { branch: 1, isDefaultBranch: true, identity: 'ana' };
    const { turn } = stored('a') as Extract<ThreadRecord, { kind: 'turn' }>;
    assert.ok(!isThreadRecord({ kind: 'turn', turn: { ...turn, question: { ...turn.question, context } } }));
  });
});

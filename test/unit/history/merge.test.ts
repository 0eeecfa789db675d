import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { headOf, Merge, mergeHeads, metaOf } from '../../../src/chat/history/merge.ts';
import type { Gone, Head } from '../../../src/chat/history/records.ts';
import { emptyThread, type Thread } from '../../../src/shared/thread/model.ts';
import { textItem } from './support.ts';

function merged(...records: ({ item: string; updated: number; run?: number } | Gone)[]): (string | number)[][] {
  const merge = new Merge();
  for (const record of records)
    if ('item' in record) merge.add({ kind: 'item', item: textItem(record.item, record) }, 1);
    else merge.add({ kind: 'gone', items: [record] }, 1);
  return merge.result('a', 0).thread.items.map(({ id, updated }) => [id, updated]);
}

const head = (fields: Partial<Thread>): Head => {
  const thread = { ...emptyThread('a'), ...fields };
  return headOf(thread, metaOf(thread, 0));
};

describe('history: merging what several windows have written', () => {
  it('removes an item by a deletion of the same or a later version', () => {
    assert.deepEqual(merged({ item: 'x', updated: 5 }, ['x', 5, 1]), []);
    assert.deepEqual(merged({ item: 'x', updated: 5 }, ['x', 6, 1]), []);
    assert.deepEqual(merged(['x', 5, 1], { item: 'x', updated: 4 }), []);
  });

  it('keeps an item that is newer than its deletion, whichever stands first in the file', () => {
    assert.deepEqual(merged({ item: 'x', updated: 6 }, ['x', 5, 1]), [['x', 6]]);
    assert.deepEqual(merged(['x', 5, 1], { item: 'x', updated: 6 }), [['x', 6]]);
  });

  it('keeps an item of a later run even when the clock was set back', () => {
    assert.deepEqual(merged(['x', 5, 1], { item: 'x', updated: 2, run: 2 }), [['x', 2]]);
  });

  it('lets the latest of several deletions decide', () => {
    assert.deepEqual(merged(['x', 7, 1], ['x', 5, 1], { item: 'x', updated: 6 }), []);
  });

  it('takes the state of the later run, and the chat id of either window', () => {
    const started = head({ chatId: 'chat', run: 1, status: 'ready' });
    const ahead = head({ run: 2, status: 'streaming' });
    for (const both of [mergeHeads(started, ahead), mergeHeads(ahead, started)])
      assert.deepEqual([both.state.chatId, both.state.run, both.state.status], ['chat', 2, 'streaming']);
  });
});

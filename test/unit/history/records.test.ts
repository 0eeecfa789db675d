import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { headOf, metaOf } from '../../../src/chat/history/merge.ts';
import { isThreadRecord } from '../../../src/chat/history/records.ts';
import { emptyThread } from '../../../src/shared/thread/model.ts';
import { plainly, textItem } from './support.ts';

const stamp = { branch: 'main', isDefaultBranch: true, identity: 'dev' };
const itemWith = (fields: object): unknown => plainly({ kind: 'item', item: { ...textItem('x'), ...fields } });

describe('history: checks on records', () => {
  it('accept the head of a thread in every status', () => {
    for (const status of ['ready', 'submitted', 'streaming', 'error'] as const) {
      const thread = { ...emptyThread('a'), status };
      assert.ok(isThreadRecord(plainly(headOf(thread, metaOf(thread, 1)))), status);
    }
  });

  it('accept an item with a whole stamp and refuse one with a bad stamp', () => {
    assert.ok(isThreadRecord(itemWith({ stamp })));
    for (const bad of [
      { ...stamp, branch: 1 },
      { ...stamp, isDefaultBranch: 'yes' },
      { ...stamp, identity: {} },
      'main',
    ])
      assert.ok(!isThreadRecord(itemWith({ stamp: bad })), JSON.stringify(bad));
  });

  it('refuse values of other kinds and names that every object has', () => {
    for (const kind of ['annotations', 'constructor', '__proto__', undefined]) assert.ok(!isThreadRecord({ kind }));
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { headOf, metaOf } from '../../../../src/chat/history/merge.ts';
import { isThreadRecord } from '../../../../src/chat/history/format/records.ts';
import { emptyThread } from '../../../../src/shared/thread/model.ts';
import { makeTurn } from '../../../support/item.ts';
import { plainly, textItem } from './support/stores.ts';

const context = { branch: 'main', isDefaultBranch: true, identity: 'dev' };
/** A question of this version, and one of version 1. */
const asked: ((context: unknown) => unknown)[] = [
  (context) =>
    plainly({ kind: 'turn', turn: { id: 'x', items: [], question: { ...makeTurn({ id: 'x' }).question, context } } }),
  (stamp) => plainly({ kind: 'item', item: { ...textItem('x'), role: 'user', run: 1, stamp } }),
];

describe('a record check', () => {
  it('accepts the head of a thread in every status', () => {
    for (const status of ['ready', 'submitted', 'streaming', 'error'] as const) {
      const thread = { ...emptyThread('a'), status };
      assert.ok(isThreadRecord(plainly(headOf(thread, metaOf(thread, 1)))), status);
    }
  });

  it('accepts a question with a complete context and rejects one with an invalid context', () => {
    for (const record of asked) assert.ok(isThreadRecord(record(context)));
    for (const bad of [
      { ...context, branch: 1 },
      { ...context, isDefaultBranch: 'yes' },
      { ...context, identity: {} },
      'main',
    ])
      for (const record of asked) assert.ok(!isThreadRecord(record(bad)), JSON.stringify(bad));
  });

  it('rejects the head of a thread with a time that is not a date', () => {
    const thread = emptyThread('a');
    const head = headOf(thread, metaOf(thread, 1));
    for (const time of [8.64e15 + 1, null, '2024-01-01'])
      for (const field of ['createdAt', 'updatedAt'])
        assert.ok(!isThreadRecord(plainly({ ...head, meta: { ...head.meta, [field]: time } })), `${field}: ${time}`);
  });

  it('rejects values of other types and names of inherited properties', () => {
    for (const kind of ['annotations', 'constructor', '__proto__', undefined]) assert.ok(!isThreadRecord({ kind }));
  });
});

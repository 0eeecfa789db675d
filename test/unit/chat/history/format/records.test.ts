import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { describe, it } from 'mocha';
import { headOf, metaOf } from '../../../../../src/chat/history/merge.ts';
import { isThreadRecord } from '../../../../../src/chat/history/format/records.ts';
import { emptyThread } from '../../../../../src/shared/thread/model.ts';
import { isFields } from '../../../../../src/shared/text/checks.ts';
import { makeTurn } from '../../../../support/item.ts';
import { plainly, textItem } from '../support/stores.ts';

const context = { branch: 'main', isDefaultBranch: true, identity: 'dev' };
const asked = (context: unknown): unknown =>
  plainly({ kind: 'turn', turn: { id: 'x', items: [], question: { ...makeTurn({ id: 'x' }).question, context } } });

const error = { kind: 'server', message: 'No.', actions: ['retry'] };
const question = {
  id: 'q',
  content: 'Why?',
  time: 1,
  images: [{ mimeType: 'image/png', data: '' }],
  context,
  echo: 'e',
};
const usage = { inputTokens: 1, outputTokens: 2, totalTokens: 3 };
const item = { ...textItem('x'), partial: true, toolCall: { name: 'svcSqlApi' } };
const outcomes = [{ state: 'failed', error }, { state: 'stopped', service: 'byService' }, { state: 'done' }];
const complete: Record<string, unknown>[] = [
  ...outcomes.map((outcome) => ({
    kind: 'turn',
    turn: { id: 'q', question, outcome, usage, after: 'p', items: ['x'] },
  })),
  { kind: 'message', turn: 'q', item },
  { kind: 'order', turn: 'q', after: 'p' },
  { kind: 'removed', turns: ['q'] },
  { kind: 'queue', queue: [{ id: 'q', text: 'Why?', images: [], context }] },
  { kind: 'draft', draft: { text: 'Why', images: [] } },
];

/** Copies of a value in which one part each, at any depth, has a type that no field has. */
function damagedCopies(value: unknown): unknown[] {
  const wrong = [Symbol('wrong')];
  if (Array.isArray(value))
    return [...wrong, ...value.flatMap((part, at) => damagedCopies(part).map((bad) => value.with(at, bad)))];
  if (!isFields(value)) return wrong;
  const parts = Object.entries(value).filter(([, part]) => part !== undefined);
  return [...wrong, ...parts.flatMap(([name, part]) => damagedCopies(part).map((bad) => ({ ...value, [name]: bad })))];
}

describe('a record check', () => {
  it('accepts complete records and rejects them with one part of another type', () => {
    for (const record of complete) {
      assert.ok(isThreadRecord(record), JSON.stringify(record));
      for (const bad of damagedCopies(record)) assert.ok(!isThreadRecord(bad), inspect(bad, { depth: 9 }));
    }
  });

  it('accepts the head of a thread in every status', () => {
    for (const status of ['ready', 'submitted', 'streaming', 'error'] as const) {
      const thread = { ...emptyThread('a'), status };
      assert.ok(isThreadRecord(plainly(headOf(thread, metaOf(thread, 1)))), status);
    }
  });

  it('accepts a question with a complete context and rejects one with an invalid context', () => {
    assert.ok(isThreadRecord(asked(context)));
    for (const bad of [
      { ...context, branch: 1 },
      { ...context, isDefaultBranch: 'yes' },
      { ...context, identity: {} },
      'main',
    ])
      assert.ok(!isThreadRecord(asked(bad)), JSON.stringify(bad));
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

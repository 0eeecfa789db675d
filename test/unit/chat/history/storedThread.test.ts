/** What the list shows of a thread, and which answers can be resumed after a restart. */
import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { afterEach, describe, it } from 'mocha';
import { metaOf, settled } from '../../../../src/chat/history/storedThread.ts';
import { emptyThread, type Thread, type TurnOutcome } from '../../../../src/shared/thread/model.ts';
import { makeTurn } from '../../../support/item.ts';
import { textItem } from './support/stores.ts';

describe('the metadata of a thread', () => {
  afterEach(() => mock.restoreAll());

  const meta = { id: 'a', title: '', pinned: false, createdAt: 50, updatedAt: 50, origin: '', questions: 0 };
  const context = { branch: 'dev', isDefaultBranch: false, identity: 'ana' };
  const turn = makeTurn({ id: 'q', content: 'Why?', time: 7, context }, [textItem('x', { time: 8, updated: 9 })]);

  it('is derived from its turns', () => {
    mock.method(Date, 'now', () => 50);
    const metaIn = (...turns: Thread['turns']) => metaOf({ ...emptyThread('a'), turns });
    assert.deepEqual(metaIn(), meta);
    assert.deepEqual(metaIn({ id: '', items: [] }), meta);
    assert.deepEqual(metaIn(turn, makeTurn({ id: 'r', content: 'And?', time: 20 }), { id: '', items: [] }), {
      ...{ ...meta, title: 'Why?', createdAt: 7, updatedAt: 20, questions: 2, branch: 'dev' },
    });
    assert.deepEqual(metaIn({ id: '', items: turn.items }), { ...meta, createdAt: 8, updatedAt: 9 });
  });

  it('keeps what is not in its turns', () => {
    const before = { ...meta, pinned: true, createdAt: 3, updatedAt: 60, origin: 'o', connection: '', branch: 'old' };
    const after = { ...before, title: 'Why?', questions: 1, branch: 'dev' };
    const thread = { ...emptyThread('a'), chatId: 'c', turns: [turn] };
    assert.deepEqual(metaOf(thread, before), { ...after, chatId: 'c' });
    const named = { named: true, readOnly: true, title: 'Mine' };
    assert.deepEqual(metaOf(thread, { ...before, ...named }), { ...after, ...named, chatId: 'c' });
    assert.deepEqual(metaOf(emptyThread('a'), { ...before, title: 'Mine' }), { ...before, title: 'Mine' });
  });
});

describe('a restored thread', () => {
  it('is running only if it has a question without an outcome to resume', () => {
    const failed: TurnOutcome = { state: 'failed', error: { kind: 'server', message: 'No.', actions: [] } };
    const items = [textItem('x'), textItem('y', { inProcess: true })];
    const cases: [fields: Partial<Thread>, outcome: TurnOutcome | undefined, status: Thread['status']][] = [
      [{ status: 'streaming', messageId: 'q' }, undefined, 'streaming'],
      [{ status: 'submitted', messageId: 'q' }, undefined, 'submitted'],
      [{ status: 'streaming' }, undefined, 'ready'],
      [{ status: 'streaming', messageId: 'p' }, undefined, 'ready'],
      [{ status: 'streaming', messageId: 'q' }, { state: 'done' }, 'ready'],
      [{ status: 'streaming', messageId: 'q' }, failed, 'error'],
      [{ status: 'error' }, undefined, 'error'],
    ];
    for (const [fields, outcome, status] of cases) {
      const turn = { ...makeTurn({ id: 'q' }, items), ...(outcome ? { outcome } : {}) };
      const thread = settled({ ...emptyThread('a'), turns: [turn], ...fields });
      const isRunning = status === 'streaming' || status === 'submitted';
      assert.equal(thread.status, status);
      assert.deepEqual(
        thread.turns[0]?.items.map(({ inProcess }) => inProcess),
        [false, isRunning],
      );
    }
    const foreign = { ...emptyThread('a'), messageId: '', turns: [{ id: '', items: [] }] };
    assert.equal(settled({ ...foreign, status: 'streaming' }).status, 'ready');
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { headOf, Merge, mergeHeads, metaOf } from '../../../../src/chat/history/merge.ts';
import { isThreadRecord, type Head, type ThreadRecord } from '../../../../src/chat/history/format/records.ts';
import { storedTurn } from '../../../../src/chat/history/format/storedTurns.ts';
import { emptyThread, type Thread, type TurnOutcome } from '../../../../src/shared/thread/model.ts';
import { makeTurn } from '../../../support/item.ts';
import { textItem } from './support/stores.ts';

const head = (fields: Partial<Thread>): Head => {
  const thread = { ...emptyThread('a'), ...fields };
  return headOf(thread, metaOf(thread, 0));
};

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
    const items = ['x', 'y', 'z', 'of another window'].map((id) => textItem(id));
    const own = items.slice(0, 3);
    const turn: ThreadRecord = { kind: 'turn', turn: storedTurn(makeTurn({ id: 'a' }, own), undefined) };
    const merge = new Merge();
    for (const record of [...items.toReversed().map((item) => ({ kind: 'message', turn: 'a', item }) as const), turn])
      merge.add(record, 1);
    assert.deepEqual(
      merge.result('a', 0).thread.turns[0]?.items.map(({ id }) => id),
      ['x', 'y', 'z', 'of another window'],
    );
  });

  it('counts the bytes of the newest version of each item', () => {
    const merge = new Merge();
    const message = (turn: string, id: string, updated: number): ThreadRecord => ({
      kind: 'message',
      turn,
      item: textItem(id, { updated }),
    });
    merge.add(message('a', 'x', 1), 100);
    merge.add(message('a', 'x', 3), 10);
    merge.add(message('a', 'x', 2), 1000);
    merge.add(message('b', 'y', 1), 7);
    assert.equal(merge.bytes, 17);
    merge.add({ kind: 'removed', turns: ['b', 'unknown'] }, 1);
    assert.equal(merge.bytes, 10);
  });

  it('keeps turns with missing or circular links', () => {
    assert.deepEqual(idsOf(stored('a'), stored('b', 'gone', 0)), ['b', 'a'], 'in the order of their times');
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

describe('the metadata of a thread', () => {
  const meta = { id: 'a', title: '', pinned: false, createdAt: 50, updatedAt: 50, origin: '', questions: 0 };
  const context = { branch: 'dev', isDefaultBranch: false, identity: 'ana' };
  const turn = makeTurn({ id: 'q', content: 'Why?', time: 7, context }, [textItem('x', { time: 8, updated: 9 })]);

  it('is derived from its turns', () => {
    const metaIn = (...turns: Thread['turns']) => metaOf({ ...emptyThread('a'), turns }, 50);
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
    assert.deepEqual(metaOf(thread, 50, before), { ...after, chatId: 'c' });
    const named = { named: true, readOnly: true, title: 'Mine' };
    assert.deepEqual(metaOf(thread, 50, { ...before, ...named }), { ...after, ...named, chatId: 'c' });
    assert.deepEqual(metaOf(emptyThread('a'), 50, { ...before, title: 'Mine' }), { ...before, title: 'Mine' });
  });
});

describe('a compacted file', () => {
  const kindsOf = (merge: Merge): unknown[] =>
    merge.compacted('a', 1).map((bytes) => {
      const value = JSON.parse(new TextDecoder().decode(bytes)) as { kind: string; queue?: unknown; draft?: unknown };
      return value.kind === 'queue' ? value.queue : value.kind === 'draft' ? value.draft : value.kind;
    });

  it('has everything once, between two heads, and records of later versions', () => {
    const merge = new Merge();
    const turn = storedTurn(makeTurn({ id: 'q' }, [textItem('x')]), undefined);
    for (const _ of [1, 2]) {
      merge.add({ kind: 'turn', turn }, 1);
      merge.add({ kind: 'message', turn: 'q', item: textItem('x') }, 1);
    }
    assert.deepEqual(kindsOf(merge), ['head', 'turn', 'message', 'head']);
    const queue = [{ id: 'w', text: 'Next?', images: [] }];
    const draft = { text: 'Hm', images: [] };
    merge.add({ kind: 'queue', queue }, 1);
    merge.add({ kind: 'draft', draft }, 1);
    merge.addOther({ kind: 'later' });
    assert.deepEqual(kindsOf(merge), ['head', queue, draft, 'turn', 'message', 'later', 'head']);
    assert.equal(merge.records, 7);
  });
});

describe('the state of a restored thread', () => {
  const opened = (fields: Partial<Thread>, outcome?: TurnOutcome): Thread => {
    const items = [textItem('x'), textItem('y', { inProcess: true })];
    const turn = { ...makeTurn({ id: 'q' }, items), ...(outcome ? { outcome } : {}) };
    const merge = new Merge();
    merge.add(head({ turns: [turn], ...fields }), 1);
    merge.add({ kind: 'turn', turn: storedTurn(turn, undefined) }, 1);
    for (const item of turn.items) merge.add({ kind: 'message', turn: 'q', item }, 1);
    return merge.result('a', 0).thread;
  };
  const stateOf = ({ status, turns }: Thread): unknown[] => [status, turns[0]?.items.map(({ inProcess }) => inProcess)];

  it('is running only if it has a question without an outcome to resume', () => {
    const error = { kind: 'server', message: 'No.', actions: [] };
    assert.deepEqual(stateOf(opened({ status: 'streaming', messageId: 'q' })), ['streaming', [false, true]]);
    assert.deepEqual(stateOf(opened({ status: 'submitted', messageId: 'q' })), ['submitted', [false, true]]);
    assert.deepEqual(stateOf(opened({ status: 'streaming' })), ['ready', [false, false]]);
    assert.deepEqual(stateOf(opened({ status: 'streaming', messageId: 'p' })), ['ready', [false, false]]);
    assert.deepEqual(stateOf(opened({ status: 'streaming', messageId: 'q' }, { state: 'done' })), [
      'ready',
      [false, false],
    ]);
    const failed = opened({ status: 'streaming', messageId: 'q' }, { state: 'failed', error });
    assert.deepEqual(stateOf(failed), ['error', [false, false]]);
    assert.deepEqual(stateOf(opened({ status: 'error' })), ['error', [false, false]]);
    const foreign = new Merge();
    foreign.add(head({ status: 'streaming', messageId: '' }), 1);
    foreign.add({ kind: 'turn', turn: { id: '', items: [] } }, 1);
    assert.equal(foreign.result('a', 0).thread.status, 'ready');
  });

  it('has the chat id of its state, or else that of its metadata', () => {
    assert.equal(opened({ chatId: 'c' }).chatId, 'c');
    const merge = new Merge();
    const { state, ...rest } = head({ chatId: 'c' });
    merge.add({ ...rest, state: { ...state, chatId: undefined } }, 1);
    assert.equal(merge.result('a', 0).thread.chatId, 'c');
  });

  it('has no items of a turn from before it was removed', () => {
    const merge = new Merge();
    const turn: ThreadRecord = { kind: 'turn', turn: storedTurn(makeTurn({ id: 'q' }), undefined) };
    merge.add(turn, 1);
    merge.add({ kind: 'message', turn: 'q', item: textItem('x') }, 1);
    merge.add({ kind: 'removed', turns: ['q'] }, 1);
    merge.add(turn, 1);
    assert.deepEqual(merge.result('a', 0).thread.turns[0]?.items, []);
  });
});

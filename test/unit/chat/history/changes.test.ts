/** What a change of a thread contains that the user typed, and must not be lost. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  isTyped,
  knownTurns,
  nothing,
  plan,
  type Change,
  type Known,
  type Plan,
} from '../../../../src/chat/history/changes.ts';
import { metaOf } from '../../../../src/chat/history/merge.ts';
import { emptyThread } from '../../../../src/shared/thread/model.ts';
import { makeTurn } from '../../../support/item.ts';
import { about, makeThread, textItem } from './support/stores.ts';

describe('a change', () => {
  const thread = makeThread('a', 1);
  const known = { ...nothing, turns: knownTurns(thread.turns) };

  it('contains user input if there is a draft of text or images', () => {
    const image = { mimeType: 'image/png', data: 'AAAA' };
    assert.ok(isTyped({ about, draft: { text: 'Why', images: [] } }, nothing));
    assert.ok(isTyped({ about, draft: { text: '', images: [image] } }, nothing));
    assert.ok(!isTyped({ about, draft: { text: '', images: [] } }, nothing));
  });

  it('contains user input if a question is not in the file, or waits to be sent', () => {
    const queued = { id: '9-message', text: 'Next?', images: [] };
    assert.ok(isTyped({ about, thread }, nothing));
    assert.ok(!isTyped({ about, thread }, known));
    assert.ok(isTyped({ about, thread: { ...thread, queue: [queued] } }, known));
    assert.ok(!isTyped({ about, thread: emptyThread('a') }, nothing));
    assert.ok(!isTyped({ about }, nothing));
  });
});

describe('the records of a change', () => {
  const items = [textItem('x', { exact: { content: true } }), textItem('y')];
  const first = makeTurn({ id: 'a', content: 'Why?', time: 5 }, items);
  const second = { ...makeTurn({ id: 'b', content: 'And?', time: 6 }), outcome: { state: 'done' } as const };
  const thread = { ...emptyThread('t'), turns: [first, second] };
  const known: Known = { turns: knownTurns(thread.turns), queue: thread.queue, title: 'Why?' };
  const planned = (change: Change, before = known, base?: Plan['head']): Plan =>
    plan('t', change, before, base, 100, (item) => ({ ...item, content: `[${item.content}]` }));
  const recordsOf = (...args: Parameters<typeof planned>): unknown[] => planned(...args).records;
  const message = (turn: string, id: string) => ({
    kind: 'message',
    turn,
    item: { ...textItem(id), content: `[text of ${id}]`, exact: undefined },
  });
  const record = (turn: typeof first, after: string | undefined, items: string[]) => ({
    kind: 'turn',
    turn: { ...turn, after, items },
  });

  it('are all turns and items of a new thread, without credentials', () => {
    const foreign = { id: '', items: [] };
    assert.deepEqual(recordsOf({ thread: { ...thread, turns: [foreign] } }, nothing), [record(foreign, undefined, [])]);
    assert.deepEqual(recordsOf({ thread }, nothing), [
      record(first, undefined, ['x', 'y']),
      message('a', 'x'),
      message('a', 'y'),
      record(second, 'a', []),
    ]);
  });

  it('are none for a known state, whichever objects hold it', () => {
    assert.deepEqual(recordsOf({ thread }), []);
    assert.deepEqual(recordsOf({ thread: { ...thread, queue: [], turns: [{ ...first }, { ...second }] } }), []);
    assert.deepEqual(recordsOf({}), []);
  });

  it('are the changed items, and the turn if anything else in it has changed', () => {
    const changed = (turn: object) => recordsOf({ thread: { ...thread, turns: [{ ...first, ...turn }, second] } });
    const other = textItem('y');
    assert.deepEqual(changed({ items: [items[0], other] }), [message('a', 'y')]);
    assert.deepEqual(changed({ items: [items[0], other, textItem('z')] }), [
      record(first, undefined, ['x', 'y', 'z']),
      message('a', 'y'),
      message('a', 'z'),
    ]);
    for (const part of [
      { question: { ...first.question } },
      { outcome: { state: 'done' } },
      { usage: {} },
      { items: items.toReversed() },
      { items: [items[0]] },
    ]) {
      const turn = { ...first, ...part } as typeof first;
      assert.deepEqual(changed(part), [
        record(
          turn,
          undefined,
          turn.items.map(({ id }) => id),
        ),
      ]);
    }
  });

  it('are the new order and the removed turns', () => {
    assert.deepEqual(recordsOf({ thread: { ...thread, turns: [second] } }), [
      { kind: 'order', turn: 'b', after: undefined },
      { kind: 'removed', turns: ['a'] },
    ]);
    const between = makeTurn({ id: 'c' });
    assert.deepEqual(recordsOf({ thread: { ...thread, turns: [first, between, second] } }), [
      record(between, 'a', []),
      { kind: 'order', turn: 'b', after: 'c' },
    ]);
  });

  it('are the queue and the draft, also if they became empty', () => {
    const queue = [{ id: 'w', text: 'Next?', images: [] }];
    const draft = { text: '', images: [] };
    assert.deepEqual(recordsOf({ thread: { ...thread, queue }, draft }), [
      { kind: 'queue', queue },
      { kind: 'draft', draft },
    ]);
    assert.deepEqual(recordsOf({ thread }, { ...known, queue }), [{ kind: 'queue', queue: [] }]);
  });

  it('are followed by the head, whose title changes only if the session renamed the thread', () => {
    const { head } = planned({ thread });
    const metaIn = (about: object, before = known) =>
      planned({ about: { origin: 'o', ...about } }, before, head).head.meta;
    const kept = { ...head.meta, origin: 'o' };
    assert.equal(head.meta.title, 'Why?');
    assert.deepEqual(metaIn({}), kept);
    assert.deepEqual(metaIn({ title: 'Why?' }), kept);
    assert.deepEqual(metaIn({ title: '' }), kept);
    assert.deepEqual(metaIn({ title: 'Why?' }, { ...known, title: 'Old' }), kept, 'the title of the file');
    assert.deepEqual(metaIn({ title: 'Old' }, { ...known, title: 'Old' }), kept, 'renamed by another window');
    assert.deepEqual(metaIn({ title: 'New', connection: 'c', readOnly: true }), {
      ...kept,
      ...{ connection: 'c', readOnly: true, title: 'New', named: true },
    });
    assert.equal(planned({ about: { origin: 'o', title: 'New' } }).known.title, 'New');
    assert.equal(planned({ about: { origin: 'o' } }).known.title, 'Why?');
    assert.deepEqual(planned({}).head.meta, { ...metaOf(emptyThread('t'), 100) });
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ToWebview, ViewContext } from '../../../../src/shared/protocol/chat.ts';
import { emptyThread, type ThreadEvent } from '../../../../src/shared/thread/model.ts';
import { advance, type Replica } from '../../../../webview/app/replica.ts';

const replica: Replica = { seq: 4, thread: emptyThread('t'), viewContext: {} as ViewContext, loaded: new Map() };
const named: ThreadEvent = { type: 'named', chatId: 'c1' };
const events = (seq: number): ToWebview => ({ type: 'events', seq, events: [named] });

describe('a replica', () => {
  it('applies the next batch of events', () => {
    const next = advance(replica, events(5));
    assert.ok(next !== undefined && next !== 'gap');
    assert.deepEqual([next.seq, next.thread.chatId], [5, 'c1']);
  });

  it('reports a gap if a batch is missing or comes twice', () => {
    for (const seq of [3, 4, 6]) assert.equal(advance(replica, events(seq)), 'gap');
    assert.equal(advance(undefined, events(1)), undefined, 'a page without a snapshot waits for it');
  });

  it('keeps loaded rows if a snapshot has the same thread, and drops them with it', () => {
    const loaded = new Map([['q', { rows: [[1]], state: 'done' as const }]]);
    const of = (id: string): ToWebview => ({
      ...{ type: 'snapshot', seq: 9, thread: emptyThread(id), viewContext: {} as ViewContext, l10n: {} },
      draft: { text: '', images: [] },
    });
    Reflect.set(globalThis, 'document', { documentElement: { lang: 'en' } });
    const after = (message: ToWebview): unknown => {
      const next = advance({ ...replica, loaded }, message);
      return next !== undefined && next !== 'gap' && [next.seq, next.thread.id, next.loaded.size];
    };
    assert.deepEqual(after(of('t')), [9, 't', 1]);
    assert.deepEqual(after(of('u')), [9, 'u', 0]);
    Reflect.deleteProperty(globalThis, 'document');
  });

  it('extends loaded rows, starts them again from the first, and ignores the rest of another load', () => {
    const rows = (from: number, ...values: number[]): ToWebview => ({
      type: 'rows',
      toolCallId: 'q',
      from,
      rows: values.map((value) => [value]),
      state: 'loading',
    });
    const after = (...messages: ToWebview[]): unknown => {
      let at: Replica = replica;
      for (const message of messages) {
        const next = advance(at, message);
        assert.ok(next !== undefined && next !== 'gap');
        at = next;
      }
      return at.loaded.get('q')?.rows.flat();
    };
    assert.deepEqual(after(rows(0, 1, 2), rows(2, 3)), [1, 2, 3]);
    assert.deepEqual(after(rows(0, 1, 2), rows(0, 9)), [9]);
    assert.deepEqual(after(rows(0, 1, 2), rows(1, 9)), [1, 2]);
    assert.equal(after(rows(5, 9)), undefined);
    const ended = (state: 'stopped' | 'done'): ToWebview => ({
      type: 'rows',
      toolCallId: 'q',
      from: 0,
      rows: [],
      state,
    });
    assert.equal(after(ended('stopped')), undefined, 'a load that failed leaves the rows of the answer');
    assert.deepEqual(after(rows(0, 1, 2), ended('stopped')), [1, 2]);
    assert.deepEqual(after(ended('done')), []);
  });
});

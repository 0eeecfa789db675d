/** Rows of the history list: keyboard navigation and search matches. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ThreadEntry, ThreadsPart } from '../../../../src/shared/protocol/threads.ts';
import { foundIn, inHeldOrder, nextRow, pieces, soughtIn } from '../../../../webview/history/rows.ts';

const ids = Array.from({ length: 25 }, (_, index) => `t${index}`);

const state = { pinned: false, running: false, unread: false };
const entry: ThreadEntry = { id: 't', title: 'Orders', time: 0, where: '', marks: [], ...state };

describe('The rows of the list', () => {
  it('are navigated by keyboard, from the search field and back to it', () => {
    assert.equal(nextRow(ids, undefined, 'ArrowDown'), 't0');
    assert.equal(nextRow(ids, 't0', 'ArrowUp'), '');
    assert.equal(nextRow(ids, 't3', 'ArrowUp'), 't2');
    assert.equal(nextRow(ids, 't24', 'ArrowDown'), 't24');
    assert.equal(nextRow(ids, 't3', 'PageDown'), 't13');
    assert.equal(nextRow(ids, 't3', 'PageUp'), 't0');
    assert.equal(nextRow(ids, 't3', 'End'), 't24');
    assert.equal(nextRow(ids, 't3', 'Home'), 't0');
  });

  it('leave text editing keys to the search field', () => {
    for (const key of ['Home', 'End', 'ArrowUp', 'a']) assert.equal(nextRow(ids, undefined, key), undefined);
    assert.equal(nextRow([], undefined, 'ArrowDown'), undefined);
  });

  it('stay where they are while the pointer is on them, with new ones below and without those that are gone', () => {
    const order = (listed: string, held?: string): string =>
      inHeldOrder(
        listed.split(' ').map((id) => ({ id })),
        held?.split(' '),
      )
        .map(({ id }) => id)
        .join(' ');
    assert.equal(order('c a b'), 'c a b');
    assert.equal(order('c a b', 'a b c'), 'a b c');
    assert.equal(order('c e a d b', 'a b c'), 'a b c e d');
    assert.equal(order('c a', 'a b c'), 'a c');
  });

  it('show all text with its marks', () => {
    const found = pieces('orders by month', [
      [0, 6],
      [10, 15],
    ]);
    assert.equal(found.map(({ text }) => text).join(''), 'orders by month');
    assert.deepEqual(
      found.filter(({ marked }) => marked).map(({ text }) => text),
      ['orders', 'month'],
    );
  });

  it('link to the match in the thread, unless it is in the title', () => {
    const found: ThreadEntry = {
      ...entry,
      snippet: {
        text: '…most of the Returns came in May…',
        marks: [
          [13, 20],
          [29, 32],
        ],
      },
    };
    assert.equal(soughtIn(found, ' returns CAME '), 'returns CAME');
    assert.equal(soughtIn(found, 'may returns'), 'Returns');
    const { snippet: _, ...byTitle } = found;
    assert.equal(soughtIn(byTitle, 'orders'), undefined);
  });

  it('announce the number of matches after the search, or once as many are shown', () => {
    const part = (found: number, busy: boolean): ThreadsPart => {
      const entries = Array.from({ length: found }, (): ThreadEntry => entry);
      return { query: 'orders', from: 0, entries, total: found + Number(busy), busy };
    };
    const told = [part(0, true), part(2, true), part(0, false), part(1, false), part(2, false), part(60, true)];
    assert.deepEqual(
      told.map((each) => foundIn(each, 60)),
      ['', '', 'No chats found.', '1 chat found', '2 chats found', '60+ chats found'],
    );
  });
});

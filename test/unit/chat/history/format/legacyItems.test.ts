/** How the flat items of version 1 become turns. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { legacyTurns, type LegacyItem } from '../../../../../src/chat/history/format/legacyItems.ts';
import { textItem } from '../support/stores.ts';

const context = { branch: 'main', isDefaultBranch: true, identity: 'dev' };
const asked = (id: string, time: number, fields: Partial<LegacyItem> = {}): LegacyItem => ({
  ...textItem(id, { time, sort: 0 }),
  role: 'user',
  run: 1,
  stamp: context,
  ...fields,
});
const said = (id: string, time: number, fields: Partial<LegacyItem> = {}): LegacyItem => ({
  ...textItem(id, { time }),
  role: 'assistant',
  run: 1,
  ...fields,
});
const idsOf = (...items: LegacyItem[]): string[] =>
  legacyTurns(items).map(({ id, items }) => [`${id}:`, ...items.map((item) => item.id)].join(' '));

describe('the turns of a file of version 1', () => {
  it('have the fields of their question, and its items without those', () => {
    const images = [{ mimeType: 'image/png', data: '' }];
    const outcome = { state: 'done' } as const;
    const usage = { totalTokens: 1 };
    const answer = textItem('a', { time: 2 });
    assert.deepEqual(legacyTurns([asked('q', 1, { images, echo: 'e', outcome, usage }), said('a', 2)]), [
      {
        id: 'q',
        question: { id: 'q', content: 'text of q', time: 1, images, context, echo: 'e' },
        items: [answer],
        outcome,
        usage,
      },
    ]);
    const { stamp: _, ...foreign } = asked('q', 1);
    assert.deepEqual(legacyTurns([foreign]), [
      { id: 'q', question: { id: 'q', content: 'text of q', time: 1 }, items: [] },
    ]);
  });

  it('are ordered by the run, then by the position in it; items without a question come first', () => {
    const items = [
      said('b', 1, { sort: 2 }),
      said('a', 2),
      asked('q', 3),
      asked('p', 9, { run: 2 }),
      said('c', 1, { run: 2 }),
    ];
    assert.deepEqual(idsOf(...items.toReversed()), ['q: a b', 'p: c']);
    assert.deepEqual(idsOf(said('x', 5), asked('q', 1, { run: 2 })), [': x', 'q:']);
  });

  it('are those of each window if two windows used the same run', () => {
    const items = [
      ...[asked('late', 20), said('l', 25), said('at', 20)],
      ...[asked('early', 10), said('e', 15), said('before', 5), said('other', 12, { stamp: undefined })],
    ];
    assert.deepEqual(idsOf(...items), ['early: e before other', 'late: l at']);
    const { stamp: _, ...foreign } = asked('foreign', 12, { sort: 3 });
    assert.deepEqual(idsOf(...items, foreign), ['early: e before other', 'foreign:', 'late: l at']);
  });

  it('have ids without the number of a run, unless the turn or thread has that id already', () => {
    const runs = [said('x', 1), said('x of run 2', 2), said('y of run 2 of run -1.5e+7', 3)];
    assert.deepEqual(idsOf(...runs), [': x x of run 2 y']);
    const named = ['3', '12345678', 'a of run b', 'of run 3'].map((id, at) => said(id, at));
    assert.deepEqual(idsOf(...named), [': 3 12345678 a of run b of run 3']);
    const again = [asked('q', 1), asked('q of run 2', 2, { run: 2 }), asked('p of run 3', 3, { run: 3 })];
    assert.deepEqual(idsOf(...again), ['q:', 'q of run 2:', 'p:']);
  });
});

/** What a thread keeps of a turn when a response brings it again. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { mergeTurns } from '../../../../src/shared/thread/merge.ts';
import type { Item, Turn } from '../../../../src/shared/thread/model.ts';
import { makeItem, makeTurn } from '../../../support/item.ts';

const context = { branch: 'main', isDefaultBranch: true, identity: 'dev' };
const merged = (held: Turn[], ...turns: Turn[]): readonly Turn[] => mergeTurns(held, { turns, marked: true });
const turnOf = (id: string, ...items: Turn['items']): Turn => makeTurn({ id, content: id }, [...items]);

describe('merging a response into a thread', () => {
  it('puts a new turn before the known turn that follows it', () => {
    const held = [turnOf('a'), turnOf('b')];
    assert.deepEqual(
      merged(held, turnOf('new'), turnOf('b')).map(({ id }) => id),
      ['a', 'new', 'b'],
    );
  });

  it('puts a new turn before the running question, whose lines may still follow', () => {
    const asked = { id: 'b', content: 'b' };
    assert.deepEqual(
      mergeTurns([turnOf('a'), turnOf('b')], { asked, turns: [turnOf('new')], marked: false }).map(({ id }) => id),
      ['a', 'new', 'b'],
    );
  });

  it('keeps the branch and identity of a question that the service repeats', () => {
    const asked = makeTurn({ id: 'q', content: 'Why?', context });
    const [turn] = merged([asked], turnOf('q', makeItem('x', { content: 'So.' })));
    assert.deepEqual([turn?.question?.context, turn?.question?.content, turn?.items.length], [context, 'Why?', 1]);
  });

  it('takes the path of an item from its latest version that has one', () => {
    const pathAfter = (graphPath: string[]): unknown => {
      const held = turnOf('q', makeItem('x', { content: 'A', graphPath: ['agent'] }));
      return merged([held], turnOf('q', makeItem('x', { content: 'All.', graphPath })))[0]?.items[0]?.graphPath;
    };
    assert.deepEqual([pathAfter([]), pathAfter(['agent', 'final'])], [['agent'], ['agent', 'final']]);
  });
});

describe('an item in a response', () => {
  const call = { name: 'svcSqlApi', input: '{}' };
  const done = { ...call, result: '{}' };
  const exact = { content: true };
  const versions: [what: string, held: Partial<Item>, said: Partial<Item>, changes: Partial<Item> | 'none'][] = [
    ['the same', { content: 'Up', updated: 1 }, { content: 'Up', updated: 2 }, 'none'],
    ['its beginning', { content: 'Up 12' }, { content: 'Up' }, 'none'],
    ['more of it', { content: 'Up' }, { content: 'Up 12' }, { content: 'Up 12' }],
    ['its continuation', { content: 'Up' }, { content: ' 12' }, { content: 'Up 12' }],
    ['its final text', { content: 'Up 12' }, { content: 'Up', exact }, { content: 'Up' }],
    ['its whole text so far', { content: 'Up 12' }, { content: 'Up', exact, inProcess: true }, 'none'],
    ['another text', { content: 'Up' }, { content: 'No', exact, inProcess: true }, { content: 'No', inProcess: true }],
    ['more thinking', { content: 'Up', thinking: 'H' }, { content: 'Up', thinking: 'Hm' }, { thinking: 'Hm' }],
    ['its end', { content: 'Up', inProcess: true }, { content: 'Up' }, { inProcess: false }],
    [
      'more of it, unfinished',
      { content: 'U' },
      { content: 'Up', inProcess: true },
      { content: 'Up', inProcess: true },
    ],
    ['unfinished as before', { content: 'Up', inProcess: true }, { content: 'Up', inProcess: true }, 'none'],
    ['its result at last', { toolCall: call }, { toolCall: done }, { toolCall: done }],
    ['the same call', { toolCall: done }, { toolCall: { ...done }, inProcess: true }, 'none'],
    ['its result', { toolCall: call, inProcess: true }, { toolCall: done }, { toolCall: done, inProcess: false }],
    [
      'its result early',
      { toolCall: call, inProcess: true },
      { toolCall: done, inProcess: true },
      { toolCall: done, inProcess: false },
    ],
    [
      'a text without its call',
      { toolCall: done, content: 'U' },
      { content: 'Up', inProcess: true },
      { content: 'Up' },
    ],
    ['a part that is known', { content: 'Up', partial: true }, { content: 'Up' }, 'none'],
    ['its whole text', { content: 'Up', partial: true }, { content: 'Up', exact }, { partial: false }],
    ['more of a part', { content: 'U', partial: true }, { content: 'Up' }, { content: 'Up', partial: true }],
    [
      'more of a part, unfinished',
      { content: 'U', partial: true },
      { content: 'Up', inProcess: true },
      { content: 'Up', inProcess: true },
    ],
    [
      'a text at the limit',
      { content: 'x'.repeat(2 ** 24 - 1) },
      { content: 'y' },
      { content: `${'x'.repeat(2 ** 24 - 1)}y` },
    ],
    ['a text beyond the limit', { content: 'x'.repeat(2 ** 24) }, { content: 'y' }, 'none'],
  ];
  for (const [what, fields, said, changes] of versions)
    it(`changes the known item only where it differs: ${what}`, () => {
      const item = makeItem('x', fields);
      const held = [turnOf('q', item)];
      const turns = merged(held, turnOf('q', makeItem('x', said)));
      if (changes === 'none') assert.equal(turns, held);
      else assert.deepEqual(turns[0]?.items, [{ ...item, partial: false, updated: said.updated ?? 0, ...changes }]);
    });

  it('has the time of its last change', () => {
    const updated = (before: number, after: number): number | undefined =>
      merged(
        [turnOf('q', makeItem('x', { content: 'U', updated: before }))],
        turnOf('q', makeItem('x', { content: 'Up', updated: after })),
      )[0]?.items[0]?.updated;
    assert.deepEqual([updated(1, 2), updated(2, 1)], [2, 2]);
  });

  it('leaves the other texts of a replay as they are if one of them was corrected', () => {
    const held = [turnOf('q', makeItem('x', { content: 'Up' }), makeItem('y', { content: 'By 12' }))];
    const said = [makeItem('x', { content: 'Down', exact }), makeItem('y', { content: 'By', inProcess: true })];
    assert.deepEqual(
      merged(held, turnOf('q', ...said))[0]?.items.map(({ content }) => content),
      ['Down', 'By 12'],
    );
  });

  it('continues every known item if it contradicts one of them, but not if an item is missing', () => {
    const held = [turnOf('q', makeItem('x', { content: 'A' }), makeItem('y', { content: 'Up 12' }))];
    const texts = (...items: Item[]): unknown =>
      merged(held, turnOf('q', ...items))[0]?.items.map(({ content }) => content);
    assert.deepEqual(texts(makeItem('x', { content: 'A' }), makeItem('y', { content: ' %' })), ['AA', 'Up 12 %']);
    assert.deepEqual(texts(makeItem('y', { content: 'Up' }), makeItem('z', { content: 'C', sort: 2 })), [
      'A',
      'Up 12',
      'C',
    ]);
  });
});

describe('a turn in a response', () => {
  it('adds its usage and the id of its echo, and keeps those that are known', () => {
    const held = turnOf('q', makeItem('x', { content: 'Up' }));
    const usage = { totalTokens: 7 };
    const again = turnOf('q', makeItem('x', { content: 'Up' }));
    const used = merged([held], { ...again, usage });
    assert.deepEqual(used, [{ ...held, usage }]);
    assert.equal(merged(used as Turn[], again), used);
    const echoed = merged([held], { ...again, question: { ...again.question!, echo: 'srv' } });
    assert.deepEqual(echoed, [{ ...held, question: { ...held.question, echo: 'srv' } }]);
    assert.equal(merged(echoed as Turn[], again), echoed);
    const more = merged(echoed as Turn[], turnOf('q', makeItem('y')));
    assert.equal(more[0]?.question?.echo, 'srv');
    const unasked = { id: 'q', items: [] };
    assert.deepEqual(merged([unasked], again), [{ ...unasked, question: again.question, items: again.items }]);
    assert.deepEqual(merged([unasked], { id: 'q', items: again.items }), [{ ...unasked, items: again.items }]);
  });

  it('is merged anew into another state of the thread', () => {
    const said = turnOf('q', makeItem('x', { content: 'Up' }));
    const contentAfter = (content: string): unknown =>
      merged([turnOf('q', makeItem('x', { content }))], said)[0]?.items[0]?.content;
    assert.deepEqual(['U', 'Up 12', ''].map(contentAfter), ['Up', 'Up 12', 'Up']);
  });
});

/** What a thread keeps of a turn when a response brings it again. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { mergeTurns } from '../../../../src/shared/thread/merge.ts';
import type { Turn } from '../../../../src/shared/thread/model.ts';
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

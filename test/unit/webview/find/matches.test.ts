/** Finding text in a thread, and going from match to match. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import type { Item } from '../../../../src/shared/thread/model.ts';
import { emptyThread } from '../../../../src/shared/thread/model.ts';
import { shownTurns } from '../../../../src/shared/thread/turns.ts';
import {
  findIn,
  nearest,
  matchNumber,
  patternFor,
  placeAt,
  readTexts,
  totalOf,
} from '../../../../webview/find/matches.ts';
import { foldedItems } from '../../../../webview/find/parts.ts';
import { visibleText } from '../../../../webview/markdown/parser.ts';
import { makeItem, makeTurn } from '../../../support/item.ts';

const item = (id: string, content: string, more: Partial<Item> = {}): Item =>
  makeItem(id, { content, graphPath: ['final'], ...more });
const sql = JSON.stringify({ sqlQuery: 'SELECT red\nFROM colours', queryTitle: 'Red ones' });
const turns = shownTurns({
  ...emptyThread('t'),
  turns: [
    makeTurn({ id: 'q1', content: 'Which are *red*?' }, [
      item('r1', 'I look for *red*.', { graphPath: [], thinking: 'Red, or **red**dish' }),
      item('s1', '', { graphPath: [], toolCall: { name: 'svcSqlApi', input: sql, result: sql } }),
      item('a1', 'All of them are r**e**d.'),
    ]),
    makeTurn({ id: 'q2', content: 'And blue?' }, [item('a2', 'None, all are red.')]),
  ],
});
const find = (query: string, show: 'collapsed' | 'hidden' = 'collapsed') => {
  const pattern = patternFor(query);
  return pattern ? findIn(turns, pattern, show) : [];
};

describe('Finding in a thread', () => {
  before(() => assert.equal(readTexts(turns, Infinity), true));

  it('reads a long thread in parts, from its end, and finds what it has read', () => {
    const many = shownTurns({
      ...emptyThread('many'),
      turns: Array.from({ length: 9 }, (_, index) => makeTurn({ id: `m${index}`, content: 'red' })),
    });
    const pattern = patternFor('red') as RegExp;
    assert.equal(readTexts(many, -Infinity), false);
    assert.equal(totalOf(findIn(many, pattern, 'collapsed')), 0);
    assert.equal(readTexts(many.slice(-2), Infinity), true);
    assert.deepEqual(
      findIn(many, pattern, 'collapsed').map(({ turn }) => turn),
      [7, 8],
    );
    assert.equal(readTexts(many, Infinity), true);
    assert.equal(totalOf(findIn(many, pattern, 'collapsed')), 9, 'the rest, too');
  });

  it('searches everything that is shown, in display order', () => {
    assert.deepEqual(
      find('red').map(({ turn, key, count }) => [turn, key, count]),
      [
        [0, 'question q1', 1],
        [0, 'thinking r1', 2],
        [0, 'message r1', 1],
        [0, 'title s1', 1],
        [0, 'sql s1', 1],
        [0, 'answer a1', 1],
        [1, 'answer a2', 1],
      ],
    );
  });

  it('has the reasoning of the answer after that of the steps', () => {
    const items = [
      item('step', '', { graphPath: [], thinking: 'First.' }),
      item('answer', 'So.', { thinking: 'Last.' }),
    ];
    const [turn] = shownTurns({ ...emptyThread('t'), turns: [makeTurn({ id: 'q' }, items)] });
    assert.deepEqual(
      foldedItems(turn!).map(({ id }) => id),
      ['step', 'answer'],
    );
  });

  it('ignores hidden reasoning', () => {
    assert.equal(totalOf(find('red')), 8);
    assert.equal(totalOf(find('red', 'hidden')), 6);
  });

  it('takes the query literally, ignoring case and white space', () => {
    assert.equal(totalOf(find('ALL   are')), 1);
    assert.equal(totalOf(find('red.')), 3);
    assert.equal(totalOf(find('red ones')), 1, 'the title and the SQL of a query are different texts');
    assert.equal(totalOf(find('r.d')), 0);
    assert.equal(totalOf(find('*red*?')), 1, 'a question is shown as it was typed');
    assert.equal(totalOf(find('red from')), 0, 'not over the lines of SQL');
    assert.equal(totalOf(find('  ')), 0);
  });

  it('visits all matches and wraps around at the ends', () => {
    const found = find('red');
    const all = Array.from({ length: 8 }, (_, index) => placeAt(found, index + 1));
    assert.deepEqual(
      all.map((place) => matchNumber(found, place)),
      [1, 2, 3, 4, 5, 6, 7, 8],
    );
    assert.deepEqual(placeAt(found, 9), all[0]);
    assert.deepEqual(placeAt(found, 0), all[7]);
    assert.equal(placeAt([], 1), undefined);
    assert.equal(matchNumber(found, { key: 'answer a1', index: 1 }), 0);
  });

  it('starts at the visible part, or else at the last match before it', () => {
    assert.deepEqual(nearest(find('red'), 1), { key: 'answer a2', index: 0 });
    assert.deepEqual(nearest(find('which'), 1), { key: 'question q1', index: 0 });
  });

  it('reads Markdown as it is displayed', () => {
    assert.equal(visibleText('a **b**\nc `d`').trim(), 'a b c d');
    assert.match(visibleText('| x | y |\n|---|---|\n| 1 | 2 |'), /x\n+y\n+1\n+2/);
    assert.match(visibleText('see [the guide](https://a.b), a&amp;b, 1\\_2'), /see the guide, a&b, 1_2/);
    assert.match(visibleText('```sql\nSELECT 1\n```\n![alt](https://a.b/c.png)'), /SELECT 1\n+alt/);
  });
});

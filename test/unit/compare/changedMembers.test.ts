/** The members of the data model that answers use, and whose definitions differ. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { changedMembers } from '../../../src/compare/changedMembers.ts';
import { emptyThread, type Thread } from '../../../src/shared/thread/model.ts';
import { makeItem, makeTurn, withItems } from '../../support/item.ts';

const semantic = 'SELECT MEASURE(sales.revenue) FROM sales';
const net = { title: 'Net revenue', description: 'After refunds.' };
const member = (name: string, fields: object = {}): object => ({
  ...{ name, title: 'Revenue', description: 'Before refunds.', type: 'number', aggType: 'sum', ...fields },
});
const call = (name: string, result: object) =>
  makeItem(name, { toolCall: { name, input: '{}', result: JSON.stringify(result) } });

/** An answer whose query is beside other steps: a text, and a failed search. */
const answer = (sql: string, ...members: readonly object[]): Thread => ({
  ...emptyThread('thread'),
  turns: [
    makeTurn({ id: 'question' }, [
      makeItem('text', { content: 'Let me look.' }),
      { ...call('svcMeta', { error: 'no model' }), id: 'failed' },
      call('svcMeta', { searchQuery: '', cubes: [{ name: 'sales', type: 'view', title: 'Sales', members }] }),
      call('svcSqlApi', { sqlQuery: sql, schema: [{ name: 'n' }], data: [] }),
    ]),
  ],
});

describe('Definitions of several answers', () => {
  it('are shown if a member in a query has another meaning', () => {
    const [left, right] = [{}, net].map((fields) =>
      answer(semantic, member('sales.revenue', fields), member('sales.units'), member('sales.cost', fields)),
    );
    assert.deepEqual(
      changedMembers([left, right]).map(({ name, definitions: [before, after] }) => [
        name,
        before?.title,
        after?.title,
      ]),
      [['sales.revenue', 'Revenue', 'Net revenue']],
    );
    for (const fields of [{ title: 'Net' }, { description: 'Net' }, { type: 'string' }, { aggType: 'avg' }])
      assert.equal(changedMembers([left, answer(semantic, member('sales.revenue', fields))]).length, 1);
  });

  it('are marked where they differ from the first one', () => {
    const [first, other] = [{}, net].map((fields) => answer(semantic, member('sales.revenue', fields)));
    assert.deepEqual(changedMembers([undefined, first, other, first])[0]?.isChanged, [false, false, true, false]);
  });

  it('are shown if a query of any answer uses the member, by the whole words of its name', () => {
    const other = 'SELECT revenues FROM sales';
    for (const [name, left, right, count] of [
      ['sales.revenue', 'SELECT REVENUE FROM Sales', other, 1],
      ['sales.revenue', other, 'SELECT REVENUE FROM Sales', 1],
      ['sales.revenue', other, other, 0],
      ['Sales.Revenue', 'SELECT revenue FROM sales', other, 1],
      ['sales.revenue_2024', 'SELECT revenue_2024 FROM sales', other, 1],
      ['sales.größe', 'SELECT größe FROM sales', other, 1],
    ] as const) {
      const answers = [answer(left, member(name)), answer(right, member(name, net))];
      assert.equal(changedMembers(answers).length, count, `${name}: ${left}`);
    }
  });

  it('are those of the last question, and not of members that one search did not include', () => {
    const [left, right] = [{}, net].map((fields) => answer(semantic, member('sales.revenue', fields)));
    const [before, after] = [left!, right!].map((each) => ({
      ...each,
      turns: [...each.turns, makeTurn({ id: 'next' })],
    }));
    assert.deepEqual(changedMembers([before, after]), []);
    assert.deepEqual(changedMembers([left, answer(semantic)]), []);
    assert.deepEqual(changedMembers([emptyThread('left'), withItems(emptyThread('right'))]), []);
  });
});

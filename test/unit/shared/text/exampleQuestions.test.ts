import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { exampleQuestions } from '../../../../src/shared/text/followUps.ts';
import type { ModelDefinition, ModelMember } from '../../../../src/shared/wire/toolPayloads.ts';

const member = (name: string, title: string, type: string, aggType?: string): ModelMember => ({
  name,
  title,
  description: '',
  type,
  ...(aggType === undefined ? {} : { aggType }),
});
const view = (name: string, ...members: ModelMember[]): ModelDefinition => ({ name, type: 'view', title: '', members });

const sales = view(
  'sales',
  member('sales.first_brand', 'First brand', 'string', 'min'),
  member('sales.order_id', 'Order', 'string'),
  member('sales.count', 'Number of orders', 'number', 'count'),
  member('sales.revenue', 'Revenue', 'number', 'sum'),
  member('sales.ordered_at', 'Ordered at', 'time'),
  member('sales.region', 'Region', 'string'),
  member('sales.channel', '', 'string'),
  member('sales.brand', 'Brand', 'string'),
);

describe('example questions', () => {
  it('use the known model: sums first, by month, then by its dimensions', () => {
    assert.deepEqual(exampleQuestions([sales]), ['revenue by month', 'revenue by region', 'first brand by channel']);
    const members = sales.members.filter(({ type }) => type !== 'time');
    const last = member('sales.last_order', 'Last order', 'time', 'max');
    assert.deepEqual(exampleQuestions([view('sales', ...members, last)]), [
      'revenue by region',
      'first brand by channel',
      'revenue by brand',
    ]);
  });

  it('use the definition with the most known members', () => {
    const small = view('returns', member('returns.count', 'Returns', 'number', 'count'));
    const places = view('places', ...Array.from({ length: 20 }, (_, at) => member(`places.p${at}`, '', 'string')));
    assert.equal(exampleQuestions([small, sales, places])[0], 'revenue by month');
  });

  it('use the only measure, and never an identifier', () => {
    const questions = exampleQuestions([
      view(
        'returns',
        member('returns.count', 'Returns', 'number', 'count'),
        member('returns.return_id', 'Return', 'string'),
        member('returns.reason', 'Reason', 'string'),
        member('returns.region', 'Region', 'string'),
        member('returns.idea', 'Idea', 'string'),
      ),
    ]);
    assert.deepEqual(questions, ['returns by reason', 'returns by region', 'returns by idea']);
  });

  it('are completed with other measures and other definitions while few members are known', () => {
    const orders = view(
      'orders',
      member('orders.count', 'Orders', 'number', 'count'),
      member('orders.revenue', 'Revenue', 'number', 'sum'),
      member('orders.created_at', 'Created at', 'time'),
    );
    const returns = view(
      'returns',
      member('returns.count', 'Returns', 'number', 'count'),
      member('returns.reason', 'Reason', 'string'),
    );
    assert.deepEqual(exampleQuestions([returns, orders]), ['revenue by month', 'orders by month', 'returns by reason']);
  });

  it('are empty while no measure is known', () => {
    assert.deepEqual(exampleQuestions([]), []);
    assert.deepEqual(exampleQuestions([view('places', member('places.city', 'City', 'string'))]), []);
  });
});

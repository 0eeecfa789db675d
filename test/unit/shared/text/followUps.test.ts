import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { followUps } from '../../../../src/shared/text/followUps.ts';
import type { ShownTurn } from '../../../../src/shared/thread/turns.ts';
import { makeItem } from '../../../support/item.ts';

const member = (name: string, title: string, type: string, aggType?: string): object => ({
  ...{ name: `sales.${name}`, title, type },
  ...(aggType === undefined ? {} : { aggType }),
});
const members = [
  member('ordered_at', 'Ordered at', 'time'),
  member('first_brand', 'First brand', 'string', 'min'),
  member('revenue', 'Revenue', 'number', 'sum'),
  member('count', 'Number of orders', 'number', 'count'),
  member('customer_id', 'Customer ID', 'string'),
  member('region', 'Region', 'string'),
  member('channel', '', 'string'),
  member('vat', 'VAT rate', 'string'),
  member('brand', 'Brand', 'string'),
];
const search = makeItem('m', { toolCall: { name: 'svcMeta', result: { cubes: [{ name: 'sales', members }] } } });
const query = (sqlQuery: string, result: object = { data: [[1]] }) =>
  makeItem('q', { toolCall: { name: 'svcSqlApi', input: { sqlQuery }, result } });
const suggested = (...steps: ReturnType<typeof query>[]): string[] => followUps({ steps } as unknown as ShownTurn);

describe('follow-up questions', () => {
  it('ask for the measure of the last query by other dimensions, never by an identifier', () => {
    assert.deepEqual(suggested(search, query('SELECT MEASURE(sales.revenue) FROM sales')), [
      'revenue by region',
      'revenue by channel',
      'revenue by VAT rate',
    ]);
    assert.deepEqual(suggested(search, query('SELECT 1'), query('SELECT sales.REGION, MEASURE(sales.count)')), [
      'number of orders by channel',
      'number of orders by VAT rate',
      'number of orders by brand',
    ]);
  });

  it('ask for the next coarser period first, or a finer one than years', () => {
    const first = (grain: string): string | undefined =>
      suggested(search, query(`SELECT DATE_TRUNC( '${grain}', sales.ordered_at), MEASURE(sales.revenue)`))[0];
    assert.deepEqual(
      ['day', 'week', 'MONTH', 'quarter', 'year', 'century'].map(first),
      ['week', 'month', 'quarter', 'year', 'quarter', 'region'].map((grain) => `revenue by ${grain}`),
    );
    const [monthly] = suggested(search, query("SELECT DATE_TRUNC('month', sales.ordered_at), MEASURE(sales.revenue)"));
    assert.equal(monthly, 'revenue by quarter');
  });

  it('are not suggested without a result, a known measure or a search', () => {
    assert.deepEqual(suggested(search), []);
    assert.deepEqual(suggested(search, query('SELECT MEASURE(sales.revenue)', { error: 'failed' })), []);
    assert.deepEqual(suggested(search, query('SELECT MEASURE(sales.revenues)')), []);
    assert.deepEqual(suggested(query('SELECT MEASURE(sales.revenue)')), []);
    const running = makeItem('m', { toolCall: { name: 'svcMeta' } });
    const thought = makeItem('t', { thinking: 'Which measure?' });
    assert.deepEqual(suggested(running, thought, query('SELECT MEASURE(sales.revenue)'), thought), []);
    const named = makeItem('m', {
      toolCall: { name: 'svcMeta', result: { cubes: [{ members: [member('a.b', 'A', 'number', 'sum')] }] } },
    });
    assert.deepEqual(suggested(named, query('SELECT a')), []);
  });
});

/** An answer with thinking, a model search, a query, a chart and a link. */
import type { Chat } from '../chat.ts';
import type { Written } from './writtenService.ts';

const SQL = 'SELECT status, MEASURE(orders.count) FROM orders GROUP BY 1';
const RESULT = {
  sqlQuery: SQL,
  queryTitle: 'Orders by status',
  description: 'Orders of all years',
  schema: [
    { name: 'status', column_type: 'string' },
    { name: 'orders_count', column_type: 'number' },
  ],
  data: [
    ['open', '12'],
    ['shipped', '345'],
  ],
  totalRows: 2,
  vegaSpec: JSON.stringify({
    mark: 'bar',
    encoding: { x: { field: 'status', type: 'nominal' }, y: { field: 'orders_count', type: 'quantitative' } },
  }),
};
export const MEMBERS = [
  { name: 'orders.count', title: 'Count', description: '', type: 'number', aggType: 'count' },
  { name: 'orders.status', title: 'Status', description: '', type: 'string' },
];
const FOUND = { searchQuery: 'orders', cubes: [{ name: 'orders', type: 'view', title: 'Orders', members: MEMBERS }] };

/** Sends the thinking, the model search and the start of a query. */
export function work(written: Written): void {
  written.think('m1', 'The orders view has a *status*.');
  written.tool('t1', 'svcMeta', { searchQuery: 'orders' }, FOUND);
  written.tool('t2', 'svcSqlApi', { sqlQuery: SQL, queryTitle: 'Orders by status' });
}

/** Sends the rows, the chart and the answer, and waits until they are shown. */
export async function finish(written: Written, chat: Chat): Promise<void> {
  written.tool('t2', 'svcSqlApi', { sqlQuery: SQL, queryTitle: 'Orders by status' }, RESULT);
  written.answer('Most orders are **shipped**; see [the guide](https://example.com/guide).');
  await chat.told('Answer finished');
  await chat.view.getByRole('img', { name: /^Chart/ }).waitFor();
}

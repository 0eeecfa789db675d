import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { Sandbox } from '../../sandbox/server.ts';
import { ask, dev, parseLines, post, queryOf, startFast } from './support.ts';

interface Page {
  schema?: { name: string; column_type: string }[];
  data?: unknown[][];
  error?: string;
}

describe('sandbox: data query address', () => {
  let sandbox: Sandbox;
  before(async function () {
    this.timeout(60_000);
    sandbox = await startFast();
  });
  after(() => sandbox.stop());

  const query = async (body: object): Promise<Page[]> => {
    const response = await post(sandbox, sandbox.dataQueryUrl, body);
    assert.equal(response.status, 200);
    return parseLines(await response.text()) as Page[];
  };
  const rowsOf = (pages: readonly Page[]): unknown[][] => pages.flatMap(({ data = [] }) => data);

  it('gives all rows of a query that the chat shortened', async () => {
    const result = queryOf(await ask(sandbox, { input: 'orders by day in 2024' }));
    const pages = await query({ query: result.sqlQuery });
    assert.deepEqual(pages[0], { schema: result.schema });
    assert.equal(rowsOf(pages).length, result.totalRows);
    assert.deepEqual(rowsOf(pages).slice(0, 100), result.data);
  });

  it('gives the schema alone when there are no rows', async () => {
    assert.deepEqual(await query({ query: "SELECT region FROM sales WHERE region = 'Nowhere'" }), [
      { schema: [{ name: 'region', column_type: 'string' }] },
    ]);
  });

  it('streams many rows in many lines', async () => {
    const pages = await query({ query: 'SELECT order_id, ordered_at, product_name FROM sales' });
    assert.ok(pages.length > 50);
    assert.ok(rowsOf(pages).length > 50_000);
  });

  it('reports a failure as a lone error line', async () => {
    for (const sql of [
      'SELECT nothing FROM sales',
      'SELECT * FROM raw.orders',
      'DELETE FROM sales',
      'SELECT 1; SELECT 2',
      'SELECT FROM WHERE',
    ]) {
      const pages = await query({ query: sql });
      assert.deepEqual(Object.keys(pages[0] ?? {}), ['error'], sql);
      assert.equal(pages.length, 1);
    }
  });

  it('keeps to a branch, and to the rights of a user', async () => {
    const sql = 'SELECT region, MEASURE(revenue) AS revenue FROM sales GROUP BY 1 ORDER BY 1';
    const main = rowsOf(await query({ query: sql }));
    assert.equal(main.length, 4);
    assert.notDeepEqual(rowsOf(await query({ query: sql, activeBranchName: 'dev-net-revenue' })), main);
    const sessionSettings = { ...dev, userAttributes: [{ name: 'region', value: 'Europe' }] };
    assert.deepEqual(
      rowsOf(await query({ query: sql, sessionSettings })),
      main.filter(([region]) => region === 'Europe'),
    );
  });

  it('needs the key, and a query', async () => {
    assert.equal(
      (await post(sandbox, sandbox.dataQueryUrl, { query: 'SELECT 1' }, { Authorization: 'Api-Key wrong' })).status,
      401,
    );
    assert.equal((await post(sandbox, sandbox.dataQueryUrl, { query: 7 })).status, 400);
    assert.equal(
      (await post(sandbox, sandbox.dataQueryUrl, { query: 'SELECT 1', activeBranchName: 'nowhere' })).status,
      400,
    );
  });

  it('lets other queries through while a slow client reads', async () => {
    const response = await post(sandbox, sandbox.dataQueryUrl, { query: 'SELECT order_id, product_name FROM sales' });
    const reader = response.body?.getReader();
    await reader?.read();
    assert.equal(rowsOf(await query({ query: 'SELECT MEASURE(revenue) AS revenue FROM sales' })).length, 1);
    await reader?.cancel();
  });
});

import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { describe, it } from 'mocha';
import { ask, dev, parseLines, post, queryOf, startFast, useSandbox } from './support.ts';

interface Page {
  schema?: { name: string; column_type: string }[];
  data?: unknown[][];
  error?: string;
}

describe('sandbox: data query API', () => {
  const sandbox = useSandbox();

  const query = async (body: object): Promise<Page[]> => {
    const response = await post(sandbox, sandbox.dataQueryUrl, { sessionSettings: dev, ...body });
    assert.equal(response.status, 200);
    return parseLines(await response.text()) as Page[];
  };
  const rowsOf = (pages: readonly Page[]): unknown[][] => pages.flatMap(({ data = [] }) => data);

  it('returns all rows of a query that the chat truncated', async () => {
    const result = queryOf(await ask(sandbox, { input: 'orders by day in 2024' }));
    const pages = await query({ query: result.sqlQuery });
    assert.deepEqual(pages[0], { schema: result.schema });
    assert.equal(rowsOf(pages).length, result.totalRows);
    assert.deepEqual(rowsOf(pages).slice(0, 100), result.data);
  });

  it('returns only the schema if there are no rows', async () => {
    assert.deepEqual(await query({ query: "SELECT region FROM sales WHERE region = 'Nowhere'" }), [
      { schema: [{ name: 'region', column_type: 'string' }] },
    ]);
  });

  it('streams many rows in many lines', async () => {
    const pages = await query({ query: 'SELECT order_id FROM order_overview' });
    assert.ok(pages.length > 20);
    assert.ok(rowsOf(pages).length > 20_000);
  });

  it('reports a failure as a single error line', async () => {
    for (const sql of [
      'SELECT nothing FROM sales',
      // A table of the database is no view.
      'SELECT * FROM orders_raw',
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

  it('respects the branch and the permissions of the user', async () => {
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

  it('rejects invalid chat requests and unknown fields', async () => {
    const wrong = { Authorization: 'Api-Key wrong' };
    const asked = { query: 'SELECT 1', sessionSettings: dev };
    assert.equal((await post(sandbox, sandbox.dataQueryUrl, asked, wrong)).status, 401);
    for (const fields of [
      { query: 7 },
      { sessionSettings: undefined },
      { sessionSettings: { externalId: 'Not Lowercase' } },
      { sessionSettings: { ...dev, userAttributes: [{ name: 'unknown', value: '1' }] } },
      { activeBranchName: 'nowhere' },
      { activeBranchName: 'dev-margin', isDefaultBranch: true },
      { activeBranchName: 'dev-margin', isDefaultBranch: 'no' },
      { branch: 'dev-margin' },
    ])
      assert.equal((await post(sandbox, sandbox.dataQueryUrl, { ...asked, ...fields })).status, 400, inspect(fields));
  });

  it('reads the user from a service token, whatever the body contains', async () => {
    const check = (): Record<string, unknown> => ({
      scope: ['chat'],
      externalId: 'ana',
      userAttributes: [{ name: 'region', value: 'Europe' }],
    });
    const tokens = await startFast({ serviceTokens: { kind: 'custom', check } });
    const body = { query: 'SELECT region FROM sales GROUP BY 1', sessionSettings: dev };
    const response = await post(tokens, tokens.dataQueryUrl, body, { 'X-Svc-Auth-Token': 'any' });
    assert.deepEqual(rowsOf(parseLines(await response.text()) as Page[]), [['Europe']]);
    await tokens.stop();
  });

  it('serves other queries while a slow client reads', async () => {
    const slow = { query: 'SELECT order_id, product_name FROM sales', sessionSettings: dev };
    const response = await post(sandbox, sandbox.dataQueryUrl, slow);
    const reader = response.body?.getReader();
    await reader?.read();
    assert.equal(rowsOf(await query({ query: 'SELECT MEASURE(revenue) AS revenue FROM sales' })).length, 1);
    await reader?.cancel();
  });
});

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'mocha';
import { isFull } from '../../support/runs.ts';
import { describeView } from '../../sandbox/agent/search.ts';
import { FIRST_DAY, TODAY } from '../../sandbox/data/calendar.ts';
import { makeTables } from '../../sandbox/data/seed.ts';
import { compileSql } from '../../sandbox/semantic/compile.ts';
import type { Model } from '../../sandbox/semantic/model.ts';
import type { Value } from '../../sandbox/data/client.ts';
import type { Branch, Branches } from '../../sandbox/service/branches.ts';
import { useWarehouse } from '../../sandbox/service/warehouse.ts';

describe('sandbox: shop and data model', () => {
  let branches: Branches;
  let release: () => void;
  before(async () => {
    ({ branches, release } = await useWarehouse());
  });
  after(() => release());

  const branchOf = (name: string): Branch => branches.find(name, name === 'main') ?? assert.fail(name);
  const modelOf = (name: string): Model => branchOf(name).model;
  const membersOf = (branch: string): string[] =>
    [...modelOf(branch).views.values()].flatMap((view) => describeView(view).members.map(({ name }) => name));
  const rows = async (sql: string, branch = 'main'): Promise<Value[][]> =>
    (await branchOf(branch).engine([]).run(sql)).data;

  it('has more than two years of data, always the same', async () => {
    assert.ok(Number((await rows('SELECT COUNT(*) FROM sales'))[0]?.[0]) >= 50_000);
    const [days] = await rows('SELECT MIN(ordered_at::date)::text, MAX(ordered_at::date)::text FROM sales');
    assert.deepEqual(days, [FIRST_DAY, TODAY]);
    const digest = createHash('sha256').update(JSON.stringify(makeTables())).digest('hex');
    // On every machine. A change of the data comes with its own.
    assert.equal(digest, '21200239675be90b42c2b05020e0cb3eb2e9756d85366fe0382769a5fe241ce0');
  });

  it('has at least 40 members, each with a title, a description and a type', () => {
    const members = [...modelOf('main').views.values()].flatMap((view) => describeView(view).members);
    assert.ok(new Set(members.map(({ name }) => name.split('.')[1])).size >= 40);
    for (const { name, title, description, type, aggType } of members) {
      assert.ok(title !== '' && description !== '', name);
      assert.ok(['string', 'number', 'time', 'boolean'].includes(type), name);
      if (aggType !== undefined) assert.match(aggType, /^(?:count|count_distinct|sum|avg|min|max|number)$/);
    }
  });

  it('has three branches besides main, each with a visible change', async () => {
    assert.deepEqual(branches.names, ['main', 'dev-customer-groups', 'dev-margin', 'dev-net-revenue']);
    const added = membersOf('dev-margin').filter((name) => !membersOf('main').includes(name));
    assert.deepEqual(added, ['sales.cost_of_goods', 'sales.gross_margin', 'sales.gross_margin_rate']);
    assert.deepEqual(membersOf('dev-net-revenue').sort(), membersOf('main').sort());
    const renamed = membersOf('dev-customer-groups').filter((name) => !membersOf('main').includes(name));
    assert.deepEqual(renamed, ['sales.customer_group']);
    assert.ok(!membersOf('dev-customer-groups').includes('sales.segment'));
    const sql = 'SELECT MEASURE(sales.revenue) AS revenue FROM sales';
    assert.ok(Number((await rows(sql, 'dev-net-revenue'))[0]?.[0]) < Number((await rows(sql))[0]?.[0]));
  });

  it('answers for every member of every view', async () => {
    for (const branch of isFull ? branches.names : ['main'])
      for (const view of modelOf(branch).views.values()) {
        const members = [...view.members.values()];
        const columns = members.map(({ name, member }) =>
          member.kind === 'measure'
            ? `MEASURE(${view.name}.${name}) AS ${name}`
            : `MIN(${view.name}.${name}::text) AS ${name}`,
        );
        const [row = []] = await rows(`SELECT ${columns.join(', ')} FROM ${view.name}`, branch);
        for (const [index, value] of row.entries())
          assert.notEqual(value, null, `${view.name}.${members[index]?.name}`);
      }
  });

  it('supports MEASURE, matching aggregates, aliases, CTEs, unions and windows', async () => {
    const [[revenue] = []] = await rows('SELECT MEASURE(sales.revenue) FROM sales');
    for (const sql of [
      'select measure(revenue) from sales',
      'SELECT SUM(s.revenue) FROM sales AS s',
      'SELECT MEASURE(s."revenue") FROM sales s;',
      'WITH t AS (SELECT region, MEASURE(revenue) AS r FROM sales GROUP BY 1) SELECT SUM(r) FROM t',
      `SELECT SUM(r) FROM (SELECT MEASURE(revenue) AS r FROM sales WHERE region = 'Europe' UNION ALL SELECT MEASURE(revenue) FROM sales WHERE region <> 'Europe') AS u`,
      'SELECT DISTINCT SUM(MEASURE(revenue)) OVER () FROM sales GROUP BY region',
      'SELECT MEASURE(line_items.revenue) FROM line_items',
      "SELECT MEASURE(revenue) FROM sales WHERE EXTRACT(year FROM ordered_at) > 2000 -- FROM nowhere\n AND 'FROM sales' <> ''",
    ])
      assert.deepEqual(await rows(sql), [[revenue]], sql);
  });

  it('counts an order once, however many lines it has', async () => {
    const [[orders] = []] = await rows('SELECT COUNT(order_count) FROM sales');
    assert.deepEqual(await rows('SELECT MEASURE(order_count) FROM order_overview'), [[orders]]);
  });

  it('returns large numbers and decimals exactly', async () => {
    const [[tracking, price, flag] = []] = await rows(
      'SELECT tracking_number, 0.1 + 0.2, is_shipped FROM order_overview WHERE order_id = 1',
    );
    assert.match(String(tracking), /^9\d{17}$/);
    assert.equal(typeof tracking, 'string');
    assert.deepEqual([price, flag], [0.3, true]);
  });

  for (const [sql, why] of [
    ['SELECT * FROM raw.orders', /'raw\.orders' not found/],
    ['SELECT * FROM pg_catalog.pg_class', /not in the data model/],
    ['SELECT AVG(revenue) FROM sales', /aggregation type for 'revenue' is 'sum'/],
    ['SELECT MEASURE(region) FROM sales', /is a dimension/],
    ['SELECT MEASURE(gross_margin) FROM sales', /'gross_margin' is not in the data model/],
    ['INSERT INTO sales VALUES (1)', /Only SELECT/],
    ['WITH x AS (DELETE FROM raw.orders RETURNING *) SELECT * FROM x', /not found/],
    ['SELECT 1; DROP SCHEMA raw', /one query/],
  ] as const)
    it(`rejects ${sql}`, async () => {
      await assert.rejects(rows(sql), why);
    });

  it('applies row-level security to every view of a query', () => {
    const filter = { cube: 'customers', sql: "{CUBE}.region IN ('Europe')" };
    const sql = compileSql(
      'SELECT MEASURE(a.revenue), b.returns FROM sales a CROSS JOIN (SELECT MEASURE(return_count) AS returns FROM return_overview) b GROUP BY 2',
      modelOf('main'),
      [filter],
    );
    assert.equal(sql.split(`"customers".region IN ('Europe')`).length - 1, 2);
  });
});

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { linted, projectOf, unknownNames } from './support.ts';

const ORDERS = `cubes:
  - name: orders
    sql_table: orders
    joins:
      - name: customers
        relationship: many_to_one
        sql: '{CUBE}.customer_id = {customers}.id'
    dimensions:
      - name: id
        sql: id
        type: number
      - name: status
        sql: '{CUBE}.status'
        type: string
      - name: ordered_at
        sql: ordered_at
        type: time
    measures:
      - name: revenue
        sql: amount
        type: sum
      - name: cost
        sql: cost
        type: sum
`;
const CUSTOMERS = `cubes:
  - name: customers
    dimensions:
      - name: city
        sql: city
        type: string
`;
const model = { 'model/orders.yml': ORDERS, 'model/customers.yml': CUSTOMERS };

/** A measure of another cube with this SQL. */
const withSql = (sql: string): Record<string, string> => ({
  ...model,
  'model/margins.yml': `cubes:\n  - name: margins\n    measures:\n      - name: rate\n        sql: ${JSON.stringify(sql)}\n        type: number\n`,
});

const view = (cubes: string): Record<string, string> => ({
  ...model,
  'model/sales.yml': `views:\n  - name: sales\n    cubes:\n${cubes}`,
});

const certified = (sql: string): Record<string, string> => ({
  ...view(
    '      - join_path: orders\n        includes: "*"\n      - join_path: orders.customers\n        includes: [city]\n',
  ),
  'agents/certified_queries/q.md': `---\nuser_request: Revenue?\n---\n${sql}\n`,
});

const namesIn = (files: Record<string, string>): string[] =>
  unknownNames(files).map((each) => each.slice(each.indexOf(' ') + 1));

describe('unknown names of a data model', () => {
  for (const [sql, unknown] of [
    ['{orders.revenue} / {orders.cost}', []],
    ['{orders.customers.city}', []],
    ['{orders.ordered_at.month}', []],
    ['{orders.sql()}', []],
    ['{rate} + {CUBE.rate} + {CUBE}.rate', []],
    ['{SECURITY_CONTEXT.tenant} {FILTER_PARAMS.orders.status.filter("s")}', []],
    ["{FILTER_PARAMS.orders.ordered_at.filter(lambda x, y: f'{x} <= day AND day < {y}')}", []],
    ["'\\{not_a_name\\}'", []],
    ['{{ orders.total }} {orders_{{ suffix }}}', []],
    ['{orders.total} - {orders.cost}', ['total']],
    ['{orders.customers.town}', ['town']],
    ['{CUBE.total}', ['total']],
    ['{rates}', ['rates']],
    ['{clients.city}', ['clients']],
    ['{FILTER_PARAMS.orders.state.filter("s")}', ['state']],
  ] as const)
    it(`are found in the SQL ${sql}: ${unknown.join(', ') || 'none'}`, () => {
      assert.deepEqual(namesIn(withSql(sql)), unknown);
    });

  it('have similar names as long as there are not too many to compare', () => {
    const numbers = Array.from({ length: 350 }, (_, number) => number);
    const problems = linted(
      projectOf({
        'model/a.yml': `cubes:\n  - name: a\n    measures:\n${numbers.map((each) => `      - name: total${each}\n`).join('')}`,
        'model/v.yml': `views:\n  - name: v\n    cubes:\n      - join_path: a\n        includes: [${numbers.map((each) => `totals${each}`).join()}]\n`,
      }),
    );
    assert.deepEqual([problems.length, problems[0]!.nearest[0], problems.at(-1)!.nearest], [350, 'total0', []]);
  });

  it('have the place of the name, and names that may be meant', () => {
    const files = withSql('{orders.cost} - {orders.revenues}');
    const [problem] = linted(projectOf(files));
    assert.equal(files['model/margins.yml']!.slice(problem!.offset).slice(0, 8), 'revenues');
    assert.deepEqual([problem!.owner, problem!.nearest], ['orders', ['revenue']]);
    assert.equal(problem!.message, 'There is no member “revenues” in “orders”. Did you mean “revenue”?');
  });

  it('are found in joins, drill members, hierarchies, pre-aggregations, policies and inheritance', () => {
    const text = `cubes:
  - name: returns
    extends: orderz
    joins:
      - name: customer
        sql: '{CUBE}.id = {customers}.id'
  - name: refunds
    dimensions:
      - name: reason
    measures:
      - name: count
        type: count
        drill_members: [reason, reasons]
        filter:
          include:
            - {member: refunds.motive, operator: set}
    hierarchies:
      - name: why
        levels:
          - reason
          - cause
    pre_aggregations:
      - name: main
        measures: [count]
        dimensions:
          - CUBE.reason
          - CUBE.causes
        time_dimension: refunded_at
    access_policy:
      - group: all
        member_level:
          includes: [reason, secret]
        row_level:
          filters:
            - or:
                - member: team
                  operator: equals
                  values: ["{ securityContext.team }"]
`;
    assert.deepEqual(namesIn({ ...model, 'model/returns.yml': text }), [
      'orderz',
      'customer',
      'reasons',
      'motive',
      'cause',
      'causes',
      'refunded_at',
      'secret',
      'team',
    ]);
  });

  it('are found in views: join paths, members, folders and policies', () => {
    const text = `      - join_path: orders
        includes: [revenue, turnover]
        excludes: [states]
      - join_path: orders.clients
        includes: [city]
      - join_path: orders.customers
        prefix: true
        includes:
          - name: city
            alias: town
    folders:
      - name: money
        includes: [revenue, customers_town, income]
`;
    assert.deepEqual(namesIn(view(text)), ['turnover', 'states', 'clients', 'income']);
  });

  it('are found in JavaScript, but not the names that the code declares', () => {
    const text = `import { currency } from './shared';
const margin = 0.2;
cube('sales', {
  extends: Orders,
  sql: \`SELECT * FROM \${orders.sql()}\`,
  measures: {
    net: { sql: \`\${CUBE.gross} - \${orders.costs} * \${margin} \${currency('x')}\`, type: \`sum\`, drillMembers: [net, gross] },
  },
  joins: { clients: { sql: \`\${CUBE}.id = \${clients}.id\` } },
});
`;
    assert.deepEqual(namesIn({ ...model, 'model/sales.js': text }), ['gross', 'costs', 'gross', 'clients', 'clients']);
  });
});

describe('names that are not known', () => {
  const total = withSql('{orders.total}');
  const replaced = (from: string, to: string): Record<string, string> => ({
    ...total,
    'model/orders.yml': ORDERS.replace(from, to),
  });

  for (const [reason, files] of [
    ['a macro makes members', replaced('    measures:\n', '    measures:\n      {{ measures_of("orders") }}\n')],
    [
      'a loop makes members',
      replaced('- name: revenue', '{% for x in y %}\n      - name: "{{ x }}"\n      {% endfor %}'),
    ],
    ['the file has a syntax error', replaced('- name: cost', '- name: cost: 2: [')],
    ['the base is not known', replaced('sql_table: orders', 'extends: "{{ base }}"')],
    [
      'JavaScript code makes members',
      { ...total, 'model/orders.yml': '', 'model/orders.js': "cube('orders', { measures: { ...shared } });" },
    ],
    [
      'a cube is made by a function',
      { ...total, 'model/orders.yml': '', 'model/orders.js': "cube('orders', makeOrders());" },
    ],
    [
      'there is no data model',
      { 'agents/certified_queries/q.md': certified('SELECT x FROM y')['agents/certified_queries/q.md']! },
    ],
  ] as const)
    it(`are no problems: ${reason}`, () => {
      assert.deepEqual(namesIn(files), []);
    });

  for (const [reason, path, text] of [
    ['a template makes cubes', 'model/generated.yml', 'cubes:\n  {{ cubes_of("x") }}\n'],
    ['a function makes cubes', 'model/generated.js', "import { makeCubes } from './make';\nmakeCubes();\n"],
    ['a loop makes cubes', 'model/generated.js', 'for (const name of names) cube(name, {});\n'],
    ['a file is broken', 'model/broken.yml', 'cubes:\n  - name: [\n'],
    ['the data model comes from elsewhere', 'cube.py', 'config.repository_factory = load\n'],
  ] as const)
    it(`are no problems for cubes and views: ${reason}`, () => {
      const files = { ...withSql('{clients.city} = {clients}.city AND {orders.total}'), [path]: text };
      assert.deepEqual(namesIn(files), ['total']);
    });

  it('are no problems for cubes and views if only a part of the data model may have been read', () => {
    const moved = (files: Record<string, string>): Record<string, string> =>
      Object.fromEntries(Object.entries(files).map(([path, text]) => [path.replace('model/', 'cubes/'), text]));
    assert.deepEqual(namesIn(moved(withSql('{clients.city} {orders.total}'))), ['total']);
  });
});

describe('unknown names in queries', () => {
  for (const [sql, unknown] of [
    ['SELECT status, MEASURE(revenue) FROM sales GROUP BY 1', []],
    ['SELECT turnover FROM sales', ['turnover']],
    ['SELECT MEASURE(turnover) AS turnover FROM sales ORDER BY turnover', ['turnover']],
    ['SELECT s.turnover, "s"."city" FROM sales AS s', ['turnover']],
    ['SELECT sales.turnover, sales.* FROM sales', ['turnover']],
    ['SELECT MEASURE(revenue) total FROM sales HAVING total > 1 ORDER BY total', []],
    ["SELECT DATE_TRUNC('month', ordered_at) AS m FROM sales WHERE ordered_on >= DATE '2024-01-01'", ['ordered_on']],
    ['SELECT EXTRACT(YEAR FROM ordered_at), CAST(revenue AS my_type), revenue::other_type FROM sales', []],
    ['SELECT CASE WHEN stat = 1 THEN city ELSE null END label FROM sales', ['stat']],
    ['SELECT x FROM (SELECT turnover AS x FROM sales) t', ['turnover']],
    ['WITH w (a, b) AS (SELECT city, town FROM sales) SELECT a, b, c FROM w', ['town']],
    [
      'SELECT city FROM sales WHERE revenue > (SELECT AVG(o.amount) FROM orders o WHERE o.status = sales.stat)',
      ['amount', 'stat'],
    ],
    ['SELECT city FROM sales UNION SELECT status FROM orders ORDER BY city', []],
    ['SELECT a.city FROM sales a JOIN orders b ON a.id = b.idd, warehouse.raw r', ['idd']],
    ['SELECT SUM(revenue) OVER (PARTITION BY town ORDER BY ordered_at) FROM sales', ['town']],
    ["SELECT city -- , town\n, 'town' /* town */ FROM sales", []],
    ['SELECT current_user, user, town FROM sales WHERE session_user = city', ['town']],
    ['SELECT city FROM salez', ['salez']],
    ['SELECT city FROM raw.salez, unnest(tags) AS t(tag)', []],
    ['SELECT {{ column }} FROM {{ table }}', []],
    ['```sql\nSELECT town FROM sales\n```\n<!-- SELECT nothing -->', ['town']],
  ] as const)
    it(`are found: ${sql.replaceAll('\n', ' ')}`, () => {
      assert.deepEqual(namesIn(certified(sql)), unknown);
    });

  it('are found soon in queries that are nested deeply', () => {
    const depth = 3000;
    const query = `${'SELECT city FROM sales WHERE revenue > ('.repeat(depth)}SELECT town FROM sales${')'.repeat(depth)}`;
    assert.deepEqual(namesIn(certified(query)), ['town']);
  });

  it('are found in the SQL of question tests, in every kind of scalar', () => {
    const questions = `eval_questions:
  - name: a
    sql: SELECT town FROM sales
  - name: b
    sql: 'SELECT city, ''town'' AS x, "county" FROM sales'
  - name: c
    sql: "SELECT \\"street\\", 'town'\\nFROM sales"
  - name: d
    sql: >-
      SELECT zip
      FROM sales
  - name: e
    turns:
      - question: q
        sql: |
          SELECT
            country
          FROM sales
`;
    const files = { ...certified('SELECT city FROM sales'), '.analytics-chat/questions.yml': questions };
    assert.deepEqual(unknownNames(files), [
      '.analytics-chat/questions.yml:3 town',
      '.analytics-chat/questions.yml:5 county',
      '.analytics-chat/questions.yml:7 street',
      '.analytics-chat/questions.yml:10 zip',
      '.analytics-chat/questions.yml:17 country',
    ]);
  });

  it('are found in the columns of access tests, in expected members and in accessible views', () => {
    const files = {
      ...certified('SELECT city FROM sales'),
      '.analytics-chat/access.yml': `access:
  - name: a
    question: q
    expect:
      - as: europe
        only: { city: Paris, town: Paris, orders.status: Done, orders.stat: Done, "sales.town": Paris }
`,
      '.analytics-chat/questions.yml': `eval_questions:
  - name: b
    question: q
    expect: { uses: [orders.revenue, orders.turnover], avoids: [sales.cost, salez.cost] }
  - name: one
    question: q
    expect: { uses: orders.revenu }
`,
      'agents/config.yml': 'agents:\n  - name: x\n    accessible_views: [sales, salez]\n',
    };
    assert.deepEqual(namesIn(files), ['town', 'stat', 'town', 'turnover', 'salez', 'revenu', 'salez']);
  });
});

describe('the workspace of the demo', () => {
  const root = join(import.meta.dirname, '../../../fixtures/workspaces/model');
  const files = Object.fromEntries(
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((path) => statSync(join(root, path)).isFile())
      .map((path) => [path.replaceAll('\\', '/'), readFileSync(join(root, path), 'utf8')]),
  );

  it('has no unknown names', () => {
    assert.deepEqual(unknownNames(files), []);
  });

  it('has one wherever it names a measure that was renamed', () => {
    const path = 'model/cubes/line_items.yml';
    const renamed = { ...files, [path]: files[path]!.replace('- name: units_sold', '- name: pieces_sold') };
    assert.deepEqual(unknownNames(renamed), [
      'agents/eval_questions.yml:87 units_sold',
      'agents/eval_questions.yml:94 units_sold',
      'agents/certified_queries/return_rate_by_category.md:7 units_sold',
      'model/cubes/line_items.yml:74 units_sold',
      'model/cubes/line_items.yml:97 units_sold',
      'model/views/sales.yml:9 units_sold',
    ]);
  });
});

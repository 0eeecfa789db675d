import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { endOfName, membersIn } from '../../../src/model/members.ts';
import { findDefinition } from '../../../src/model/usedMembers.ts';
import { runs as repetitions } from '../../support/runs.ts';
import { hostileSql, runs } from '../insert/arbitrarySql.ts';

const YAML = {
  path: 'model/cubes/orders.yml',
  text: `cubes:
{%- for region in regions %}
  - name: orders_{{ region }}
    sql_table: raw.orders
{%- endfor %}
  - name: orders
    sql: |
      SELECT 1 AS name
      # - name: no_member
    joins:
      - name: customers
        relationship: many_to_one
        sql: "{CUBE}.customer_id = {customers}.id"
    dimensions:
      - sql: id
        name: id
        type: number
      - name: 'status' # quoted
        sql: status
        case:
          when:
            - sql: a
              label: x
    measures:
    - name: count
      type: count
      drill_members: [id]
  - sql_table: raw.returns
    measures:
      - name: refunds
        type: count
    name: returns
others:
  measures:
    - name: stray
`,
};
const VIEWS = {
  path: 'model/views/sales.yaml',
  text: `views:
  - name: sales
    cubes:
      - join_path: orders
        includes:
          - status
          - name: id
            alias: order_key
      - join_path: orders.customers
        prefix: true
        includes: "*"
    folders:
      - name: basics
        includes: [status]
  - cubes:
      - prefix: true
        join_path: orders.returns
        includes: '*'
    name: losses
`,
};
const JS = {
  path: 'model/cubes/Customers.js',
  text: `// cube('nothing', { dimensions: { no: {} } })
cube(\`customers\`, {
  sql: \`SELECT '{' AS dimensions FROM raw.customers -- measures: { no: {} }\`,
  dimensions: {
    id: { sql: \`id\`, type: \`number\`, meta: { inner: { deep: 1 } } },
    "city": { sql: () => \`city\`, type: \`string\` },
  },
  measures: {
    count: { type: \`count\` },
  },
});
view('people', { cubes: [{ join_path: customers, includes: '*' }] });
view('nested', {
  cubes: [
    { join_path: people.customers, includes: ['id', { name: 'city', alias: 'town' }], prefix: true },
    { join_path: orders, includes: ['status'] },
  ],
});
`,
};
const files = [YAML, VIEWS, JS];

/** The line numbers of the definitions of a name. */
const found = (name: string): string[] =>
  findDefinition(files.flatMap(membersIn), name).map(({ path, offset }) => {
    const { text } = files.find((file) => file.path === path)!;
    const line = text.slice(text.lastIndexOf('\n', offset) + 1).split('\n')[0] ?? '';
    return `${line.trim()} → ${text.slice(offset, endOfName(text, offset))}`;
  });

describe('definitions in model files', () => {
  for (const [name, expected] of [
    ['orders', '- name: orders → orders'],
    ['orders.status', "- name: 'status' # quoted → status"],
    ['orders.id', 'name: id → id'],
    ['orders.count', '- name: count → count'],
    ['returns', 'name: returns → returns'],
    ['returns.refunds', '- name: refunds → refunds'],
    ['losses.returns_refunds', '- name: refunds → refunds'],
    ['ORDERS.Count', '- name: count → count'],
    ['customers', 'cube(`customers`, { → customers'],
    ['customers.city', '"city": { sql: () => `city`, type: `string` }, → city'],
    ['customers.count', 'count: { type: `count` }, → count'],
    ['sales', '- name: sales → sales'],
    ['sales.status', "- name: 'status' # quoted → status"],
    ['sales.order_key', 'alias: order_key → order_key'],
    ['sales.customers_city', '"city": { sql: () => `city`, type: `string` }, → city'],
    ['people', "view('people', { cubes: [{ join_path: customers, includes: '*' }] }); → people"],
    ['people.count', 'count: { type: `count` }, → count'],
    ['nested.customers_id', 'id: { sql: `id`, type: `number`, meta: { inner: { deep: 1 } } }, → id'],
    [
      'nested.customers_town',
      "{ join_path: people.customers, includes: ['id', { name: 'city', alias: 'town' }], prefix: true }, → town",
    ],
    ['nested.status', "- name: 'status' # quoted → status"],
  ] as const) {
    it(`include ${name}`, () => assert.deepEqual(found(name), [expected]));
  }

  for (const name of [
    'orders.no_member',
    'orders.refunds',
    'returns.stray',
    'losses.refunds',
    'sales.returns_refunds',
    'customers.inner',
    'customers.deep',
    'customers.no',
    'sales.basics',
    'nested.city',
    'nobody',
    'orders.',
  ]) {
    it(`don't include ${name}`, () => assert.deepEqual(found(name), []));
  }

  it('are found in a model in which no cube is closed', () => {
    const [first] = membersIn({ path: 'a.js', text: "cube('a',{".repeat(repetitions(1_000, 10_000)) });
    assert.equal(first?.owner, 'a');
  });

  it('are found behind nested code, which may be too deep for the parser', () => {
    const nested = (depth: number) => `${'('.repeat(depth)}1${')'.repeat(depth)}`;
    const membersBehind = (depth: number) =>
      membersIn({ path: 'a.js', text: `cube('a', { sql: ${nested(depth)}, measures: { n: {} } });` });
    assert.deepEqual(
      membersBehind(1000).map(({ name }) => name),
      [undefined, 'n'],
    );
    assert.equal(membersBehind(10_000)[0]?.owner, 'a');
  });

  it('are searched in any text without errors', () => {
    fc.assert(
      fc.property(hostileSql, fc.constantFrom('a.yml', 'a.js', 'a.txt'), (sql, path) => {
        const text = `cubes: [{ name: a, sql: ${sql} }]`;
        for (const { offset } of membersIn({ path, text })) assert.ok(offset < text.length);
      }),
      runs,
    );
  });
});

/** Changed members between two versions of a data model, in YAML and in JavaScript. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { membersIn, qualified } from '../../../src/model/members.ts';
import { sparse } from '../../support/runs.ts';
import { changes, JS, YAML } from './support.ts';

const yaml = `# Orders
cubes:
  - name: orders
    sql_table: public.orders
    joins:
      - name: customers
        sql: "{CUBE}.customer_id = {customers}.id"
        relationship: many_to_one
    measures:
      - name: count
        type: count
      - name: revenue   # in euros
        sql: amount
        type: sum
        filters:
          - sql: "{CUBE}.status <> 'Cancelled'"
    dimensions:
      - {name: status, sql: status, type: string}
    pre_aggregations:
      - name: main
        measures: [count]
views:
  - name: sales
    cubes:
      - join_path: orders
        includes:
          - revenue
          - name: status
            alias: state
      - join_path: orders.customers
        prefix: true
        includes: "*"
        excludes: [id]
`;
const js = `const table = 'public.orders';
cube(\`orders\`, {
  sql: \`SELECT * FROM \${table}\`, // everything
  joins: { customers: { sql: \`\${CUBE}.customer_id = \${customers}.id\`, relationship: \`many_to_one\` } },
  measures: {
    count: { type: \`count\` },
    'revenue': {
      sql: () => \`amount\`,
      type: 'sum',
      filters: [{ sql: \`\${CUBE}.status <> 'Cancelled'\` }],
    },
  },
  dimensions: { status: { sql: \`status\`, type: \`string\` } },
  preAggregations: { main: { measures: [CUBE.count] } },
});
view(\`sales\`, {
  cubes: [
    { joinPath: orders, includes: [\`revenue\`, { name: \`status\`, alias: \`state\` }] },
    { joinPath: () => orders.customers, prefix: true, includes: \`*\`, excludes: ['id'] },
  ],
});
`;
const NAMES = [
  'cube orders',
  'join orders.customers',
  'measure orders.count',
  'measure orders.revenue',
  'dimension orders.status',
  'pre_aggregation orders.main',
  'view sales',
  'include sales.revenue',
  'include sales.state',
];

describe('members of a model file', () => {
  for (const [path, text] of [
    [YAML, yaml],
    [JS, js],
  ] as const) {
    it(`in ${path.slice(-3)} are found with their positions`, () => {
      const members = membersIn({ path, text });
      assert.deepEqual(
        members.map((member) => `${member.kind} ${qualified(member)}`),
        NAMES,
      );
      for (const { owner, name = owner, offset, kind } of members) {
        const there = text.slice(offset);
        // The position of an included member with an alias is that of its map.
        assert.ok(there.startsWith(name) || kind === 'include', `${owner}.${name}: ${there.slice(0, 20)}`);
      }
    });

    it(`in ${path.slice(-3)} are named one by one when they change`, () => {
      const cases: [string, string, string[]][] = [
        ["status <> 'Cancelled'", "status = 'Paid'", ['changed orders.revenue']],
        ['customer_id', 'buyer_id', ['changed orders.customers']],
        ['public.orders', 'public.all_orders', ['changed orders']],
        ['relationship', 'cardinality', ['changed orders.customers']],
        ['excludes', 'folders', ['changed sales']],
        ['alias: ', 'description: ', ['added sales.status', 'removed sales.state']],
      ];
      for (const [from, to, expected] of cases) {
        const after = text.replace(from, to);
        assert.deepEqual(changes(text, after, path), expected, from);
      }
    });

    it(`in ${path.slice(-3)} are unchanged by comments, layout and the order of members`, () => {
      const comment = path === JS ? '// ' : '# ';
      const laidOut = text.replaceAll('\n', `\n${comment}note\n`);
      assert.deepEqual(changes(text, laidOut, path), []);
      assert.deepEqual(changes(text, text.replaceAll('\n', '\r\n'), path), []);
    });
  }

  it('in JavaScript change with the code of their functions', () => {
    assert.deepEqual(changes(js, js.replace('() => `amount`', '() => `total`'), JS), ['changed orders.revenue']);
    assert.deepEqual(changes(js, js.replace('() => orders.customers', '() => orders.buyers'), JS), ['changed sales']);
  });

  it('are other members if they move to another list', () => {
    const orders = (list: string): string =>
      `cubes:\n  - name: a\n    ${list}:\n      - {name: b, sql: x, type: number}\n`;
    assert.deepEqual(changes(orders('measures'), orders('dimensions').replace('name: b', 'name: c'), YAML).sort(), [
      'added a.c',
      'removed a.b',
    ]);
  });

  it('are read by the extension of the file alone', () => {
    assert.equal(membersIn({ path: 'model/orders.js.yml', text: yaml }).length, NAMES.length);
    assert.deepEqual(membersIn({ path: 'model/orders.txt', text: yaml }), []);
  });

  it('of a removed cube are not those of a new one with other data', () => {
    const cube = (name: string, from: string): string =>
      `cubes:\n  - name: ${name}\n    sql_table: ${from}\n    measures:\n      - {name: count, type: count}\n`;
    assert.deepEqual(changes(cube('a', 'public.a'), cube('b', 'public.b'), YAML).sort(), [
      'added b',
      'added b.count',
      'removed a',
      'removed a.count',
    ]);
  });

  it('of a cube do not read as those of another one that differs only in its members', () => {
    const cube = (name: string, measure: string): string =>
      `cubes:\n  - name: ${name}\n    sql_table: t\n    measures:\n      - {name: ${measure}, type: count}\n`;
    assert.deepEqual(changes(cube('a', 'x'), cube('b', 'y'), YAML).sort(), [
      'added b',
      'added b.y',
      'removed a',
      'removed a.x',
    ]);
    const bare = 'cubes:\n  - name: a\n    sql_table: t\n';
    assert.deepEqual(changes(bare, bare.replace('name: a', 'name: b'), YAML), ['renamed a → b']);
  });

  it('that are only renamed read as renamed, also a whole cube', () => {
    assert.deepEqual(changes(yaml, yaml.replace('- name: count', '- name: order_count'), YAML), [
      'renamed orders.count → orders.order_count',
    ]);
    assert.deepEqual(changes(js, js.replace('count: {', 'orderCount: {'), JS), [
      'renamed orders.count → orders.orderCount',
    ]);
    assert.deepEqual(changes(yaml, yaml.replace('- name: orders', '- name: purchases'), YAML), [
      'renamed orders → purchases',
    ]);
    const both = yaml.replace('- name: orders', '- name: purchases').replace('- name: count', '- name: number');
    assert.deepEqual(changes(yaml, both, YAML), [
      'renamed orders → purchases',
      'renamed orders.count → purchases.number',
    ]);
    const alias = '          - name: revenue\n            alias: turnover\n';
    assert.deepEqual(changes(yaml, yaml.replace('          - revenue\n', alias), YAML), [
      'renamed sales.revenue → sales.turnover',
    ]);
    // A new name with a new body is another member.
    const other = yaml.replace('- name: count\n        type: count', '- name: number\n        type: number');
    assert.deepEqual(changes(yaml, other, YAML), ['added orders.number', 'removed orders.count']);
  });

  it('of templates are compared as they are written, and a tag around them concerns the cube', () => {
    const template = `{% set kinds = ['a', 'b'] %}
cubes:
  - name: orders
    sql: "SELECT * FROM {{ source('orders') }}"
    measures:
      {%- for kind in kinds %}
      - name: {{ kind }}_count
        type: count
        title: {{ kind | title }} orders
      {%- endfor %}
      - name: revenue
        sql: {{ amount('net') }}
        {% if currency %}
        format: currency
        {% endif %}
        type: sum
`;
    const change = (from: string, to: string): string[] =>
      changes(template, template.replace(from, to), 'model/orders.yml.jinja');
    assert.deepEqual(
      membersIn({ path: YAML, text: template }).map((member) => qualified(member)),
      ['orders', 'orders.{{ kind }}_count', 'orders.revenue'],
    );
    assert.deepEqual(change("amount('net')", "amount('gross')"), ['changed orders.revenue']);
    assert.deepEqual(change('kind | title', 'kind | upper'), ['changed orders.{{ kind }}_count']);
    assert.deepEqual(change('for kind in kinds', 'for kind in others'), ['changed orders']);
    assert.deepEqual(change('if currency', 'if euro'), ['changed orders.revenue']);
    assert.deepEqual(change("['a', 'b']", "['a']"), ['changed orders']);
    assert.deepEqual(change("source('orders')", "source('purchases')"), ['changed orders']);
    const view = `views:
  - name: sales
    cubes:
      - join_path: orders
        includes:
          - name: status
            {% if short %}
            alias: state
            {% endif %}
          - revenue
`;
    assert.deepEqual(changes(view, view.replace('if short', 'if long'), 'model/sales.yml.jinja'), [
      'changed sales.state',
    ]);
  });

  it('are found next to syntax errors, and none in other files', () => {
    for (const [path, text] of [
      [YAML, yaml],
      [JS, js],
    ] as const)
      for (let at = 0; at < text.length; at += 2 * sparse) {
        const broken = membersIn({ path, text: text.slice(0, at) + '}]:"`' + text.slice(at) });
        assert.ok(broken.length <= NAMES.length + 3);
      }
    for (const text of [
      '',
      'cubes:\n',
      'cubes: 1',
      'cubes: [1, {a: 1}]',
      '- cubes',
      '*cubes',
      'views: *views',
      '\ufeff',
    ])
      assert.deepEqual(membersIn({ path: YAML, text }), [], text);
    assert.deepEqual(membersIn({ path: 'README.md', text: yaml }), []);
    const cycle = 'cubes: &a\n  - name: x\n    measures: *a\n';
    assert.ok(membersIn({ path: YAML, text: cycle }).length >= 1);
  });
});

/** Which questions a change of the data model may concern. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { affectedBy, dependentsIn } from '../../../../src/model/dependents.ts';
import { membersIn } from '../../../../src/model/members.ts';
import {
  changeLines,
  isMemberChange,
  planCheck,
  unfollowedLines,
  withAllQuestions,
} from '../../../../src/evals/check/plan.ts';
import { QuestionUse } from '../../../../src/evals/check/questionUse.ts';
import { questionNamed } from '../support.ts';

const model = (path: string, text: string) => ({ path, text });
const orders = model(
  'model/orders.yml',
  `cubes:
  - name: orders
    sql_table: orders
    joins:
      - name: customers
        sql: "{CUBE}.customer_id = {customers}.id"
    measures:
      - name: count
        type: count
      - name: revenue
        sql: amount
        type: sum
      - name: average_value
        sql: "{revenue} / {CUBE.count}"
        type: number
      - name: abroad
        sql: "{orders.customers.region} <> 'US'"
        type: count
`,
);
const customers = model(
  'model/customers.js',
  `cube('customers', {
    sql_table: 'customers',
    dimensions: { region: { sql: \`region\` }, id: { sql: 'id' } },
    measures: { spent: { sql: \`\${orders.revenue}\`, type: 'number' } },
  });`,
);
const views = model(
  'model/sales.yml',
  `views:
  - name: sales
    cubes:
      - join_path: orders
        includes: [revenue, average_value]
      - join_path: orders.customers
        prefix: true
        includes: "*"
        excludes: [id]
`,
);
const files = [orders, customers, views];
const affected = (name: string): string[] => [...affectedBy(name, dependentsIn(files.flatMap(membersIn)))].sort();

describe('a changed member', () => {
  it('affects what refers to it and what includes it', () => {
    assert.deepEqual(affected('orders.revenue'), [
      'customers.spent',
      'orders.average_value',
      'orders.revenue',
      'sales.average_value',
      'sales.customers_spent',
      'sales.revenue',
    ]);
    assert.deepEqual(affected('orders.count'), ['orders.average_value', 'orders.count', 'sales.average_value']);
    assert.deepEqual(affected('customers.region'), ['customers.region', 'orders.abroad', 'sales.customers_region']);
    assert.deepEqual(affected('customers.id'), ['customers.id']);
    assert.deepEqual(affected('sales.revenue'), ['sales.revenue']);
  });

  it('that is a cube or a join affects all members on both sides', () => {
    for (const name of ['orders', 'orders.customers'])
      for (const dependent of ['orders.count', 'sales.customers_region'])
        assert.ok(affected(name).includes(dependent), `${name} ${dependent}`);
    assert.ok(!affected('customers').includes('orders.count'));
    assert.ok(affected('orders.customers').includes('customers.region'));
  });

  it('that only the condition of a join refers to does not affect all members on both sides', () => {
    const joined = model(orders.path, orders.text.replace('{customers}.id', '{customers.id}'));
    const dependents = dependentsIn([joined, customers, views].flatMap(membersIn));
    assert.deepEqual([...affectedBy('customers.id', dependents)], ['customers.id']);
  });

  it('affects measures that are grouped by it or shifted along it, and views that filter by it', () => {
    const text = `cubes:
  - name: a
    dimensions: [{name: day, type: time}, {name: kind, type: string}]
    measures:
      - {name: share, type: number, multi_stage: true, group_by: [kind, a.day]}
      - {name: rest, type: number, multi_stage: true, reduce_by: [CUBE.kind]}
      - {name: paid, type: number, filter: {include: [{or: [{member: a.kind, operator: set}]}], exclude: [day]}}
      - {name: prior, type: number, multi_stage: true, time_shift: [{time_dimension: day, interval: 1 year}]}
views:
  - name: v
    cubes: [{join_path: a, includes: [kind, prior]}]
    default_filters: [{member: kind, operator: equals, values: [x]}]
`;
    const code = "cube('b', { dimensions: { kind: {} }, measures: { share: { addGroupBy: [CUBE.kind] } } });";
    const dependents = dependentsIn([model('a.yml', text), model('b.js', code)].flatMap(membersIn));
    for (const [name, expected] of [
      ['a.day', ['a.day', 'a.paid', 'a.prior', 'a.share', 'v.prior']],
      ['a.kind', ['a.kind', 'a.paid', 'a.rest', 'a.share', 'v', 'v.kind', 'v.prior']],
      ['b.kind', ['b.kind', 'b.share']],
    ] as const)
      assert.deepEqual([...affectedBy(name, dependents)].sort(), expected);
  });

  it('of a cube affects no view that includes none of its members', () => {
    const view = model('a.yml', 'views:\n  - name: empty\n    cubes:\n      - join_path: orders\n');
    assert.ok(!affectedBy('orders.count', dependentsIn([orders, view].flatMap(membersIn))).has('empty.count'));
  });

  it('of a view affects all its members', () => assert.ok(affected('sales').includes('sales.customers_region')));

  it('of a base affects the cubes that extend it', () => {
    const text =
      'cubes:\n  - name: base\n    measures: [{name: n, type: count}]\n  - name: more\n    extends: base\n    measures: [{name: own, type: count}]\n';
    const dependents = dependentsIn(membersIn(model('a.yml', text)));
    assert.deepEqual([...affectedBy('base.n', dependents)], ['base.n', 'more.n']);
    assert.deepEqual([...affectedBy('base', dependents)].sort(), ['base', 'base.n', 'more', 'more.n', 'more.own']);
  });

  it('of a base affects what refers to it, extends it or includes it in the cubes that inherit it', () => {
    const text = `cubes:
  - name: base
    measures: [{name: n, type: count}]
  - name: more
    extends: base
    measures: [{name: twice, type: number, sql: "{n} * 2"}]
  - name: most
    extends: more
views:
  - name: all
    cubes: [{join_path: most, includes: "*"}]
  - name: same
    extends: all
`;
    const dependents = dependentsIn(membersIn(model('a.yml', text)));
    assert.deepEqual([...affectedBy('base.n', dependents)].sort(), [
      ...['all.n', 'all.twice', 'base.n', 'more.n', 'more.twice', 'most.n', 'most.twice', 'same.n', 'same.twice'],
    ]);
    assert.ok(affectedBy('most', dependents).has('all.n'));
    const circular = text.replace('name: base', 'name: base\n    extends: most');
    assert.ok(affectedBy('base.n', dependentsIn(membersIn(model('a.yml', circular)))).has('more.n'));
  });

  it('that is a cube affects the cubes that select its rows', () => {
    const yaml =
      'cubes:\n  - name: large\n    sql: SELECT * FROM {orders.sql()} AS o\n    measures: [{name: n, type: count}]\n';
    const code = "cube('late', { sql: `SELECT * FROM ${orders.sql()} o`, measures: { n: { type: 'count' } } });";
    const members = [orders, model('a.yml', yaml), model('b.js', code)].flatMap(membersIn);
    const names = affectedBy('orders', dependentsIn(members));
    assert.ok(names.has('large.n') && names.has('late.n'));
    assert.ok(!affectedBy('orders.revenue', dependentsIn(members)).has('large.n'));
  });

  it('is found in any case, by its own name, by CUBE or TABLE, and by the name of another cube', () => {
    const text = `cubes:
  - name: Sales
    measures:
      - {name: netAmount, sql: amount, type: sum}
      - {name: inner, sql: "{NetAmount}", type: number}
      - {name: self, sql: "{ Cube.netAmount } + {TABLE.netAmount}", type: number}
      - {name: table, sql: "{TABLE}.x", type: number}
      - {name: other, sql: "{returns}.x", type: number}
  - name: returns
`;
    const dependents = dependentsIn(membersIn(model('a.yml', text)));
    assert.deepEqual([...affectedBy('sales.NetAmount', dependents)].sort(), [
      ...['sales.inner', 'sales.netamount', 'sales.self'],
    ]);
    assert.deepEqual([...affectedBy('returns', dependents)], ['returns', 'sales.other']);
  });
});

describe('a question', () => {
  const use = (sql: string, text = 'How are we doing?'): QuestionUse =>
    new QuestionUse(questionNamed('q', { text, expectedSql: { sql } }));

  it('uses the members that its SQL names, in any case, and not those in literals and comments', () => {
    assert.ok(use('SELECT MEASURE(Sales.Revenue) FROM sales').uses('sales.revenue'));
    assert.ok(use('SELECT revenue FROM sales').uses('sales.revenue'));
    assert.ok(use('SELECT s.* FROM sales s').uses('sales.revenue'));
    assert.ok(use('select\n  * from sales').uses('sales.revenue'));
    assert.ok(use('SELECT s . * FROM sales s').uses('sales.revenue'));
    assert.ok(use('SELECT*FROM sales').uses('sales.revenue'));
    assert.ok(use('SELECT DISTINCT * FROM sales').uses('sales.revenue'));
    assert.ok(use('SELECT 1 AS n, * FROM sales').uses('sales.revenue'));
    assert.ok(!use('SELECT count(*), 2 * 3 FROM sales').uses('sales.revenue'));
    assert.ok(!use('SELECT revenue FROM sales').uses('orders'));
    assert.ok(!use('SELECT revenue_net FROM sales').uses('sales.revenue'));
    assert.ok(!use('SELECT revenue FROM orders').uses('sales.revenue'));
    assert.ok(!use("SELECT 'revenue' FROM sales -- revenue").uses('sales.revenue'));
    assert.ok(!use('/* revenue */ SELECT 1 FROM sales').uses('sales.revenue'));
    assert.ok(use("/* last year's */ SELECT revenue FROM sales WHERE region = 'EU'").uses('sales.revenue'));
  });

  it('uses a cube that its SQL names, also without a member, but not one that is a word of its text', () => {
    assert.ok(use('SELECT COUNT(*) FROM Orders').uses('orders'));
    assert.ok(!use('SELECT COUNT(*) FROM sales', 'How many orders?').uses('orders'));
  });

  it('uses the members that its SQL or the SQL of its accepted result names', () => {
    const baseline = { name: 'n', path: '', sql: 'SELECT orders FROM sales', columns: [], rows: [] };
    const both = new QuestionUse(
      questionNamed('q', { text: '?', expectedSql: { sql: 'SELECT revenue FROM sales' }, baseline }),
    );
    assert.ok(both.uses('sales.revenue'));
    assert.ok(both.uses('sales.orders'));
    assert.ok(!both.uses('sales.margin'));
  });

  it('uses the members whose names are words of it', () => {
    const asked = use('SELECT 1', 'What was the average order value in 2024?');
    assert.ok(asked.uses('sales.average_order_value'));
    assert.ok(asked.uses('sales.Order_Value'));
    assert.ok(asked.uses('sales.2024'));
    assert.ok(!asked.uses('sales.order_count'));
    assert.ok(!asked.uses('sales.age'));
  });

  it('is planned for the changes that concern it, and only then', () => {
    const changed = model(orders.path, orders.text.replace('sql: amount', 'sql: amount - refund'));
    const ask = (name: string, sql: string) => questionNamed(name, { expectedSql: { sql } });
    const questions = [
      ask('total', 'SELECT MEASURE(sales.revenue) FROM sales'),
      ask('average', 'SELECT MEASURE(sales.average_value) FROM sales'),
      ask('regions', 'SELECT customers_region FROM sales'),
      questionNamed('access', { text: 'revenue', access: { kind: 'empty' } }),
    ];
    const plan = planCheck(files, [changed, customers, views], questions);
    assert.deepEqual(
      plan.questions.map(({ question, changes }) => [
        question.name,
        changes.map((change) => isMemberChange(change) && change.member.name),
      ]),
      [
        ['total', ['revenue']],
        ['average', ['revenue']],
      ],
    );
    // A removed or renamed member concerns the questions that used it.
    const gone = model(views.path, views.text.replace('revenue, ', ''));
    assert.deepEqual(
      planCheck(files, [orders, customers, gone], questions).questions.map(({ question }) => question.name),
      ['total'],
    );
    assert.deepEqual(planCheck(files, files, questions), { changes: [], questions: [] });
  });
});

describe('a change beside the members', () => {
  const cube = orders.text.replace(
    '    measures:',
    '    access_policy:\n      - role: sales\n        row_level:\n          filters: [{member: status, operator: equals, values: [open]}]\n    measures:',
  );
  const rule = (type: string, text: string): string => `---\nname: r\n${type}---\n${text}\n`;
  const config = (model: string, sql: string): string =>
    `model: ${model}\ncertified_queries:\n  - name: sales\n    user_request: sales?\n    sql_query: ${sql}\n# end\n`;
  const certified = (name: string, sql: string): string => `---\nname: ${name}\nuser_request: q\n---\n${sql}\n`;
  const questions = [
    questionNamed('orders', { text: 'what', expectedSql: { sql: 'SELECT MEASURE(count) FROM orders' } }),
    questionNamed('certified', { text: 'how', expectedSql: { sql: 'SELECT 1', certifiedQuery: { name: 'sales' } } }),
    questionNamed('access', { text: 'who', access: { kind: 'empty' }, identity: 'europe' }),
  ];
  const ALL = ['orders', 'certified', 'access'];
  const cases: [title: string, path: string, before: string, after: string, asked: string[], line: string][] = [
    [
      'of an access policy concerns the access tests and the questions on its cube',
      orders.path,
      cube,
      cube.replace('open', 'paid'),
      ['orders', 'access'],
      'Changed: orders.access_policy',
    ],
    [
      'of a rule that always applies concerns every question',
      'agents/rules/a.md',
      rule('type: always\n', 'a'),
      rule('type: always\n', 'b'),
      ALL,
      'Changed rule: agents/rules/a.md',
    ],
    [
      'of a rule without a type concerns every question',
      'shop/agents/rules/deep/a.md',
      'a',
      'b',
      ALL,
      'Changed rule: shop/agents/rules/deep/a.md',
    ],
    [
      'of the configuration concerns every question',
      'agents/config.yml',
      config('a', 'SELECT 1'),
      config('b', 'SELECT 1'),
      ALL,
      'Changed configuration: agents/config.yml',
    ],
    [
      'of a certified query in the configuration concerns the questions that name it',
      'agents/config.yml',
      config('a', 'SELECT 1'),
      config('a', 'SELECT 2'),
      ['certified'],
      'Changed certified query: sales',
    ],
    [
      'of a certified query concerns the questions that name it',
      'agents/certified_queries/sales.md',
      certified('sales', 'SELECT 1'),
      certified('sales', 'SELECT 2'),
      ['certified'],
      'Changed certified query: sales',
    ],
    [
      'of another certified query concerns no question',
      'agents/certified_queries/sales.md',
      certified('other', 'SELECT 1'),
      certified('other', 'SELECT 2'),
      [],
      'Changed certified query: other',
    ],
    [
      'of a certified query of another space concerns no question',
      'agents/certified_queries/hr/sales.md',
      certified('sales', 'SELECT 1'),
      certified('sales', 'SELECT 2'),
      [],
      'Changed certified query: sales',
    ],
    [
      'of a rule on request is named',
      'agents/rules/a.md',
      rule('type: agent_requested\n', 'a'),
      rule('type: agent_requested\n', 'b'),
      [],
      '? agents/rules/a.md: applied where the agent sees fit',
    ],
    [
      'that makes a rule apply on request concerns every question',
      'agents/rules/a.md',
      rule('type: always\n', 'a'),
      rule('type: agent_requested\n', 'a'),
      ALL,
      'Changed rule: agents/rules/a.md',
    ],
    [
      'of a skill is named',
      'agents/skills/a/SKILL.md',
      'a',
      'b',
      [],
      '? agents/skills/a/SKILL.md: applied where the agent sees fit',
    ],
    ['of shared code is named', 'model/globals.py', 'a', 'b', [], '? model/globals.py: code that can’t be followed'],
    [
      'that leaves a syntax error is named with its line',
      orders.path,
      orders.text,
      orders.text.replace('sql: amount', 'sql: "amount'),
      [],
      '? model/orders.yml: syntax error in line 11',
    ],
    [
      'that mends a syntax error is named',
      orders.path,
      orders.text.replace('sql: amount', 'sql: "amount'),
      orders.text,
      [],
      '? model/orders.yml: its previous version has a syntax error',
    ],
  ];
  for (const [title, path, before, after, asked, line] of cases)
    it(title, () => {
      const version = (text: string) => [...files.filter((file) => file.path !== path), model(path, text)];
      const plan = planCheck(version(before), version(after), questions);
      const names = plan.questions.map(({ question }) => question.name);
      const lines = [...changeLines(plan.changes), ...unfollowedLines(plan).map((each) => `? ${each}`)];
      assert.deepEqual([names, lines], [asked, [line]]);
      const isUnknown = line.startsWith('?');
      const all = withAllQuestions(plan, questions).questions;
      assert.deepEqual(
        all.map(({ question, changes }) => [question.name, changes.length > 0]),
        ALL.map((name) => [name, isUnknown || asked.includes(name)]),
      );
      assert.deepEqual(planCheck(version(after), version(after), questions).changes, []);
    });

  it('is looked for in the folder of the platform’s files that the user sets', () => {
    const version = (path: string, text: string) => [...files, model(path, rule('', text))];
    const changesIn = (path: string) =>
      changeLines(planCheck(version(path, 'a'), version(path, 'b'), questions, 'bi/agents').changes);
    assert.deepEqual(changesIn('shop/bi/agents/rules/a.md'), ['Changed rule: shop/bi/agents/rules/a.md']);
    assert.deepEqual(changesIn('agents/rules/a.md'), []);
  });

  it('to questions, and to a page about the folder, is none', () => {
    for (const path of ['agents/eval_questions.yml', 'agents/eval_questions/a.yml', 'agents/rules/README.md'])
      assert.deepEqual(
        planCheck([...files, model(path, 'a: 1')], [...files, model(path, 'a: 2')], questions).changes,
        [],
      );
  });
});

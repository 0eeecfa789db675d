import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import type { ModelDefinition } from '../../../../src/shared/wire/toolPayloads.ts';
import { detectTarget } from '../../../../src/insert/detect.ts';
import { loadGrammar } from '../../../../src/insert/planner.ts';
import {
  completionsAt,
  knownNames,
  memberReference,
  mergeDefinitions,
  nameAt,
} from '../../../../src/shared/text/memberNames.ts';
import { readMarks } from '../../insert/insertCases.ts';

const member = (name: string, type: string, aggType?: string) => ({
  name,
  title: `Title of ${name}`,
  description: '',
  type,
  ...(aggType ? { aggType } : {}),
});
const orders: ModelDefinition = {
  name: 'orders',
  type: 'view',
  title: 'Orders',
  members: [
    member('orders.status', 'string'),
    member('orders.count', 'number', 'count'),
    member('orders.customer_city', 'string'),
  ],
};
const items: ModelDefinition = {
  name: 'order_items',
  type: 'cube',
  title: 'Items',
  members: [member('order_items.price', 'number')],
};
const definitions = [orders, items];

const complete = (marked: string) => {
  const { text, selections } = readMarks(marked);
  return completionsAt(text, selections[0]!.start, definitions);
};
const labels = (marked: string) => complete(marked).candidates.map(({ insertText }) => insertText);

describe('completion of members', () => {
  it('offers cubes and views by prefix', () => {
    assert.deepEqual(labels('SELECT 1 FROM ord‸'), ['orders', 'order_items']);
    assert.deepEqual(labels('SELECT 1 FROM order_‸'), ['order_items']);
    assert.deepEqual(labels('SELECT ‸'), ['orders', 'order_items']);
  });

  it('offers the members after the dot, in SQL, model YAML and JavaScript', () => {
    assert.deepEqual(labels('SELECT orders.c‸ FROM x'), ['count', 'customer_city']);
    assert.deepEqual(labels('sql: "{ORDERS.‸}"'), ['status', 'count', 'customer_city']);
    assert.deepEqual(labels('`${orders.cou‸}`'), ['count']);
    assert.deepEqual(labels('SELECT other.‸'), []);
  });

  it('offers nothing after a number or the dot of another expression', () => {
    for (const marked of ['x > 0.‸', 'LIMIT 1‸', 'read().‸', 'rows[0].o‸', '{CUBE}.‸'])
      assert.deepEqual(labels(marked), [], marked);
  });

  it('replaces only the last part of the name and has its description', () => {
    const { start, candidates } = complete('SELECT orders.cou‸');
    assert.equal(start, 'SELECT orders.'.length);
    assert.deepEqual(
      [candidates[0]?.name, candidates[0]?.kind, candidates[0]?.detail, candidates[0]?.documentation],
      ['orders.count', 'member', 'number, count', 'Title of orders.count'],
    );
  });
});

describe('the documentation of a name', () => {
  const documented = (title: string, description: string) => {
    const members = [{ name: 'status', title, description, type: 'string' }];
    return completionsAt('orders.', 7, [{ ...orders, members }]).candidates[0];
  };

  it('has the title and the description of a member, each once and if there is one', () => {
    assert.equal(documented('Status', 'Of the order')?.documentation, 'Status\n\nOf the order');
    assert.equal(documented('Status', 'Status')?.documentation, 'Status');
    assert.equal(documented('', 'Of the order')?.documentation, 'Of the order');
    assert.deepEqual([documented('', '')?.documentation, documented('', '')?.insertText], ['', 'status']);
  });

  it('has the title and the type of a cube or view', () => {
    const [candidate] = complete('SELECT Orders‸').candidates;
    assert.deepEqual(
      [candidate?.name, candidate?.detail, candidate?.documentation, candidate?.kind],
      ['orders', 'view', 'Orders', 'definition'],
    );
  });

  it('is found anywhere in a long text', () => {
    const after = ' x'.repeat(400);
    for (const before of ['', 'x '.repeat(400)])
      assert.deepEqual(labels(`${before}orders.‸c${after}`), ['status', 'count', 'customer_city']);
  });

  it('has no comma if a member has no aggregation', () => {
    assert.equal(complete('SELECT orders.sta‸').candidates[0]?.detail, 'string');
  });
});

describe('the member at the cursor', () => {
  const at = (marked: string) => {
    const { text, selections } = readMarks(marked);
    const found = nameAt(text, selections[0]!.start, definitions);
    return found && [found.name, text.slice(found.start, found.end)];
  };
  it('is found anywhere in its name', () => {
    assert.deepEqual(at('SELECT orders.st‸atus'), ['orders.status', 'orders.status']);
    assert.deepEqual(at('SELECT orders.status‸'), ['orders.status', 'orders.status']);
    assert.deepEqual(at('SELECT Orders.‸Status'), ['orders.status', 'Orders.Status']);
    assert.deepEqual(at('SELECT or‸ders.status'), ['orders', 'orders']);
    assert.deepEqual(at('{order_items.pri‸ce}'), ['order_items.price', 'order_items.price']);
  });
  it('is found behind a schema, far into a long text, and if the search did not qualify its name', () => {
    assert.deepEqual(at('SELECT public.orders.st‸atus'), ['orders.status', 'public.orders.status']);
    for (const before of ['', 'x '.repeat(400)])
      assert.deepEqual(at(`${before}orders.st‸atus${' x'.repeat(400)}`), ['orders.status', 'orders.status']);
    const plain = { ...items, members: [member('price', 'number')] };
    const found = nameAt('order_items.price', 14, [orders, plain]);
    assert.deepEqual([found?.name, found?.kind, found?.start, found?.end], ['price', 'member', 0, 17]);
    assert.deepEqual(nameAt('orders', 0, [orders])?.kind, 'definition');
  });
  it('is undefined elsewhere', () => {
    assert.equal(at('SELECT orders.‸'), undefined);
    assert.equal(at('SELECT other‸'), undefined);
    assert.equal(at('SELECT ‸ 1'), undefined);
    assert.equal(at('SELECT reorders.status‸'), undefined);
    assert.equal(at('SELECT orders.statu‸'), undefined);
  });
});

describe('a name in a query or model file', () => {
  const FROM = 'FROM public.x, orders AS o\nLEFT JOIN "order_items" "i" ON i.id = o.id';
  const other = 'SELECT o.count FROM other o;';
  const cases: [marked: string, found: string | undefined, offered: string, cube?: string][] = [
    ['SELECT o.co‸unt FROM orders o', 'orders.count', 'count'],
    [`SELECT o.co‸unt ${FROM}`, 'orders.count', 'count'],
    [`SELECT i.pr‸ice ${FROM}`, 'order_items.price', 'price'],
    [`SELECT I."pr‸ice" ${FROM}`, 'order_items.price', 'price'],
    [`${other} SELECT o.co‸unt FROM orders o; ${other}`, 'orders.count', 'count'],
    [`${other} SELECT o.co‸unt FROM customers o`, undefined, ''],
    ['SELECT o.co‸unt FROM public.orders o', 'orders.count', 'count'],
    ['SELECT o.co‸unt FROM raw.orders o', undefined, ''],
    ['SELECT 1 FROM orders WHERE where.co‸unt', undefined, ''],
    ['SELECT "orders"."co‸unt" FROM "orders"', 'orders.count', 'count'],
    ['SELECT `orders` . `co‸unt`', 'orders.count', 'count'],
    ['sql: "{CUBE.co‸unt}"', 'orders.count', 'count', 'orders'],
    ['sql: "{CUBE.co‸unt}"', undefined, ''],
    ['sql: "{CUBE}.co‸unt"', undefined, '', 'orders'],
    ['sql: `${CUBE.pri‸ce}`', 'order_items.price', 'price', 'order_items'],
    ['sql: "{co‸unt} / 2"', 'orders.count', '', 'orders'],
    ['sql: "{sta‸tus.month}"', 'orders.status', '', 'orders'],
    ['sql: "{orders‸.status}"', 'orders', 'orders', 'order_items'],
    ['- join_path: orders.order_it‸ems', 'order_items', ''],
    ['- join_path: other.order_it‸ems', undefined, ''],
    ['name: co‸unt', undefined, '', 'orders'],
    ['SELECT MEASURE(co‸unt) FROM orders', 'orders.count', 'count'],
    [`SELECT MEASURE( "pri‸ce") ${FROM}`, 'order_items.price', 'price'],
    ['SELECT MEASURE(o.co‸unt) FROM orders o', 'orders.count', 'count'],
    ['SELECT co‸unt FROM orders', undefined, ''],
  ];
  for (const [marked, found, offered, cube] of cases)
    it(`${marked.replaceAll('\n', ' ')}${cube ? ` in ${cube}` : ''} is ${found ?? 'not known'}`, () => {
      const { text, selections } = readMarks(marked);
      const { start } = selections[0]!;
      const context = cube === undefined ? {} : { cube };
      assert.equal(nameAt(text, start, definitions, context)?.name, found);
      const offers = completionsAt(text, start, definitions, context).candidates.map(({ insertText }) => insertText);
      assert.deepEqual(offers, offered === '' ? [] : [offered]);
    });
});

describe('a name with capitals, or that begins like its cube', () => {
  const sales: ModelDefinition = {
    name: 'Sales',
    type: 'cube',
    title: 'Sales',
    members: [member('Sales.Total', 'number'), member('SalesTax', 'number')],
  };
  const offered = (text: string): string[] =>
    completionsAt(text, text.length, [sales]).candidates.map(({ insertText }) => insertText);

  it('is offered as it is written in the model', () => {
    assert.deepEqual(offered('sa'), ['Sales']);
    assert.deepEqual(offered('sales.'), ['Total', 'SalesTax']);
    assert.deepEqual(offered('sales.to'), ['Total']);
  });

  it('is found in any case', () => {
    for (const [text, name] of [
      ['sales', 'Sales'],
      ['sales.total', 'Sales.Total'],
      ['public.sales.total', 'Sales.Total'],
      ['SALES.SALESTAX', 'SalesTax'],
    ] as const)
      assert.equal(nameAt(text, text.length, [sales])?.name, name);
  });
});

describe('model searches', () => {
  it('accumulate, and later ones take precedence', () => {
    const members = [member('orders.count', 'number', 'countDistinct'), member('orders.total', 'number', 'sum')];
    const later = { ...orders, title: 'All orders', members };
    const [merged] = mergeDefinitions([orders, items, later]);
    assert.equal(merged?.title, 'All orders');
    assert.deepEqual(
      merged?.members.map(({ name, aggType }) => [name, aggType]),
      [
        ['orders.status', undefined],
        ['orders.count', 'countDistinct'],
        ['orders.customer_city', undefined],
        ['orders.total', 'sum'],
      ],
    );
    assert.deepEqual([...knownNames(definitions)], ['orders', 'order_items']);
  });
});

describe('a member inserted from its search result', () => {
  before(() => loadGrammar('javascript', 'a.js'));
  const reference = (marked: string, fileName: string, languageId: string) => {
    const { text, selections } = readMarks(marked);
    return memberReference('orders.count', detectTarget({ text, fileName, languageId }, selections[0]!.start));
  };
  for (const [kind, written] of [
    ['jsTemplate', '${orders.count}'],
    ['yamlBlock', '{orders.count}'],
    ['yamlScalar', '{orders.count}'],
    ['yamlEmptyValue', '{orders.count}'],
    ['sql', 'orders.count'],
  ] as const)
    it(`is written as ${written} at ${kind} of a data model, and as it is elsewhere`, () => {
      assert.equal(memberReference('orders.count', { kind, isDataModel: true }), written);
      assert.equal(memberReference('orders.count', { kind, isDataModel: false }), 'orders.count');
    });

  it('is written as the file refers to members', () => {
    assert.equal(reference('‸', 'a.sql', 'sql'), 'orders.count');
    assert.equal(reference('cubes:\n  - sql: a ‸', 'a.yml', 'yaml'), '{orders.count}');
    assert.equal(reference('cube(`a`, { sql: `‸` })', 'a.js', 'javascript'), '${orders.count}');
    assert.equal(reference('cube(`a`, { sql: ‸ })', 'a.js', 'javascript'), 'orders.count');
  });
});

import assert from 'node:assert/strict';
import MarkdownIt from 'markdown-it';
import { describe, it } from 'mocha';
import { emptyThread, type Item, type Thread } from '../../../src/shared/thread/model.ts';
import { changedMembers } from '../../../src/compare/changedMembers.ts';
import { comparisonAsCsv, comparisonAsMarkdown, queryGroups, shownQueries } from '../../../src/vscode/runs/queries.ts';
import { makeItem, makeTurn } from '../../support/item.ts';

interface Query {
  sql: string;
  data?: unknown[][];
  title?: string;
  error?: string;
  totalRows?: number;
}

const schema = [
  { name: 'month', column_type: 'date' },
  { name: 'revenue', column_type: 'numeric' },
];

function call({ sql, data, title = 'Revenue', error, totalRows }: Query, index: number): Item {
  const found = {
    sqlQuery: sql,
    queryTitle: title,
    schema: JSON.stringify(schema),
    data: JSON.stringify(data),
    totalRows,
  };
  const result = error === undefined ? (data === undefined ? undefined : found) : { error };
  return makeItem(`call ${index}`, {
    toolCall: {
      name: 'svcSqlApi',
      input: JSON.stringify({ sqlQuery: sql, queryTitle: title }),
      ...(result ? { result: JSON.stringify(result) } : {}),
    },
  });
}

const thread = (...queries: readonly Query[]): Thread => ({
  ...emptyThread('thread'),
  turns: [
    makeTurn({ id: 'question', content: 'revenue by month' }, [
      ...queries.map(call),
      makeItem('answer', { content: 'It grew.', graphPath: ['final'] }),
    ]),
  ],
});

const member = (name: string, fields: object = {}): object => ({
  name,
  title: 'Revenue',
  description: 'Before refunds.',
  type: 'number',
  aggType: 'sum',
  ...fields,
});

const changed = (thread: Thread, change: (items: readonly Item[]) => readonly Item[]): Thread => ({
  ...thread,
  turns: thread.turns.map((turn) => ({ ...turn, items: change(turn.items) })),
});

function withSearch(found: Thread, ...members: readonly object[]): Thread {
  const cubes = [{ name: 'sales', type: 'view', title: 'Sales', members }];
  const toolCall = { name: 'svcMeta', input: '{}', result: JSON.stringify({ searchQuery: 'revenue', cubes }) };
  return changed(found, (items) => [makeItem('search', { toolCall }), ...items]);
}

const SQL = 'SELECT month,\n  SUM(amount) AS revenue\nFROM sales\nGROUP BY 1';
const QUESTION = 'revenue by month';
const contexts = [
  { branch: 'main', identity: 'dev' },
  { branch: 'net', identity: 'dev' },
];
/** The groups of two answers. */
const queryPairs = (left: Thread, right: Thread, precision?: number) => queryGroups([left, right], precision);
const differences = (left: Thread, right: Thread) => changedMembers([left, right]);

describe('Queries of two answers', () => {
  it('show which lines of the SQL differ', () => {
    const [pair] = queryPairs(thread({ sql: SQL }), thread({ sql: SQL.replace('amount', 'amount - refund') }));
    assert.deepEqual(pair?.sql[0]?.contexts, [1]);
    assert.deepEqual(pair.sql[0].lines, [
      { side: 'both', text: 'SELECT month,' },
      { side: 'left', text: '  SUM(amount) AS revenue' },
      { side: 'right', text: '  SUM(amount - refund) AS revenue' },
      { side: 'both', text: 'FROM sales' },
      { side: 'both', text: 'GROUP BY 1' },
    ]);
    assert.deepEqual(queryPairs(thread({ sql: SQL }), thread({ sql: SQL }))[0]?.sql, []);
  });

  it('align results by month and show exact changes, with signs and the same number of decimals', () => {
    const before = [
      ['2024-01-01', '100.00'],
      ['2024-02-01', '9007199254740993.1'],
      ['2024-03-01', '5'],
    ];
    const after = [
      ['2024-01-01', '92.5'],
      ['2024-02-01', '9007199254740993.2'],
      ['2024-04-01', '0'],
    ];
    const [query] = shownQueries(queryPairs(thread({ sql: SQL, data: before }), thread({ sql: SQL, data: after })), {
      locale: 'en',
    });
    assert.deepEqual(query?.results?.dimensions, ['month']);
    assert.deepEqual(query?.results?.rows, [
      {
        status: 'changed',
        key: ['2024-01-01'],
        cells: [
          { values: [{ text: '100.00' }, { text: '92.50', isChanged: true }], absolute: '-7.50', percent: '-7.50%' },
        ],
      },
      {
        status: 'changed',
        key: ['2024-02-01'],
        cells: [
          {
            values: [{ text: '9,007,199,254,740,993.10' }, { text: '9,007,199,254,740,993.20', isChanged: true }],
            absolute: '+0.1',
            percent: '0.00%',
          },
        ],
      },
      { status: 'removed', key: ['2024-03-01'], cells: [{ values: [{ text: '5.00' }, {}] }] },
      { status: 'added', key: ['2024-04-01'], cells: [{ values: [{}, { text: '0.00' }] }] },
    ]);
  });

  it('distinguish null, the empty string and a missing row', () => {
    const rows = (...keys: (string | null)[]): unknown[][] => keys.map((key, index) => [key, index === 0 ? null : '']);
    const [query] = shownQueries(
      queryPairs(thread({ sql: SQL, data: rows(null, '') }), thread({ sql: SQL, data: rows('', null, 'x') })),
      { locale: 'en' },
    );
    assert.deepEqual(query?.results?.rows, [
      { status: 'changed', key: [null], cells: [{ values: [{ text: null }, { text: '', isChanged: true }] }] },
      { status: 'added', key: ['x'], cells: [{ values: [{}, { text: '' }] }] },
      { status: 'changed', key: [''], cells: [{ values: [{ text: '' }, { text: null, isChanged: true }] }] },
    ]);
  });

  it('compare amounts at the precision that is asked for, and say so', () => {
    const [before, after] = [
      thread({ sql: SQL, data: [['2024-01-01', '100']] }),
      thread({ sql: SQL, data: [['2024-01-01', '100.04']] }),
    ];
    const countsAt = (precision?: number): unknown[] => {
      const [query] = shownQueries(queryPairs(before, after, precision), { locale: 'en' });
      return [query?.results?.counts.changed, query?.results?.precision];
    };
    assert.deepEqual(
      [countsAt(4), countsAt()],
      [
        [0, 4],
        [1, undefined],
      ],
    );
    const note = /Amounts are compared at 4 significant digits\./;
    assert.match(comparisonAsMarkdown(QUESTION, contexts, [before, after], queryPairs(before, after, 4)), note);
  });

  it('exclude failed queries if one succeeded, and wait for results', () => {
    const failing = { sql: 'SELECT wrong', error: 'no such column' };
    const [pair, ...others] = queryPairs(thread(failing, { sql: SQL, data: [] }), thread({ sql: SQL }));
    assert.equal(others.length, 0);
    assert.equal(pair?.queries[0]?.sqlQuery, SQL);
    assert.equal(pair?.comparison, undefined);
    assert.deepEqual(queryPairs(thread(), thread({ sql: SQL })), []);
  });

  it('show the differing rows of large results', () => {
    const data = Array.from({ length: 2000 }, (_, index) => [`2024-01-01 ${index}`, '1']);
    const other = data.map((row, index) => (index === 1500 ? [row[0], '2'] : row));
    const [query] = shownQueries(queryPairs(thread({ sql: SQL, data }), thread({ sql: SQL, data: other })), {
      locale: 'en',
    });
    assert.equal(query?.results?.rows.length, 1);
    assert.equal(query?.results?.counts.same, 1999);
  });

  it('end with those that the verdict is about: the last one with rows, and the one that equals it', () => {
    const [one, two] = [
      { sql: SQL, data: [['2024-01-01', '1']] },
      { sql: 'SELECT 2', data: [['2024-01-01', '2']] },
    ];
    const groups = queryGroups([thread(one, two), thread(two, one)]);
    assert.deepEqual(
      groups.map(({ queries, comparison }) => [...queries.map((query) => query?.sqlQuery), comparison?.counts.same]),
      [
        [SQL, SQL, 1],
        ['SELECT 2', 'SELECT 2', 1],
      ],
    );
    assert.equal(
      queryGroups([thread(one), thread({ sql: 'SELECT 3', data: [] }, one)]).at(-1)?.comparison?.counts.same,
      1,
    );
  });

  it('of more than two answers are shown as they arrive, with the SQL that differs from the first', () => {
    const [one, two] = [
      { sql: SQL, data: [['2024-01-01', '1']] },
      { sql: 'SELECT 2', data: [['2024-01-01', '2']] },
    ];
    assert.equal(queryGroups([thread(one), undefined, undefined]).length, 1);
    const [group] = queryGroups([thread(one), thread(two), thread(one), thread(two)]);
    assert.deepEqual(
      group?.sql.map(({ contexts: own }) => own),
      [[1, 3]],
    );
    const [row] = shownQueries([group], { locale: 'en' })[0]?.results?.rows ?? [];
    assert.deepEqual(
      row?.cells[0]?.values.map(({ isChanged }) => isChanged === true),
      [false, true, false, true],
    );
  });

  it('have both titles if they differ', () => {
    const [pair] = queryPairs(thread({ sql: SQL, title: 'Revenue' }), thread({ sql: SQL, title: 'Net revenue' }));
    assert.equal(pair?.title, 'Revenue → Net revenue');
  });
});

describe('Definitions of two answers', () => {
  const semantic = 'SELECT MEASURE(sales.revenue) FROM sales';
  const net = { title: 'Net revenue', description: 'After refunds.' };
  const of = (sql: string, ...members: readonly object[]) => withSearch(thread({ sql, data: [] }), ...members);

  it('are shown if a member in a query has another meaning', () => {
    const left = of(semantic, member('sales.revenue'), member('sales.units'), member('sales.cost'));
    const right = of(semantic, member('sales.revenue', net), member('sales.units'), member('sales.cost', net));
    const changed = differences(left, right);
    assert.deepEqual(
      changed.map(({ name, definitions: [before, after] }) => [name, before?.title, after?.title]),
      [['sales.revenue', 'Revenue', 'Net revenue']],
    );
    assert.match(
      comparisonAsMarkdown(QUESTION, contexts, [left, right], []),
      /\| sales\.revenue \| Revenue: Before refunds\. \| Net revenue: After refunds\. \|/,
    );
  });

  it('are marked where they differ from the first one', () => {
    const [first, other] = [of(semantic, member('sales.revenue')), of(semantic, member('sales.revenue', net))];
    const [found] = changedMembers([undefined, first, other, first]);
    assert.deepEqual(found?.isChanged, [false, false, true, false]);
  });

  for (const [field, value] of [
    ['title', 'Net'],
    ['description', 'Net'],
    ['type', 'string'],
    ['aggType', 'avg'],
  ] as const)
    it(`are shown if the ${field} differs`, () => {
      const [left, right] = [
        of(semantic, member('sales.revenue')),
        of(semantic, member('sales.revenue', { [field]: value })),
      ];
      assert.equal(differences(left, right).length, 1);
    });

  it('are shown if a query of either side uses the member, by the whole words of its name', () => {
    const [before, after] = [member('sales.revenue'), member('sales.revenue', net)];
    const other = 'SELECT revenues FROM sales';
    assert.equal(differences(of('SELECT REVENUE FROM Sales', before), of(other, after)).length, 1);
    assert.equal(differences(of(other, before), of('SELECT REVENUE FROM Sales', after)).length, 1);
    assert.equal(differences(of(other, before), of(other, after)).length, 0);
  });

  it('are shown if the name of the member has capitals, digits or other letters', () => {
    for (const [name, sql] of [
      ['Sales.Revenue', 'SELECT revenue FROM sales'],
      ['sales.revenue_2024', 'SELECT revenue_2024 FROM sales'],
      ['sales.größe', 'SELECT größe FROM sales'],
    ] as const)
      assert.equal(differences(of(sql, member(name)), of(sql, member(name, net))).length, 1, name);
  });

  it('are shown beside other steps, such as a text and a search without a result', () => {
    const others = [
      makeItem('text', { content: 'Let me look.' }),
      makeItem('failed', { toolCall: { name: 'svcMeta', input: '{}', result: '{"error":"no model"}' } }),
    ];
    const [left, right] = [of(semantic, member('sales.revenue')), of(semantic, member('sales.revenue', net))].map(
      (found) => changed(found, (items) => [...others, ...items]),
    );
    assert.equal(differences(left!, right!).length, 1);
  });

  it('are those of the last question', () => {
    const [left, right] = [of(semantic, member('sales.revenue')), of(semantic, member('sales.revenue', net))];
    const later = (earlier: Thread): Thread => ({
      ...earlier,
      turns: [...earlier.turns, makeTurn({ id: 'next', content: 'thanks' }, [])],
    });
    assert.deepEqual(differences(later(left), later(right)), []);
  });

  it('are not shown for members that one search did not include', () => {
    assert.deepEqual(differences(of(semantic, member('sales.revenue')), of(semantic)), []);
    assert.deepEqual(differences(thread(), thread()), []);
    assert.deepEqual(differences(emptyThread('left'), emptyThread('right')), []);
  });
});

describe('Export of a comparison', () => {
  const left = thread({ sql: SQL, data: [['2024-01-01', '100.00']], totalRows: 7 });
  const answered = (found: Thread, content: string): Thread =>
    changed(found, (items) => items.map((each) => (each.id === 'answer' ? { ...each, content } : each)));
  const right = answered(thread({ sql: `${SQL}\nLIMIT 1`, data: [['2024-01-01', '92.5']] }), 'It fell.');
  const pairs = queryPairs(left, right);

  it('is CSV with unformatted numbers', () => {
    assert.equal(
      comparisonAsCsv(contexts, pairs),
      'status,month,revenue (main),revenue (net),revenue change,revenue %\r\nchanged,2024-01-01,100.00,92.5,-7.50,-7.50\r\n',
    );
  });

  it('is Markdown with the question, both answers, the SQL difference and the table', () => {
    const text = comparisonAsMarkdown(QUESTION, contexts, [left, right], pairs);
    assert.match(
      text,
      /^# revenue by month\n\n## main · dev\n\nIt grew\.\n\n## net · dev\n\nIt fell\.\n\n## Revenue\n/,
    );
    assert.match(text, /```diff\n {2}SELECT month,\n[^]*\n\+ LIMIT 1\n```/);
    assert.match(text, /\| changed +\| 2024-01-01/);
    assert.match(text, /Only the rows included in the answers are compared/);
  });

  it('loads and runs nothing when it is viewed, whatever its content', () => {
    const image = '![x](https://evil.example/p.png) <img src=https://evil.example/p.png>';
    const hostile = answered(left, image);
    const context = { branch: image, identity: image };
    const named = queryPairs(
      thread({ sql: SQL, data: [], title: image }),
      thread({ sql: SQL, data: [], title: image }),
    );
    const text = comparisonAsMarkdown(image, [context, context], [hostile, hostile], named);
    assert.equal(text.match(/evil\.example/g)?.length, 20);
    assert.doesNotMatch(new MarkdownIt({ html: true }).render(text), /<img/);
  });
});

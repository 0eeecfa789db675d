import assert from 'node:assert/strict';
import MarkdownIt from 'markdown-it';
import { describe, it } from 'mocha';
import { isFromCompare, isToCompare, sideLabels } from '../../../src/shared/protocol/compare.ts';
import { emptyThread, type Item, type Thread } from '../../../src/shared/thread/model.ts';
import { changedMembers } from '../../../src/compare/changedMembers.ts';
import { comparisonAsCsv, comparisonAsMarkdown, queryPairs, shownQueries } from '../../../src/vscode/runs/queries.ts';
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
const heads = {
  question: 'revenue by month',
  left: { branch: 'main', identity: 'dev' },
  right: { branch: 'net', identity: 'dev' },
};

describe('Queries of two answers', () => {
  it('show which lines of the SQL differ', () => {
    const [pair] = queryPairs(thread({ sql: SQL }), thread({ sql: SQL.replace('amount', 'amount - refund') }));
    assert.deepEqual(pair?.sql, [
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
    const [query] = shownQueries(
      queryPairs(thread({ sql: SQL, data: before }), thread({ sql: SQL, data: after })),
      'en',
    );
    assert.deepEqual(query?.results?.dimensions, ['month']);
    assert.deepEqual(query?.results?.rows, [
      {
        status: 'changed',
        key: ['2024-01-01'],
        cells: [{ isChanged: true, left: '100.00', right: '92.50', absolute: '-7.50', percent: '-7.50%' }],
      },
      {
        status: 'changed',
        key: ['2024-02-01'],
        cells: [
          {
            isChanged: true,
            left: '9,007,199,254,740,993.10',
            right: '9,007,199,254,740,993.20',
            absolute: '+0.1',
            percent: '0.00%',
          },
        ],
      },
      { status: 'removed', key: ['2024-03-01'], cells: [{ isChanged: false, left: '5.00' }] },
      { status: 'added', key: ['2024-04-01'], cells: [{ isChanged: false, right: '0.00' }] },
    ]);
  });

  it('distinguish null, the empty string and a missing row', () => {
    const rows = (...keys: (string | null)[]): unknown[][] => keys.map((key, index) => [key, index === 0 ? null : '']);
    const [query] = shownQueries(
      queryPairs(thread({ sql: SQL, data: rows(null, '') }), thread({ sql: SQL, data: rows('', null, 'x') })),
      'en',
    );
    assert.deepEqual(query?.results?.rows, [
      { status: 'changed', key: [null], cells: [{ isChanged: true, left: null, right: '' }] },
      { status: 'added', key: ['x'], cells: [{ isChanged: false, right: '' }] },
      { status: 'changed', key: [''], cells: [{ isChanged: true, left: '', right: null }] },
    ]);
  });

  it('compare amounts at the precision that is asked for, and say so', () => {
    const [before, after] = [
      thread({ sql: SQL, data: [['2024-01-01', '100']] }),
      thread({ sql: SQL, data: [['2024-01-01', '100.04']] }),
    ];
    const countsAt = (precision?: number): unknown[] => {
      const [query] = shownQueries(queryPairs(before, after, precision), 'en');
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
    assert.match(comparisonAsMarkdown(heads, { left: before, right: after }, queryPairs(before, after, 4)), note);
  });

  it('exclude failed queries if one succeeded, and wait for results', () => {
    const failing = { sql: 'SELECT wrong', error: 'no such column' };
    const [pair, ...others] = queryPairs(thread(failing, { sql: SQL, data: [] }), thread({ sql: SQL }));
    assert.equal(others.length, 0);
    assert.equal(pair?.left.sqlQuery, SQL);
    assert.equal(pair?.comparison, undefined);
    assert.deepEqual(queryPairs(thread(), thread({ sql: SQL })), []);
  });

  it('keep the same pair until something changes', () => {
    const [left, right] = [thread({ sql: SQL, data: [] }), thread({ sql: SQL, data: [] })];
    assert.equal(queryPairs(left, right)[0], queryPairs(left, right)[0]);
  });

  it('show the differing rows of large results', () => {
    const data = Array.from({ length: 2000 }, (_, index) => [`2024-01-01 ${index}`, '1']);
    const other = data.map((row, index) => (index === 1500 ? [row[0], '2'] : row));
    const [query] = shownQueries(queryPairs(thread({ sql: SQL, data }), thread({ sql: SQL, data: other })), 'en');
    assert.equal(query?.results?.rows.length, 1);
    assert.equal(query?.results?.counts.same, 1999);
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
    const changed = changedMembers(left, right);
    assert.deepEqual(
      changed.map(({ name, left: before, right: after }) => [name, before.title, after.title]),
      [['sales.revenue', 'Revenue', 'Net revenue']],
    );
    assert.match(
      comparisonAsMarkdown(heads, { left, right }, []),
      /\| sales\.revenue \| Revenue: Before refunds\. \| Net revenue: After refunds\. \|/,
    );
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
      assert.equal(changedMembers(left, right).length, 1);
    });

  it('are shown if a query of either side uses the member, by the whole words of its name', () => {
    const [before, after] = [member('sales.revenue'), member('sales.revenue', net)];
    const other = 'SELECT revenues FROM sales';
    assert.equal(changedMembers(of('SELECT REVENUE FROM Sales', before), of(other, after)).length, 1);
    assert.equal(changedMembers(of(other, before), of('SELECT REVENUE FROM Sales', after)).length, 1);
    assert.equal(changedMembers(of(other, before), of(other, after)).length, 0);
  });

  it('are shown if the name of the member has capitals, digits or other letters', () => {
    for (const [name, sql] of [
      ['Sales.Revenue', 'SELECT revenue FROM sales'],
      ['sales.revenue_2024', 'SELECT revenue_2024 FROM sales'],
      ['sales.größe', 'SELECT größe FROM sales'],
    ] as const)
      assert.equal(changedMembers(of(sql, member(name)), of(sql, member(name, net))).length, 1, name);
  });

  it('are shown beside other steps, such as a text and a search without a result', () => {
    const others = [
      makeItem('text', { content: 'Let me look.' }),
      makeItem('failed', { toolCall: { name: 'svcMeta', input: '{}', result: '{"error":"no model"}' } }),
    ];
    const [left, right] = [of(semantic, member('sales.revenue')), of(semantic, member('sales.revenue', net))].map(
      (found) => changed(found, (items) => [...others, ...items]),
    );
    assert.equal(changedMembers(left!, right!).length, 1);
  });

  it('are those of the last question', () => {
    const [left, right] = [of(semantic, member('sales.revenue')), of(semantic, member('sales.revenue', net))];
    const later = (earlier: Thread): Thread => ({
      ...earlier,
      turns: [...earlier.turns, makeTurn({ id: 'next', content: 'thanks' }, [])],
    });
    assert.deepEqual(changedMembers(later(left), later(right)), []);
  });

  it('are not shown for members that one search did not include', () => {
    assert.deepEqual(changedMembers(of(semantic, member('sales.revenue')), of(semantic)), []);
    assert.deepEqual(changedMembers(thread(), thread()), []);
    assert.deepEqual(changedMembers(emptyThread('left'), emptyThread('right')), []);
  });
});

describe('Export of a comparison', () => {
  const left = thread({ sql: SQL, data: [['2024-01-01', '100.00']], totalRows: 7 });
  const right = thread({ sql: `${SQL}\nLIMIT 1`, data: [['2024-01-01', '92.5']] });
  const pairs = queryPairs(left, right);

  it('is CSV with unformatted numbers', () => {
    assert.equal(
      comparisonAsCsv(heads, pairs),
      'status,month,revenue (main),revenue (net),revenue change,revenue %\r\nchanged,2024-01-01,100.00,92.5,-7.50,-7.50\r\n',
    );
  });

  it('is Markdown with the question, both answers, the SQL difference and the table', () => {
    const text = comparisonAsMarkdown(heads, { left, right }, pairs);
    assert.match(
      text,
      /^# revenue by month\n\n## main · dev\n\nIt grew\.\n\n## net · dev\n\nIt grew\.\n\n## Revenue\n/,
    );
    assert.match(text, /```diff\n {2}SELECT month,\n[^]*\n\+ LIMIT 1\n```/);
    assert.match(text, /\| changed +\| 2024-01-01/);
    assert.match(text, /Only the rows included in the answers are compared/);
  });

  it('loads and runs nothing when it is viewed, whatever its content', () => {
    const image = '![x](https://evil.example/p.png) <img src=https://evil.example/p.png>';
    const hostile = changed(left, (items) =>
      items.map((each) => (each.id === 'answer' ? { ...each, content: image } : each)),
    );
    const named = queryPairs(
      thread({ sql: SQL, data: [], title: image }),
      thread({ sql: SQL, data: [], title: image }),
    );
    const text = comparisonAsMarkdown({ ...heads, question: image }, { left: hostile, right: hostile }, named);
    assert.equal(text.match(/evil\.example/g)?.length, 8);
    assert.doesNotMatch(new MarkdownIt({ html: true }).render(text), /<img/);
  });

  it('labels a side by what distinguishes it', () => {
    assert.deepEqual(sideLabels(heads), { left: 'main', right: 'net' });
    const asTwo = { ...heads, right: { branch: 'main', identity: 'europe' } };
    assert.deepEqual(sideLabels(asTwo), { left: 'dev', right: 'europe' });
    const both = { ...heads, right: { branch: 'net', identity: 'europe' } };
    assert.deepEqual(sideLabels(both), { left: 'main · dev', right: 'net · europe' });
  });
});

describe('Messages of a comparison', () => {
  it('are accepted from the page only in their declared form', () => {
    assert.ok(isFromCompare({ type: 'ready' }));
    assert.ok(isFromCompare({ type: 'side', side: 'left', message: { type: 'stop' } }));
    assert.ok(isFromCompare({ type: 'openThread', side: 'right' }));
    for (const wrong of [
      undefined,
      'ready',
      { type: 'nothing' },
      { type: 'openThread' },
      { type: 'side', side: 'middle', message: { type: 'stop' } },
      { type: 'side', side: 'left', message: { type: 'insertSql' } },
      { type: 'side', side: 'left' },
    ])
      assert.equal(isFromCompare(wrong), false);
  });

  it('are accepted from the host only if it can have sent them', () => {
    assert.ok(isToCompare({ type: 'compared', queries: [] }));
    assert.equal(isToCompare({ type: 'side', side: 'left', message: { type: 'nothing' } }), false);
    assert.equal(isToCompare({ data: 1 }), false);
  });
});

/** The queries of several answers with their differences, on the page and in exports. */
import assert from 'node:assert/strict';
import MarkdownIt from 'markdown-it';
import { describe, it } from 'mocha';
import { compareTables } from '../../../../src/compare/compareTables.ts';
import type { ShownComparison } from '../../../../src/shared/protocol/runs.ts';
import { type Item } from '../../../../src/shared/thread/model.ts';
import {
  comparisonAsCsv,
  comparisonAsMarkdown,
  queryGroups,
  shownQueries,
  shownComparison,
} from '../../../../src/vscode/runs/queries.ts';
import type * as comparing from '../../../../src/vscode/runs/compared.ts';
import { table } from '../../evals/tables.ts';
import { Editor, emptyThread, makeItem, makeTurn, questionNamed, withItems, type Thread } from '../support.ts';

interface Query {
  sql: string;
  data?: unknown[][];
  title?: string;
  description?: string;
  error?: string;
  totalRows?: number;
}

const schema = [
  { name: 'month', column_type: 'date' },
  { name: 'revenue', column_type: 'numeric' },
];

function call({ sql, data, title = 'Revenue', description = '', error, totalRows }: Query, index: number): Item {
  const input = { sqlQuery: sql, queryTitle: title, description };
  const found = data && { ...input, schema: JSON.stringify(schema), data: JSON.stringify(data), totalRows };
  const result = error === undefined ? found : { error };
  const toolCall = {
    name: 'svcSqlApi',
    input: JSON.stringify(input),
    ...(result && { result: JSON.stringify(result) }),
  };
  return makeItem(`call ${index}`, { toolCall });
}

const thread = (...queries: readonly Query[]): Thread => ({
  ...emptyThread('thread'),
  turns: [makeTurn({ id: 'question', content: 'revenue by month' }, [...queries.map(call)])],
});

/** @returns the thread with a search that found a member */
const found = (thread: Thread, title: string, description?: string): Thread => {
  const members = [{ name: 'sales.amount', title, description, type: 'number' }];
  const cubes = [{ name: 'sales', type: 'view', title: 'Sales', members }];
  const toolCall = { name: 'svcMeta', input: '{}', result: JSON.stringify({ searchQuery: '', cubes }) };
  return withItems(thread, makeItem('search', { toolCall }));
};

/** @returns the first compared result on the page */
const resultsOf = (...all: readonly unknown[][][]): ShownComparison =>
  shownQueries(queryGroups(all.map((data) => thread({ sql: SQL, data }))), { locale: 'en' })[0]!.results!;

const SQL = 'SELECT month,\n  SUM(amount) AS revenue\nFROM sales\nGROUP BY 1';
const contexts = [
  { branch: 'main', identity: 'ana' },
  { branch: 'net', identity: 'ben' },
];

describe('Queries of two answers', () => {
  const one = { sql: SQL, title: '', description: 'By month', data: [['2024-01-01', '1']] };
  const two = { sql: 'SELECT 2', data: [['2024-01-01', '2']] };

  it('align results by month and show exact changes, with signs and the same number of decimals', () => {
    const before = [
      ['2024-01-01', '100.00'],
      ['2024-02-01', '9007199254740993.1'],
      [null, '5'],
      ['', null],
    ];
    const after = [
      ['2024-01-01', '92.5'],
      ['2024-02-01', '9007199254740993.2'],
      ['', ''],
      ['2024-04-01', '0'],
    ];
    const row = (status: string, month: string | null, values: object[], change = {}) => ({
      ...{ status, key: [month] },
      cells: [{ values, ...change }],
    });
    const [large, larger] = ['9,007,199,254,740,993.10', '9,007,199,254,740,993.20'];
    const { dimensions, rows } = resultsOf(before, after);
    assert.deepEqual(dimensions, ['month']);
    assert.deepEqual(rows, [
      row('changed', '2024-01-01', [{ text: '100.00' }, { text: '92.50', isChanged: true }], {
        ...{ absolute: '-7.50', percent: '-7.50%' },
      }),
      row('changed', '2024-02-01', [{ text: large }, { text: larger, isChanged: true }], {
        ...{ absolute: '+0.1', percent: '0.00%' },
      }),
      row('removed', null, [{ text: '5.00' }, {}]),
      row('changed', '', [{ text: null }, { text: '', isChanged: true }]),
      row('added', '2024-04-01', [{}, { text: '0.00' }]),
    ]);
  });

  it('exclude failed queries if one succeeded, and wait for results', () => {
    const failing = { sql: 'SELECT wrong', error: 'no such column' };
    const [pair, ...others] = queryGroups([thread(failing, { sql: SQL, data: [] }), thread({ sql: SQL })]);
    assert.equal(others.length, 0);
    assert.equal(pair?.queries[0]?.sqlQuery, SQL);
    assert.equal(pair?.comparison, undefined);
    assert.deepEqual(queryGroups([thread(), thread({ sql: SQL })]), []);
  });

  it('show the differing rows of large results', () => {
    const data = Array.from({ length: 2000 }, (_, index) => [`2024-01-01 ${index}`, '1']);
    const other = data.map((row, index) => (index === 1500 ? [row[0], '2'] : row));
    const { rows, counts } = resultsOf(data, other);
    assert.deepEqual([rows.length, counts.same], [1, 1999]);
  });

  it('end with those that the verdict is about: the last one with rows, and the one that equals it', () => {
    // The first answer with queries is the one that the others may equal.
    const groups = queryGroups([thread(), thread(one, two), thread(two, one)]);
    const counts = groups.map(({ comparison }) => comparison?.counts.same);
    const sql = groups.map(({ queries }) => queries.map((query) => query?.sqlQuery));
    assert.deepEqual(counts, [1, 1]);
    assert.deepEqual(sql.flat(), [undefined, SQL, SQL, undefined, 'SELECT 2', 'SELECT 2']);
    const last = queryGroups([thread(one), thread({ sql: 'SELECT 3', data: [] }, one)]).at(-1);
    assert.equal(last?.comparison?.counts.same, 1);
  });

  it('of more than two answers are shown as they arrive, with the SQL that differs from the first', () => {
    assert.equal(queryGroups([thread(one), undefined, undefined]).length, 1);
    const groups = queryGroups([thread(one), thread(two), thread(one), thread(two), thread({ ...one, data: [] })]);
    assert.deepEqual([groups[0]?.title, groups[0]?.sql.map((each) => each.contexts)], ['By month', [[1, 3]]]);
    const [query] = shownQueries(groups, { locale: 'en', isForbidden: (row, at) => row[1] === '2' && at > 1 });
    assert.deepEqual(query?.results?.rows[0]?.cells, [
      {
        values: [
          ...[{ text: '1' }, { text: '2', isChanged: true }, { text: '1' }],
          ...[{ text: '2', isChanged: true, isForbidden: true }, {}],
        ],
      },
    ]);
  });

  it('of which some lack a column or a row, are marked where they differ from the first', () => {
    const codes = (code: string) => table('region:string code:string', ['Europe', code], ['Asia', null]);
    const tables = [codes('1.1'), codes('1.10'), table('region:string', ['Europe'])];
    const { rows } = shownComparison(compareTables(tables, 4), { locale: 'en' });
    const [first, second] = rows.map(({ cells }) => cells[0]?.values);
    assert.deepEqual(first, [{ text: '1.1' }, { text: '1.10', isChanged: true }, { isChanged: true }]);
    assert.deepEqual(second, [{ text: null }, { text: null }, {}]);
  });
});

describe('The comparison on the page of a run', () => {
  it('has the language and the precision of the window, marks forbidden rows, and is made again only after a change', async () => {
    const editor = Object.assign(new Editor(), {
      settings: { 'evals.precision': 2 },
      more: { env: { language: 'de' } },
    });
    const { compared } = await editor.load<typeof comparing>('runs/compared');
    const question = questionNamed('q', { text: 'why?' });
    const run = {
      asked: [{ question, contexts: ['ana', 'ben', 'cleo'].map((identity) => ({ identity })) }],
      accessTests: [{ ...question, identity: 'ben', access: { kind: 'empty' } }],
      notes: [],
    };
    const on = (value: string): Thread => {
      const data = [['2024-01-01', value]];
      const search = found(thread({ sql: 'SELECT MEASURE(sales.amount) FROM sales', data }), value);
      return withItems(search, call({ sql: SQL, data }, 9));
    };
    const [one, two, other] = ['1000.5', '1004', '2000'].map(on) as [Thread, Thread, Thread];
    const first = compared(run as never, [one, two, other], undefined);
    assert.deepEqual(first.shown.queries.at(-1)?.results?.rows[0]?.cells[0]?.values, [
      { text: '1.000,5' },
      { text: '1.004,0', isForbidden: true },
      { text: '2.000,0', isChanged: true },
    ]);
    assert.equal(first.shown.members.map(({ name }) => name).join(), 'sales.amount');
    assert.equal(compared(run as never, [one, { ...two }, other], first), first);
    const notes = [{ kind: 'forbidden', text: 'No.' }];
    const before = compared(run as never, [one, two, undefined], undefined);
    for (const [changed, threads] of [
      [{ ...run, notes }, [one, two, undefined]],
      [run, [one, undefined, two]],
      [run, [one, thread({ sql: 'SELECT 1' }), undefined]],
    ] as const) {
      const next = compared(changed as never, threads, before);
      assert.deepEqual([next === before, next.shown.notes], [false, changed.notes]);
    }
    editor.settings = { 'evals.precision': 3 };
    assert.equal(compared(run as never, [one, two], before).shown.queries[0]?.results?.precision, 3);
  });
});

describe('Export of a comparison', () => {
  const answered = (content: string, ...queries: readonly Query[]): Thread =>
    withItems(thread(...queries), makeItem('answer', { content, graphPath: ['final'], sort: 2 }));
  const equal = [
    { sql: 'SELECT 0', title: '' },
    { sql: 'SELECT 1', title: 'One', data: [['2024-02-01', '1']] },
  ];
  const revenue = { sql: SQL, data: [['2024-01-01', '100.00']], totalRows: 7 };
  const limited = { sql: `${SQL}\nLIMIT 1`, title: 'Net *revenue*', data: [['2024-01-01', '92.5']] };
  const left = found(answered(' It grew.\n', ...equal, revenue), 'Amount', 'Before refunds.');
  const right = found(answered('', ...equal, limited), 'Net');
  const groups = queryGroups([left, right], 4);

  it('is CSV with unformatted numbers', () => {
    const head = 'status,month,revenue (main · ana),revenue (net · ben),revenue change,revenue %';
    assert.deepEqual(comparisonAsCsv(contexts, groups).split('\r\n'), [
      ...[head, 'same,2024-02-01,1,1,"",""', '', head, 'changed,2024-01-01,100.00,92.5,-7.50,-7.50', ''],
    ]);
  });

  it('is Markdown with the question, both answers, what differs in definitions and SQL, and the tables', () => {
    const head = `| status | month | revenue (main · ana) | revenue (net · ben) | revenue change | revenue % |
| --- | --- | ---: | ---: | ---: | ---: |`;
    const precision = '*Amounts are compared at 4 significant digits.*';
    const text = comparisonAsMarkdown('revenue by *month*', contexts, [left, right], groups);
    assert.deepEqual(text.split('\n\n'), [
      '# revenue by \\*month\\*',
      ...['## main · ana', 'It grew.', '## net · ben', '*There is no answer.*'],
      '## Definitions that differ',
      `| Member | main · ana | net · ben |
| --- | --- | --- |
| sales.amount | Amount: Before refunds. | Net |`,
      ...['## Query', '```sql\nSELECT 0\n```'],
      ...['## One', '```sql\nSELECT 1\n```'],
      ...[`${head}\n| same | 2024-02-01 | 1 | 1 |  |  |`, precision],
      '## Revenue → Net \\*revenue\\*',
      `\`\`\`diff
  SELECT month,
    SUM(amount) AS revenue
  FROM sales
  GROUP BY 1
+ LIMIT 1
\`\`\``,
      ...[`${head}\n| changed | 2024-01-01 | 100.00 | 92.5 | -7.50 | -7.50 |`, precision],
      '*Only the rows included in the answers are compared.*\n',
    ]);
  });

  it('names the contexts of each statement if there are more than two, also one without an answer', () => {
    const three = [...contexts, { branch: 'new_*', identity: 'eve' }];
    const text = comparisonAsMarkdown('q', three, [left, undefined, right], queryGroups([left, undefined, right]));
    assert.deepEqual(text.match(/^## .+|^\*There.+|^\| sales.+|.+(?=\n\n```diff)/gm), [
      ...['## main · ana', '## net · ben', '*There is no answer.*', '## new\\_\\* · eve', '*There is no answer.*'],
      ...['## Definitions that differ', '| sales.amount | Amount: Before refunds. |  | Net |'],
      ...['## Query', '## One', '## Revenue', 'new\\_\\* · eve'],
    ]);
  });

  it('loads and runs nothing when it is viewed, whatever its content', () => {
    const image = '![x](https://evil.example/p.png) <img src=https://evil.example/p.png>';
    const hostile = answered(image, { sql: SQL, data: [], title: image });
    const context = { branch: image, identity: image };
    const text = comparisonAsMarkdown(image, [context, context], [hostile, hostile], queryGroups([hostile, hostile]));
    assert.equal(text.match(/evil\.example/g)?.length, 20);
    assert.doesNotMatch(new MarkdownIt({ html: true }).render(text), /<img/);
  });
});

/** The page with the rows of a result in each of its states: what it shows, and what it posts. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ToResults } from '../../../src/shared/protocol/results.ts';
import { becomes } from '../../support/until.ts';
import { useHostedPage } from '../support/hostedPage.ts';
import { looks, outline } from '../support/outline.ts';

type Table = Extract<ToResults, { type: 'table' }>;
const columns = [
  { name: 'city', type: 'string' },
  { name: 'n', type: 'number' },
];
const first = [
  ['=1+1', 1],
  ['Bern', 2],
];
const point = JSON.stringify({ mark: 'point', encoding: { x: { field: 'n', type: 'quantitative' } } });
const table = (more: Partial<Table> = {}): Table => ({
  ...{ type: 'table', title: 'Cities', guardFormulas: true, hasSql: true, remember: { of: 'me' }, l10n: {} },
  table: { columns, rows: first, totalRows: 4 },
  ...more,
});
const rows = (
  from: number,
  state: 'loading' | 'done' | 'limited' | 'stopped',
  cells: unknown[][] = [],
  notice?: string,
): ToResults => ({
  ...{ type: 'rows', from, rows: cells, state },
  ...(notice === undefined ? {} : { notice }),
});
const all = [...first, ['Oslo', 3], [null, 4]];

const states: readonly (readonly [name: string, messages: readonly ToResults[], expected: string])[] = [
  [
    'a part of the rows',
    [table({ spec: point })],
    `main "Cities"
  heading "Cities" level=1, "2 of 4 rows", button "Show chart", button "Load all", button "Copy results"
  button "Export results", button "Open SQL"
  grid "Results: Cities" [rowgroup [row ^# | ^city | ^n], rowgroup [row #1 | =1+1 selected | 1, row #2 | Bern | 2]]
  status

2 of 4 rows: quiet | Show chart: titled | <graph> | Load all: link | Copy results: titled, haspopup=menu | <copy> | Export results: titled | <desktop-download> | Open SQL: titled | <code> | div: quiet | div: live=polite
city: “city”, no tab stop, sort=none | n: “n”, no tab stop, sort=none
=1+1: tab stop | 1: no tab stop
Bern: no tab stop | 2: no tab stop`,
  ],
  [
    'all rows without SQL',
    [table({ hasSql: false, table: { columns, rows: first, totalRows: 2 } })],
    `main "Cities"
  heading "Cities" level=1, "2 rows", button "Copy results", button "Export results"
  grid "Results: Cities" [rowgroup [row ^# | ^city | ^n], rowgroup [row #1 | =1+1 selected | 1, row #2 | Bern | 2]]
  status

2 rows: quiet | Copy results: titled, haspopup=menu | <copy> | Export results: titled | <desktop-download> | div: quiet | div: live=polite
city: “city”, no tab stop, sort=none | n: “n”, no tab stop, sort=none
=1+1: tab stop | 1: no tab stop
Bern: no tab stop | 2: no tab stop`,
  ],
  [
    'rows while they are loading',
    [table(), rows(0, 'loading', all.slice(0, 3)), rows(9, 'done', all)],
    `main "Cities"
  heading "Cities" level=1, "3 of 4 rows", button "Copy results", button "Export results", button "Open SQL"
  grid "Results: Cities"
    rowgroup [row ^# | ^city | ^n], rowgroup [row #1 | =1+1 selected | 1, row #2 | Bern | 2, row #3 | Oslo | 3]
  status

3 of 4 rows: quiet | Copy results: titled, haspopup=menu | <copy> | Export results: titled | <desktop-download> | Open SQL: titled | <code> | div: quiet | div: live=polite
city: “city”, no tab stop, sort=none | n: “n”, no tab stop, sort=none
=1+1: tab stop | 1: no tab stop
Bern: no tab stop | 2: no tab stop
Oslo: no tab stop | 3: no tab stop`,
  ],
  [
    'as many rows as it can',
    [table(), rows(0, 'limited', all.slice(0, 3))],
    `main "Cities"
  heading "Cities" level=1, "3 of 4 rows; export to get all", button "Copy results", button "Export results"
  button "Open SQL"
  grid "Results: Cities"
    rowgroup [row ^# | ^city | ^n], rowgroup [row #1 | =1+1 selected | 1, row #2 | Bern | 2, row #3 | Oslo | 3]
  status

3 of 4 rows; export to get all: quiet | Copy results: titled, haspopup=menu | <copy> | Export results: titled | <desktop-download> | Open SQL: titled | <code> | div: quiet | div: live=polite
city: “city”, no tab stop, sort=none | n: “n”, no tab stop, sort=none
=1+1: tab stop | 1: no tab stop
Bern: no tab stop | 2: no tab stop
Oslo: no tab stop | 3: no tab stop`,
  ],
  [
    'the rows of the answer after a load that got none',
    [table(), rows(0, 'loading'), rows(0, 'stopped')],
    `main "Cities"
  heading "Cities" level=1, "2 of 4 rows", button "Load all", button "Copy results", button "Export results"
  button "Open SQL"
  grid "Results: Cities" [rowgroup [row ^# | ^city | ^n], rowgroup [row #1 | =1+1 selected | 1, row #2 | Bern | 2]]
  status

2 of 4 rows: quiet | Load all: link | Copy results: titled, haspopup=menu | <copy> | Export results: titled | <desktop-download> | Open SQL: titled | <code> | div: quiet | div: live=polite
city: “city”, no tab stop, sort=none | n: “n”, no tab stop, sort=none
=1+1: tab stop | 1: no tab stop
Bern: no tab stop | 2: no tab stop`,
  ],
  [
    'that there are no rows',
    [table({ spec: point, table: { columns, rows: [], totalRows: 0 } })],
    `main "Cities"
  heading "Cities" level=1, "0 rows", button "Copy results", button "Export results", button "Open SQL"
  grid "Results: Cities" [rowgroup [row ^# | ^["city", button "Actions for column city"] | ^n], rowgroup]
  paragraph (The query returned no rows.), status

0 rows: quiet | Copy results: titled, haspopup=menu | <copy> | Export results: titled | <desktop-download> | Open SQL: titled | <code> | div: quiet | div: live=polite
city: “city”, tab stop, sort=none | <chevron-down>: titled, no tab stop | n: “n”, no tab stop, sort=none
The query returned no rows.: quiet`,
  ],
  [
    'loaded rows that differ',
    [table({ spec: point }), rows(0, 'loading', first), rows(2, 'done', all.slice(2), 'They differ.')],
    `main "Cities"
  heading "Cities" level=1, "All 4 rows", button "Show chart", button "Copy results", button "Export results"
  button "Open SQL", note (They differ.)
  grid "Results: Cities"
    rowgroup [row ^# | ^city | ^n]
    rowgroup [row #1 | =1+1 selected | 1, row #2 | Bern | 2, row #3 | Oslo | 3, row #4 | NULL | 4]
  status (They differ.)

All 4 rows: quiet | Show chart: titled | <graph> | Copy results: titled, haspopup=menu | <copy> | Export results: titled | <desktop-download> | Open SQL: titled | <code> | They differ.: quiet | <warning> | div: quiet | They differ.: live=polite
city: “city”, no tab stop, sort=none | n: “n”, no tab stop, sort=none
=1+1: tab stop | 1: no tab stop
Bern: no tab stop | 2: no tab stop
Oslo: no tab stop | 3: no tab stop
NULL: no tab stop, quiet | 4: no tab stop`,
  ],
  [
    'that there are no columns',
    [table({ table: { columns: [], rows: [], totalRows: 0 } })],
    `main "Cities"
  heading "Cities" level=1, "0 rows", button "Copy results", button "Export results", button "Open SQL"
  paragraph (The query returned no columns.)

0 rows: quiet | Copy results: titled, haspopup=menu | <copy> | Export results: titled | <desktop-download> | Open SQL: titled | <code>
The query returned no columns.: quiet`,
  ],
];

describe('The page of a result', () => {
  const setup = useHostedPage('results', { width: 700, height: 500 });
  const button = (name: string) => setup.page.getByRole('button', { name });
  const grid = () => setup.page.getByRole('grid');

  for (const [name, messages, expected] of states)
    it(`shows ${name}, and nothing of what it showed before`, async () => {
      await setup.post(...messages);
      const page = setup.page.locator('#root');
      assert.equal(`${await outline(page)}\n\n${await looks(page)}`, expected);
      assert.deepEqual(await setup.saved(), { of: 'me' });
    });

  it('asks the host for what its buttons say, with the columns and rows as shown', async () => {
    await setup.reload();
    await setup.post(table({ spec: point }), {
      type: 'arrange',
      shown: {
        columns: [1, 0],
        filters: [[1, { condition: 'atLeast', value: '2', to: '' }]],
        sorting: { column: 1, direction: 'descending' },
      },
    });
    await setup.posted();
    const shown = {
      columns: [1, 0],
      sorting: { column: 1, direction: 'descending' },
      filters: [[1, { condition: 'atLeast', value: '2', to: '' }]],
      locale: 'en-US',
    };
    await button('Show chart').click();
    await setup.page.getByRole('img', { name: /^Chart: Cities.*\. 2 rows/ }).waitFor();
    for (const [name, expected] of [
      ['Export results', [{ type: 'exportResults', shown: { ...shown, isWhole: false } }]],
      ['Open SQL', [{ type: 'openSql' }]],
      ['Show table', []],
      ['Load all', [{ type: 'loadAll' }]],
    ] as const) {
      await button(name).click();
      assert.deepEqual(await setup.posted(), expected, name);
    }
    assert.equal(
      await grid().locator(':focus').textContent(),
      '2',
      'the button that was clicked is going to be removed',
    );
    await setup.post(rows(0, 'done', all));
    assert.deepEqual(await grid().getByRole('gridcell').allTextContents(), ['4', 'NULL', '3', 'Oslo', '2', 'Bern']);
    await button('Export results').click();
    assert.deepEqual(await setup.posted(), [{ type: 'exportResults', shown: { ...shown, isWhole: true } }]);
    await setup.post(table({ table: { columns: [], rows: [], totalRows: 0 } }));
    await button('Export results').click();
    assert.deepEqual(await setup.posted(), [
      { type: 'exportResults', shown: { columns: [], filters: [], isWhole: false } },
    ]);
    await button('Copy results').click();
    assert.equal(await setup.page.getByRole('menu').count(), 0, 'there is nothing to copy');
  });

  it('copies its rows in each format, with or without headers, and formulas as the settings say', async () => {
    await setup.reload();
    await setup.post(table());
    await setup.posted();
    const menu = setup.page.getByRole('menu', { name: 'Copy results' });
    const copied: unknown[] = [];
    const copy = async (...names: string[]): Promise<void> => {
      for (const name of names) {
        if (!(await menu.isVisible())) await button('Copy results').click();
        await menu.getByRole('menuitem', { name }).click();
        copied.push(...(await setup.posted()).map((message) => (message as { text: string }).text));
      }
    };
    await copy('Copy as TSV', 'Copy as CSV', 'Copy as JSON', 'Copy as Markdown', 'Copy as SQL IN List');
    await button('Copy results').click();
    const headers = menu.getByRole('menuitemcheckbox', { name: 'With Headers' });
    const isChecked = () => headers.getAttribute('aria-checked');
    assert.equal(await isChecked(), 'true');
    await headers.click();
    await becomes(isChecked, 'false');
    await copy('Copy as TSV');
    await setup.post(table({ guardFormulas: false }));
    const filter = { condition: 'equals', value: '1', to: '' } as const;
    await setup.post({ type: 'arrange', shown: { columns: [1, 0], filters: [[1, filter]] } });
    await copy('Copy as CSV');
    assert.deepEqual(copied, [
      "city\tn\n'=1+1\t1\nBern\t2\n",
      "city,n\r\n'=1+1,1\r\nBern,2\r\n",
      '[\n  {"city": "=1+1", "n": 1},\n  {"city": "Bern", "n": 2}\n]\n',
      '| city | n |\n| --- | ---: |\n| =1+1 | 1 |\n| Bern | 2 |\n',
      "(('=1+1', 1), ('Bern', 2))",
      "'=1+1\t1\nBern\t2\n",
      '1,=1+1\r\n',
    ]);
    await grid().getByRole('gridcell').last().click();
    await setup.page.keyboard.press('Control+c');
    await setup.page.getByRole('status').filter({ hasText: '1 cell copied' }).waitFor();
    assert.deepEqual(await setup.posted(), [{ type: 'copy', text: '=1+1' }]);
  });

  it('shows its chart instead of the rows, which keep their filters, or why there is none', async () => {
    await setup.reload();
    await setup.post(table({ spec: point }));
    await button('Show chart').click();
    await setup.page.getByRole('img', { name: /^Chart: Cities.*\. 2 rows/ }).waitFor();
    await setup.page.getByText('The chart shows 2 of 4 rows.').waitFor();
    assert.equal(await grid().count(), 0);
    await setup.post(rows(0, 'loading', all.slice(0, 3)));
    assert.equal(await setup.page.getByRole('img', { name: /\. 3 rows/ }).count(), 0, 'not before all are loaded');
    await setup.post(rows(3, 'done', all.slice(3)));
    await setup.page.getByRole('img', { name: /^Chart: Cities.*\. 4 rows/ }).waitFor();
    await button('Show table').click();
    assert.equal(await grid().getAttribute('aria-rowcount'), '5');
    await setup.post(table({ spec: '{"mark":"bomb"}' }));
    await button('Show chart').click();
    await setup.page.getByText(/^Can’t draw the chart: /).waitFor();
    await grid().waitFor();
  });
});

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { sales } from '../../fixtures/chart/drawable.ts';
import type { ResultTable } from '../../../src/shared/wire/toolPayloads.ts';
import { openSite, type ChartSite } from './site.ts';

describe('a chart in a western time zone', () => {
  let site: ChartSite;
  before(async () => {
    site = await openSite(undefined, 'America/Los_Angeles');
  });
  after(() => site.close());

  it('shows a month with its own name', async () => {
    const encoding = {
      x: { field: 'sales.month', type: 'temporal', timeUnit: 'month' },
      y: { field: 'orders', type: 'quantitative' },
    };
    const table = { ...sales, rows: sales.rows.filter(([month]) => month === '2024-03-01') };
    await site.draw({ spec: JSON.stringify({ mark: 'bar', encoding }), table, title: '' }, true);
    await site.page.locator('.mark-rect path').first().hover();
    assert.match(await site.page.locator('.chart-tooltip').innerText(), /sales\.month: Mar/);
    await site.clear();
  });

  it('has the months and weekdays of another language under their own numbers', async () => {
    await site.page.evaluate(() => Object.defineProperty(navigator, 'language', { value: 'de', configurable: true }));
    const calculate = "timeFormat(datetime(2024, 0, 1), '%B %b %A %a')";
    const spec = { transform: [{ calculate, as: 'k' }], mark: 'text', encoding: { text: { field: 'k' } } };
    await site.draw({ spec: JSON.stringify(spec), table: { ...sales, rows: sales.rows.slice(0, 1) }, title: '' }, true);
    const text = site.page.locator('.role-mark.mark-text text');
    assert.equal(await text.textContent(), 'Januar Jan Montag Mo');
    await site.page.evaluate(() => Reflect.deleteProperty(navigator, 'language'));
    await site.clear();
  });

  const days = { columns: [{ name: 'd', type: 'date' }], rows: [['2021-01-01'], ['2022-02-01']], totalRows: 2 };
  const years = { columns: [{ name: 'd', type: 'string' }], rows: [['2021'], ['2022']], totalRows: 2 };
  const year = {
    transform: [{ calculate: 'year(datum.d)', as: 'y' }],
    encoding: { x: { field: 'y', type: 'ordinal' } },
  };
  for (const [name, table, spec, labels] of [
    ['a year', years, { encoding: { x: { field: 'd', timeUnit: 'year', type: 'ordinal' } } }, ['2021', '2022']],
    ['the year of a day', days, year, ['2021', '2022']],
    ['the year of a year', years, year, ['2021', '2022']],
    [
      'a day by its format',
      days,
      { encoding: { x: { field: 'd', type: 'ordinal', axis: { format: '%b %d', formatType: 'time' } } } },
      ['Jan 01', 'Feb 01'],
    ],
    [
      'a day by an expression',
      days,
      {
        encoding: {
          x: { field: 'd', type: 'ordinal', axis: { labelExpr: "timeFormat(toDate(datum.value), '%b %Y')" } },
        },
      },
      ['Jan 2021', 'Feb 2022'],
    ],
  ] as const) {
    it(`shows ${name} with its own name`, async () => {
      await site.draw(
        { spec: JSON.stringify({ mark: 'bar', ...spec }), table: { ...table, rows: [...table.rows] }, title: '' },
        true,
      );
      assert.deepEqual(await site.page.locator('.role-axis-label text').allTextContents(), labels);
      await site.clear();
    });
  }
});

const table = (type: string, ...cells: unknown[]): ResultTable => ({
  columns: [
    { name: 'd', type },
    { name: 'v', type: 'number' },
  ],
  rows: cells.map((cell, at) => [cell, at + 1]),
  totalRows: cells.length,
});
const inBerlin = ['2024-01-01 00:00:00.000 Europe/Berlin', '2024-07-01 00:00:00.000 Europe/Berlin'];
const columns: readonly (readonly [what: string, ResultTable])[] = [
  ['months as numbers', table('number', 202401, 202407)],
  ['months as digits', table('string', '202401', '202407')],
  ['days as numbers', table('number', 20240101, 20240701)],
  ['midnights of a zone', table('timestamp', '2024-01-01 00:00:00+01', '2024-07-01 00:00:00+02')],
  ['midnights in UTC', table('timestamp', '2024-01-01T00:00:00Z', '2024-07-01 00:00:00+00')],
  ['midnights of a named zone', table('timestamp(3) with time zone', ...inBerlin)],
  ['Unix seconds of midnights', table('number', 1_704_067_200, 1_719_792_000)],
  ['Unix milliseconds of midnights', table('string', '1704067200000', '1719792000000')],
];

for (const zone of ['America/New_York', 'UTC', 'Asia/Kolkata', 'Pacific/Auckland'])
  describe(`a chart of times in ${zone}`, () => {
    let site: ChartSite;
    before(async () => {
      site = await openSite(undefined, zone);
    });
    after(() => site.close());

    for (const [what, rows] of columns)
      it(`shows the months of the service: ${what}`, async () => {
        for (const timeUnit of ['yearmonth', 'utcyearmonth']) {
          const x = { field: 'd', timeUnit, type: 'ordinal' };
          const spec = { mark: 'bar', encoding: { x, y: { field: 'v', type: 'quantitative' } } };
          const drawn = await site.draw({ spec: JSON.stringify(spec), table: rows, title: '' }, true);
          assert.deepEqual([drawn.problem, drawn.notices], [undefined, []]);
          const labels = await site.page.locator('.role-axis-label text').allTextContents();
          assert.deepEqual(labels.slice(0, 2), ['Jan 2024', 'Jul 2024'], timeUnit);
          await site.clear();
        }
      });

    it('has an axis from the first to the last month', async () => {
      for (const [what, rows] of columns) {
        const x = { field: 'd', timeUnit: 'yearmonth', type: 'temporal' };
        const spec = { mark: 'bar', encoding: { x, y: { field: 'v', type: 'quantitative' } } };
        const drawn = await site.draw({ spec: JSON.stringify(spec), table: rows, title: '' }, true);
        const labels = await site.page.locator('.role-axis-label text').allTextContents();
        assert.deepEqual([drawn.problem, drawn.notices, labels[0]], [undefined, [], 'Jan 2024'], what);
        assert.ok(labels.includes('Jul 2024') && !labels.includes('Dec 2023'), labels.join());
        await site.clear();
      }
    });
  });

describe('a chart of cells that are not times', () => {
  let site: ChartSite;
  before(async () => {
    site = await openSite();
  });
  after(() => site.close());

  it('says which ones, and draws the others', async () => {
    const spec = {
      mark: 'line',
      encoding: { x: { field: 'd', type: 'temporal' }, y: { field: 'v', type: 'quantitative' } },
    };
    const draw = (...cells: unknown[]) =>
      site.draw({ spec: JSON.stringify(spec), table: table('string', ...cells), title: '' });
    const some = await draw('2024-01-01', 'Region 5', '2024-03-01', 'Total');
    assert.deepEqual(some.notices, [
      '2 of 4 rows have no drawable value and are left out.',
      '2 values of “d” can’t be read as times, for example Region 5',
    ]);
    const none = await draw(45_292, 45_293);
    assert.equal(none.problem, '2 values of “d” can’t be read as times, for example 45292');
  });
});

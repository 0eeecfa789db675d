import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { altText } from '../../../../src/shared/chart/altText.ts';
import { chartRows } from '../../../../src/shared/chart/rows.ts';

const table = {
  columns: [
    { name: 'month', type: 'time' },
    { name: 'revenue', type: 'number' },
  ],
  rows: [
    ['2024-01-01', '1200'],
    ['2024-02-01', '900.5'],
    ['2024-03-01', '1500'],
  ],
  totalRows: 3,
};
const x = { field: 'month', type: 'temporal' };
const y = { field: 'revenue', type: 'quantitative' };

describe('the text alternative of a chart', () => {
  const say = (spec: Record<string, unknown>, title: string) => altText(spec, chartRows(spec, table), { table, title });

  it('contains title, marks, fields and extremes', () => {
    assert.equal(
      say({ mark: 'line', encoding: { x, y } }, 'Revenue by month'),
      'Chart: Revenue by month. line chart of month, revenue. 3 rows. ' +
        'revenue: lowest 900.5 at 2024-02-01, highest 1,500 at 2024-03-01',
    );
  });

  it('rounds numbers, but no small one to zero', () => {
    const rows = [0.000_425_9, 1_234.567_89].map((revenue) => ['2024-01-01', revenue]);
    const spec = { mark: 'bar', encoding: { x, y } };
    assert.match(
      altText(spec, chartRows(spec, { ...table, rows }), { table, title: '' }),
      /lowest 0\.000426 at .*, highest 1,234\.568 at/,
    );
  });

  it('names the first of several rows with the same extreme, and no row without a value', () => {
    const rows = [[null], ['5'], ['9'], ['5'], ['9'], ['n/a']].map(([revenue], at) => [`2024-0${at + 1}-01`, revenue]);
    const ties = { ...table, rows };
    const spec = { mark: 'bar', encoding: { x, y } };
    assert.match(
      altText(spec, chartRows(spec, ties), { table: ties, title: '' }),
      /revenue: lowest 5 at 2024-02-01, highest 9 at 2024-03-01$/,
    );
  });

  it('contains every mark of a layered chart once, and the title of the specification', () => {
    const layer = [{ mark: 'bar' }, { mark: { type: 'line' } }, { mark: 'line' }];
    assert.match(
      say({ title: 'Both', encoding: { x, y }, layer }, ''),
      /^Chart: Both\. bar chart, line chart of month, revenue\./,
    );
  });

  it('counts rows, names aggregates, and gives no extremes where there are no numbers', () => {
    const count = { aggregate: 'count', type: 'quantitative' };
    assert.match(say({ mark: 'bar', encoding: { x, y: count } }, ''), /of month, count\. 3 rows$/);
    const sum = { ...y, aggregate: 'sum' };
    assert.match(
      say({ mark: 'bar', encoding: { x, y: sum } }, ''),
      /of month, revenue \(sum\)\. 3 rows\. revenue: lowest/,
    );
    const texts = { ...table, rows: [['2024-01-01', 'n/a']] };
    const spec = { mark: 'bar', encoding: { x, y } };
    assert.match(altText(spec, chartRows(spec, texts), { table: texts, title: '' }), /1 row$/);
  });

  it('has the title of the specification in any form, or its description', () => {
    const titled = (fields: object): string => say({ mark: 'rule', encoding: {}, ...fields }, '');
    assert.match(titled({ title: ['Two', 'lines'] }), /^Chart: Two lines\./);
    assert.match(titled({ title: { text: 'Object' } }), /^Chart: Object\./);
    assert.match(titled({ description: 'Described' }), /^Chart: Described\./);
    assert.match(titled({ title: 'Title', description: 'Described' }), /^Chart: Title\./);
  });

  it('gives extremes for up to three measures of the result, at its first dimension', () => {
    const made = { field: 'made', type: 'nominal' };
    assert.match(say({ mark: 'bar', encoding: { color: made, x, y, x2: null } }, ''), /lowest 900\.5 at 2024-02-01, /);
    const mean = { field: 'revenue', aggregate: 'mean' };
    assert.match(
      say({ mark: 'bar', encoding: { y: mean, y2: { aggregate: 'sum' } } }, ''),
      /of revenue \(mean\)\. 3 rows\. revenue: lowest 900\.5, highest 1,500$/,
    );
    const names = ['a', 'b', 'c', 'd'];
    const wide = { columns: names.map((name) => ({ name, type: 'number' })), rows: [[1, 2, 3, 4]], totalRows: 1 };
    const fields = { x: 'a', y: 'b', size: 'c', color: 'd' };
    const encoding = Object.fromEntries(
      Object.entries(fields).map(([key, field]) => [key, { field, type: 'quantitative' }]),
    );
    const text = altText({ mark: 'point', encoding }, chartRows({ mark: 'point', encoding }, wide), {
      table: wide,
      title: '',
    });
    assert.deepEqual(text.match(/\w: lowest/g), ['a: lowest', 'b: lowest', 'c: lowest']);
  });

  it('writes the dimension at an extreme as text', () => {
    const at = (value: unknown, type = 'string'): string => {
      const one = {
        columns: [
          { name: 'd', type },
          { name: 'v', type: 'number' },
        ],
        rows: [[value, 1]],
        totalRows: 1,
      };
      const encoding = { x: { field: 'd', type: 'nominal' }, y: { field: 'v', type: 'quantitative' } };
      const rows = [{ d: value, v: 1 }];
      return altText({ mark: 'bar', encoding }, rows, { table: one, title: '' }).replace(
        /^.*lowest 1 at (.*), highest.*$/,
        '$1',
      );
    };
    for (const [value, text] of [
      [null, 'no value'],
      [{ a: 1 }, '{"a":1}'],
      [true, 'true'],
      ['2024-01-01T00:00:00', '2024-01-01'],
      ['2024-01-01T00:00:00.000Z', '2024-01-01'],
      ['T00:00:00Z is midnight', 'T00:00:00Z is midnight'],
      ['x'.repeat(70), 'x'.repeat(60)],
    ] as const)
      assert.equal(at(value), text);
  });

  it('gives no extremes of numbers that are names', () => {
    const years = { columns: [{ name: 'year', type: 'number' }], rows: [[2023], [2024]], totalRows: 2 };
    const encoding = { x: { field: 'year', type: 'ordinal' }, y: { aggregate: 'count' } };
    assert.equal(
      altText({ mark: 'bar', encoding }, chartRows({ encoding }, years), { table: years, title: '' }),
      'Chart. bar chart of year, count. 2 rows',
    );
  });

  it('describes a chart without fields', () => {
    assert.equal(say({ layer: [] }, ''), 'Chart. 3 rows');
    assert.equal(say({ mark: 'rule', encoding: {} }, ''), 'Chart. lines. 3 rows');
  });
});

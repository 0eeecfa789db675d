/** What a grid shows of a table: columns, order and filters. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { arranged, isAsCame } from '../../../../src/shared/results/arrange.ts';

const table = {
  columns: [
    { name: 'status', type: 'string' },
    { name: 'total', type: 'double' },
    { name: 'city', type: 'string' },
  ],
  rows: [
    ['open', '1500.5', 'Rome'],
    ['paid', '90', 'Oslo'],
    ['paid', '2000', 'Bern'],
  ],
  totalRows: 400,
};

describe('an arrangement of a table', () => {
  it('has the shown columns in their order, and the rows that pass the filters, sorted', () => {
    const over = (value: string) => ({ condition: 'greater', value, to: '' }) as const;
    for (const [shown, names, rows] of [
      [{ columns: [2, 1], filters: [] }, ['city', 'total'], table.rows.map(([, total, city]) => [city, total])],
      [
        { columns: [1], sorting: { column: 0, direction: 'descending' }, filters: [] },
        ['total'],
        [['90'], ['2000'], ['1500.5']],
      ],
      [{ columns: [2], filters: [[1, over('1,000')]], locale: 'en' }, ['city'], [['Rome'], ['Bern']]],
      [{ columns: [2], filters: [[1, over('1.500,6')]], locale: 'de' }, ['city'], [['Bern']]],
      // A column that the table no longer has.
      [
        { columns: [0, 7], sorting: { column: 8, direction: 'ascending' }, filters: [[9, over('1')]] },
        ['status'],
        [['open'], ['paid'], ['paid']],
      ],
    ] as const) {
      const result = arranged(table, shown);
      assert.deepEqual(
        result.columns.map(({ name }) => name),
        names,
      );
      assert.deepEqual(result.rows, rows);
      assert.equal(result.totalRows, rows.length);
    }
  });

  it('is that of the table only with all columns in their order, unsorted and unfiltered', () => {
    const filter = { condition: 'empty', value: '', to: '' } as const;
    assert.ok(isAsCame({ columns: [0, 1, 2], filters: [] }, table));
    assert.ok(!isAsCame({ columns: [0, 2, 1], filters: [] }, table));
    assert.ok(!isAsCame({ columns: [0, 1], filters: [] }, table));
    assert.ok(!isAsCame({ columns: [0, 1, 2], filters: [[0, filter]] }, table));
    assert.ok(!isAsCame({ columns: [0, 1, 2], sorting: { column: 0, direction: 'ascending' }, filters: [] }, table));
  });
});

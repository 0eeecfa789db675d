import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { ResultTable } from '../../../src/shared/wire/toolPayloads.ts';
import { compareTables } from '../../../src/compare/compareTables.ts';
import { runs } from '../insert/arbitrarySql.ts';
import { COLUMNS, left, right, table } from './support.ts';

describe('two results', () => {
  it('are aligned by their dimensions, whatever the order of rows', () => {
    const { rows, counts, dimensions, measures, isPartial } = compareTables(left, right);
    assert.deepEqual(
      dimensions.map(({ name }) => name),
      ['status'],
    );
    assert.deepEqual(
      measures.map(({ name }) => name),
      ['revenue'],
    );
    assert.deepEqual(
      rows.map(({ status, key }) => `${status} ${String(key[0])}`),
      ['same new', 'added returned', 'changed shipped', 'removed lost'],
    );
    assert.deepEqual(rows[2]?.cells[0], {
      left: '250.5',
      right: '200.25',
      isChanged: true,
      change: { absolute: '-50.25', percent: '-20.06' },
    });
    assert.deepEqual(counts, { same: 1, changed: 1, added: 1, removed: 1 });
    assert.equal(isPartial, false);
  });

  it('distinguish null from the empty string, the text null and zero', () => {
    const one = (value: unknown) => table(['a:string', 'b:number'], [['x', value]]);
    assert.equal(compareTables(one(null), one(null)).counts.same, 1);
    assert.equal(compareTables(one(null), one(0)).counts.changed, 1);
    assert.equal(compareTables(table(['a:string'], [[null]]), table(['a:string'], [['']])).counts.added, 1);
    assert.equal(compareTables(table(['a:string'], [[null]]), table(['a:string'], [['null']])).counts.added, 1);
  });

  it('with a single number compare that number', () => {
    const { rows } = compareTables(table(['n:number'], [[10]]), table(['n:number'], [[12]]));
    assert.deepEqual(rows[0]?.cells[0]?.change, { absolute: '2', percent: '20.00' });
  });

  it('use a number as a dimension if nothing else identifies rows', () => {
    const years = (a: number, b: number) =>
      table(
        ['year:number', 'revenue:number'],
        [
          [2024, a],
          [2025, b],
        ],
      );
    const { dimensions, rows } = compareTables(years(1, 2), years(1, 3));
    assert.deepEqual(
      dimensions.map(({ name }) => name),
      ['year'],
    );
    assert.deepEqual(
      rows.map(({ status }) => status),
      ['same', 'changed'],
    );
  });

  it('distinguish text that looks like a number, and columns of the same name', () => {
    const versions = (...rows: unknown[][]) =>
      compareTables(table(['v:string', 'n:number'], rows), table(['v:string', 'n:number'], rows.toReversed()));
    assert.equal(versions(['1.1', 1], ['1.10', 2]).counts.same, 2);
    const codes = compareTables(table(['zip:string'], [['01234']]), table(['zip:string'], [['1234']]));
    assert.deepEqual([codes.counts.added, codes.counts.removed], [1, 1]);
    const twice = (last: number) => table(['region:string', 'n:number', 'n:number'], [['a', 1, last]]);
    assert.equal(compareTables(twice(2), twice(3)).counts.changed, 1);
  });

  it('have removed rows after the row that precedes them on the left', () => {
    const keyed = (...keys: string[]) =>
      table(
        ['k:string', 'n:number'],
        keys.map((key) => [key, 1]),
      );
    const order = (left: string[], right: string[]): string[] =>
      compareTables(keyed(...left), keyed(...right)).rows.map(({ status, key }) => `${status} ${String(key[0])}`);
    assert.deepEqual(order(['x', 'y', 'a'], ['a']), ['removed x', 'removed y', 'same a']);
    assert.deepEqual(order(['a', 'b', 'c', 'd'], ['d', 'a']), ['same d', 'same a', 'removed b', 'removed c']);
    assert.deepEqual(order(['a', 'b'], ['n', 'b']), ['removed a', 'added n', 'same b']);
  });

  it('number columns with the same name, on both sides', () => {
    const columns = ['n:number', 'n:number', 'n:number'];
    const { measures, dimensions } = compareTables(table(columns, [[1, 2, 3]]), table(columns, [[1, 2, 4]]));
    assert.deepEqual(
      [...dimensions, ...measures].map(({ name }) => name),
      ['n', 'n (2)', 'n (3)'],
    );
  });

  it('distinguish keys whose texts are the same when they are joined', () => {
    const of = (...key: string[]) => table(['a:string', 'b:string', 'n:number'], [[...key, 1]]);
    const { counts } = compareTables(of('x', 'yz'), of('xy', 'z'));
    assert.deepEqual([counts.added, counts.removed], [1, 1]);
  });

  it('use as few numbers as dimensions as identify rows, and keep one as a measure', () => {
    const of = (...rows: unknown[][]) => table(['k:string', 'a:number', 'b:number', 'c:number'], rows);
    const dimensionsOf = (...rows: unknown[][]): string[] =>
      compareTables(of(...rows), of(...rows)).dimensions.map(({ name }) => name);
    assert.deepEqual(dimensionsOf(['x', 1, 1, 1], ['y', 1, 1, 1]), ['k']);
    assert.deepEqual(dimensionsOf(['x', 1, 1, 1], ['x', 2, 1, 1]), ['k', 'a']);
    assert.deepEqual(dimensionsOf(['x', 1, 1, 1], ['x', 1, 2, 1]), ['k', 'a', 'b']);
    assert.deepEqual(dimensionsOf(['x', 1, 1, 1], ['x', 1, 1, 2]), ['k']);
  });

  it('use a number that identifies the rows of either side, in the order of the columns', () => {
    const of = (...years: number[]) =>
      table(
        ['year:number', 'k:string', 'n:number'],
        years.map((year) => [year, 'x', 1]),
      );
    for (const [left, right] of [
      [of(2024), of(2024, 2025)],
      [of(2024, 2025), of(2024)],
    ] as const)
      assert.deepEqual(
        compareTables(left, right).dimensions.map(({ name }) => name),
        ['year', 'k'],
      );
  });

  it('are aligned by a column that only one side has as text', () => {
    const [numbers, texts] = [7, '7'].map((code) => table([`code:${typeof code}`, 'n:number'], [[code, 1]]));
    const { dimensions, counts } = compareTables(numbers!, texts!);
    assert.deepEqual([dimensions.map(({ name }) => name), counts.same], [['code'], 1]);
  });

  it('have no change of a cell that is no number, or has no value', () => {
    const of = (cell: unknown) => table(['k:string', 'n:number'], [['x', cell]]);
    for (const [left, right] of [
      [1, 'n/a'],
      ['n/a', 1],
      [1, null],
    ])
      assert.deepEqual(compareTables(of(left), of(right)).rows[0]?.cells, [{ left, right, isChanged: true }]);
    assert.deepEqual(compareTables(of(undefined), of(null)).rows[0]?.cells, [
      ...[{ left: null, right: null, isChanged: false }],
    ]);
  });

  it('have the cells of one side in added and removed rows, with null for a missing cell', () => {
    const { rows } = compareTables(table(['k:string', 'n:number'], [['x']]), table(['k:string', 'n:number'], [['y']]));
    assert.deepEqual(
      rows.map(({ status, cells }) => [status, cells]),
      [
        ['removed', [{ left: null, isChanged: false }]],
        ['added', [{ right: null, isChanged: false }]],
      ],
    );
  });

  it('pair equal rows with the same key in any order', () => {
    const rows = [
      ['x', 1, 'a'],
      ['x', 2, 'a'],
      ['y', 5, 'b'],
      ['x', 2, 'a'],
    ];
    const unsorted = (of: unknown[][]) => table(['k:string', 'v:number', 'g:string'], of);
    assert.equal(compareTables(unsorted(rows), unsorted(rows.toReversed())).counts.same, 4);
    const changed = compareTables(unsorted(rows), unsorted([['x', 3, 'a'], ...rows.slice(1).toReversed()]));
    assert.deepEqual(
      changed.rows.map(({ status, cells }) => [status, cells.map(({ left, right: after }) => [left, after])]),
      [
        ['changed', [[1, 3]]],
        ['same', [[2, 2]]],
        ['same', [[5, 5]]],
        ['same', [[2, 2]]],
      ],
    );
  });

  it('pair other rows with the same key in order', () => {
    const twice = (a: number, b: number) =>
      table(
        ['k:string', 'v:number'],
        [
          ['x', a],
          ['x', b],
        ],
      );
    assert.deepEqual(
      compareTables(twice(1, 2), twice(1, 5)).rows.map(({ status }) => status),
      ['same', 'changed'],
    );
  });

  it('name columns of only one side, without marking rows as changed', () => {
    const { measures, counts, rows } = compareTables(
      table(['a:string', 'b:number'], [['x', 1]]),
      table(['a:string', 'c:number'], [['x', 2]]),
    );
    assert.deepEqual([measures.map(({ name }) => name), counts.same], [['c', 'b'], 1]);
    assert.deepEqual(rows[0]?.cells, [
      { right: 2, isChanged: false },
      { left: 1, isChanged: false },
    ]);
  });

  it('match columns by name, not by position', () => {
    assert.equal(
      compareTables(table(['a:string', 'b:number'], [['x', 1]]), table(['b:number', 'a:string'], [[1, 'x']])).counts
        .same,
      1,
    );
  });

  it('are aligned by a dimension that one side names differently', () => {
    const renamed = { ...right, columns: [{ name: 'state', type: 'string' }, ...right.columns.slice(1)] };
    const { dimensions, counts } = compareTables(left, renamed);
    assert.deepEqual(
      dimensions.map(({ name }) => name),
      ['status → state'],
    );
    assert.deepEqual(counts, { same: 1, changed: 1, added: 1, removed: 1 });
    // With two dimensions instead of one, it is unknown which of them is the old one.
    const split = table(['state:string', 'place:string', 'revenue:number'], [['new', 'here', 1]]);
    for (const [one, other] of [
      [left, split],
      [split, left],
    ] as const)
      assert.deepEqual(compareTables(one, other).dimensions, []);
  });

  it('are aligned by days that one side names differently and has as text', () => {
    const days = table(['day:time', 'n:number'], [['2024-03-01T00:00:00.000', 1]]);
    const texts = table(['date:string', 'n:number'], [['2024-03-01', 1]]);
    assert.equal(compareTables(days, texts).counts.same, 1);
    assert.equal(compareTables(texts, days).counts.same, 1);
  });

  it('say if a side is truncated', () => {
    assert.equal(compareTables(left, { ...right, totalRows: 500 }).isPartial, true);
    assert.equal(compareTables({ ...left, totalRows: 500 }, right).isPartial, true);
  });

  it('contain every row of both sides', () => {
    const some = fc
      .array(fc.tuple(fc.constantFrom('a', 'b', null, ''), fc.option(fc.nat(3))), { maxLength: 8 })
      .map((rows) => table(COLUMNS, rows));
    fc.assert(
      fc.property(some, some, (one, other) => {
        const { counts } = compareTables(one, other);
        assert.equal(counts.same + counts.changed + counts.removed, one.rows.length);
        assert.equal(counts.same + counts.changed + counts.added, other.rows.length);
        assert.equal(compareTables(one, one).counts.same, one.rows.length);
      }),
      runs,
    );
  });
});

describe('cells of a comparison', () => {
  it('are equal where the rows of an answer are: a date and its midnight', () => {
    const days = (cell: string): ResultTable => table(['day:time', 'revenue:number'], [[cell, 1]]);
    const { counts } = compareTables(days('2024-03-01'), days('2024-03-01T00:00:00.000'));
    assert.deepEqual(counts, { same: 1, changed: 0, added: 0, removed: 0 });
  });
});

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { ResultTable } from '../../../src/shared/wire/toolPayloads.ts';
import { runs } from '../insert/arbitrarySql.ts';
import { COLUMNS, compared, left, right, table } from './support.ts';

describe('two results', () => {
  it('are aligned by their dimensions, whatever the order of rows', () => {
    const { rows, counts, dimensions, measures, isPartial } = compared(left, right);
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
    assert.equal(compared(one(null), one(null)).counts.same, 1);
    assert.equal(compared(one(null), one(0)).counts.changed, 1);
    assert.equal(compared(table(['a:string'], [[null]]), table(['a:string'], [['']])).counts.added, 1);
    assert.equal(compared(table(['a:string'], [[null]]), table(['a:string'], [['null']])).counts.added, 1);
  });

  it('with a single number compare that number', () => {
    const { rows } = compared(table(['n:number'], [[10]]), table(['n:number'], [[12]]));
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
    const { dimensions, rows } = compared(years(1, 2), years(1, 3));
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
      compared(table(['v:string', 'n:number'], rows), table(['v:string', 'n:number'], rows.toReversed()));
    assert.equal(versions(['1.1', 1], ['1.10', 2]).counts.same, 2);
    const codes = compared(table(['zip:string'], [['01234']]), table(['zip:string'], [['1234']]));
    assert.deepEqual([codes.counts.added, codes.counts.removed], [1, 1]);
    const twice = (last: number) => table(['region:string', 'n:number', 'n:number'], [['a', 1, last]]);
    assert.equal(compared(twice(2), twice(3)).counts.changed, 1);
  });

  it('have the rows of the left side, with added rows between those that they are between on the right', () => {
    const keyed = (...keys: string[]) =>
      table(
        ['k:string', 'n:number'],
        keys.map((key) => [key, 1]),
      );
    const order = (left: string[], right: string[]): string[] =>
      compared(keyed(...left), keyed(...right)).rows.map(({ status, key }) => `${status} ${String(key[0])}`);
    assert.deepEqual(order(['x', 'y', 'a'], ['a']), ['removed x', 'removed y', 'same a']);
    assert.deepEqual(order(['a', 'b', 'c', 'd'], ['d', 'a']), ['same a', 'removed b', 'removed c', 'same d']);
    assert.deepEqual(order(['a', 'b', 'd'], ['a', 'c', 'd']), ['same a', 'removed b', 'added c', 'same d']);
    assert.deepEqual(order(['a'], ['b', 'c']), ['removed a', 'added b', 'added c']);
    assert.deepEqual(order(['a', 'b'], ['n', 'b']), ['removed a', 'added n', 'same b']);
  });

  it('number columns with the same name, on both sides', () => {
    const columns = ['n:number', 'n:number', 'n:number'];
    const { measures, dimensions } = compared(table(columns, [[1, 2, 3]]), table(columns, [[1, 2, 4]]));
    assert.deepEqual(
      [...dimensions, ...measures].map(({ name }) => name),
      ['n', 'n (2)', 'n (3)'],
    );
  });

  it('distinguish keys whose texts are the same when they are joined', () => {
    const of = (...key: string[]) => table(['a:string', 'b:string', 'n:number'], [[...key, 1]]);
    const { counts } = compared(of('x', 'yz'), of('xy', 'z'));
    assert.deepEqual([counts.added, counts.removed], [1, 1]);
  });

  it('use as few numbers as dimensions as identify rows, and keep one as a measure', () => {
    const of = (...rows: unknown[][]) => table(['k:string', 'a:number', 'b:number', 'c:number'], rows);
    const dimensionsOf = (...rows: unknown[][]): string[] =>
      compared(of(...rows), of(...rows)).dimensions.map(({ name }) => name);
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
        compared(left, right).dimensions.map(({ name }) => name),
        ['year', 'k'],
      );
  });

  it('do not match a column of text with one of numbers, as tests do', () => {
    const [numbers, texts] = [7, '7'].map((code) => table([`code:${typeof code}`, 'n:number'], [[code, 1]]));
    const { measures, counts } = compared(numbers!, texts!);
    assert.deepEqual(
      [measures.map(({ name, at }) => [name, ...at]), counts.same],
      [
        [
          ['code', 0, -1],
          ['n', 1, 1],
          ['code (2)', -1, 0],
        ],
        1,
      ],
    );
  });

  it('have no change of a cell that is no number, or has no value', () => {
    const of = (cell: unknown) => table(['k:string', 'n:number'], [['x', cell]]);
    for (const [left, right] of [
      [1, 'n/a'],
      ['n/a', 1],
      [1, null],
    ])
      assert.deepEqual(compared(of(left), of(right)).rows[0]?.cells, [{ left, right, isChanged: true }]);
    assert.deepEqual(compared(of(undefined), of(null)).rows[0]?.cells, [
      ...[{ left: null, right: null, isChanged: false }],
    ]);
  });

  it('have the cells of one side in added and removed rows, with null for a missing cell', () => {
    const { rows } = compared(table(['k:string', 'n:number'], [['x']]), table(['k:string', 'n:number'], [['y']]));
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
    assert.equal(compared(unsorted(rows), unsorted(rows.toReversed())).counts.same, 4);
    const changed = compared(unsorted(rows), unsorted([['x', 3, 'a'], ...rows.slice(1).toReversed()]));
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
      compared(twice(1, 2), twice(1, 5)).rows.map(({ status }) => status),
      ['same', 'changed'],
    );
  });

  it('name columns of only one side, without marking rows as changed', () => {
    const { measures, counts, rows } = compared(
      table(['a:string', 'b:number'], [['x', 1]]),
      table(['a:string', 'c:boolean'], [['x', true]]),
    );
    assert.deepEqual([measures.map(({ name }) => name), counts.same], [['b', 'c'], 1]);
    assert.deepEqual(rows[0]?.cells, [
      { left: 1, isChanged: false },
      { right: true, isChanged: false },
    ]);
  });

  it('name both columns where a measure has another name', () => {
    const { measures, counts } = compared(
      table(['a:string', 'b:number'], [['x', 1]]),
      table(['a:string', 'c:number'], [['x', 2]]),
    );
    assert.deepEqual([measures.map(({ name }) => name), counts.changed], [['b → c'], 1]);
  });

  it('match columns by name, not by position', () => {
    assert.equal(
      compared(table(['a:string', 'b:number'], [['x', 1]]), table(['b:number', 'a:string'], [[1, 'x']])).counts.same,
      1,
    );
  });

  it('are aligned by a dimension that one side names differently', () => {
    const renamed = { ...right, columns: [{ name: 'state', type: 'string' }, ...right.columns.slice(1)] };
    const { dimensions, counts } = compared(left, renamed);
    assert.deepEqual(
      dimensions.map(({ name }) => name),
      ['status → state'],
    );
    assert.deepEqual(counts, { same: 1, changed: 1, added: 1, removed: 1 });
  });

  it('are aligned by days that one side names differently and has as text', () => {
    const days = table(['day:time', 'n:number'], [['2024-03-01T00:00:00.000', 1]]);
    const texts = table(['date:string', 'n:number'], [['2024-03-01', 1]]);
    assert.equal(compared(days, texts).counts.same, 1);
    assert.equal(compared(texts, days).counts.same, 1);
  });

  it('pair rows without dimensions by exact numbers, and by words among numbers', () => {
    const of = (...cells: unknown[]) =>
      table(
        ['n:number'],
        cells.map((cell) => [cell]),
      );
    const big = '9007199254740992';
    assert.equal(compared(of(big, '9007199254740993'), of('9007199254740993', big)).counts.same, 2);
    assert.equal(compared(of(1e13 + 1), of(1e13, 1e13 + 1)).counts.same, 1);
    assert.equal(compared(of('n/a', '', null, 1), of(1, null, '', 'n/a')).counts.same, 4);
  });

  it('say if a side is truncated', () => {
    assert.equal(compared(left, { ...right, totalRows: 500 }).isPartial, true);
    assert.equal(compared({ ...left, totalRows: 500 }, right).isPartial, true);
  });

  it('contain every row of both sides', () => {
    const some = fc
      .array(fc.tuple(fc.constantFrom('a', 'b', null, ''), fc.option(fc.nat(3))), { maxLength: 8 })
      .map((rows) => table(COLUMNS, rows));
    fc.assert(
      fc.property(some, some, (one, other) => {
        const { counts } = compared(one, other);
        assert.equal(counts.same + counts.changed + counts.removed, one.rows.length);
        assert.equal(counts.same + counts.changed + counts.added, other.rows.length);
        assert.equal(compared(one, one).counts.same, one.rows.length);
      }),
      runs,
    );
  });
});

describe('cells of a comparison', () => {
  it('are equal where the rows of an answer are: a date and its midnight', () => {
    const days = (cell: string): ResultTable => table(['day:time', 'revenue:number'], [[cell, 1]]);
    const { counts } = compared(days('2024-03-01'), days('2024-03-01T00:00:00.000'));
    assert.deepEqual(counts, { same: 1, changed: 0, added: 0, removed: 0 });
  });
});

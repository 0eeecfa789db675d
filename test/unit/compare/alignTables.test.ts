import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { alignTables } from '../../../src/compare/alignTables.ts';
import type { ResultTable } from '../../../src/shared/wire/toolPayloads.ts';
import { table } from '../evals/tables.ts';

const SCHEMA = 'region:string revenue:number';

/** The names of the dimensions and measures, then each key with the measures of each table. */
function aligned(...tables: (ResultTable | undefined)[]): unknown[] {
  const { dimensions, measures, measureAt, rows } = alignTables(tables);
  const valuesOf = (row: readonly unknown[] | undefined, at: number): string =>
    row ? measureAt[at]!.map((index) => String(index < 0 ? '–' : row[index])).join() : '–';
  return [
    [...dimensions.map(({ name }) => name), ...measures.map(({ name }) => `(${name})`)].join(' '),
    ...rows.map(({ key, rows: own }) => [...key, ...own.map(valuesOf)].map(String).join(' | ')),
  ];
}

describe('several results', () => {
  it('have the rows of the first, then those that only later ones have', () => {
    const [one, other] = [table(SCHEMA, ['a', 1], ['b', 2]), table(SCHEMA, ['c', 3], ['b', 4])];
    assert.deepEqual(aligned(one, other), ['region (revenue)', 'a | 1 | –', 'b | 2 | 4', 'c | – | 3']);
  });

  it('match rows with the same key in order', () => {
    const [one, other] = [table(SCHEMA, ['a', 1], ['a', 2]), table(SCHEMA, ['a', 3])];
    assert.deepEqual(aligned(one, other), ['region (revenue)', 'a | 1 | 3', 'a | 2 | –']);
  });

  it('have all measures of any, also of one without rows', () => {
    const wide = table(`${SCHEMA} orders:number`, ['a', 1, 2]);
    assert.deepEqual(aligned(table(SCHEMA, ['a', 1]), wide, table(`${SCHEMA} margin:number`)), [
      'region (revenue) (orders) (margin)',
      'a | 1,–,– | 1,2,– | –',
    ]);
  });

  it('show measures by the type in the first result with rows', () => {
    const [filled, empty] = [table(SCHEMA, ['a', 1]), table('region:string revenue:string')];
    for (const tables of [
      [filled, empty],
      [empty, filled],
    ])
      assert.deepEqual(
        alignTables(tables).measures.map(({ kind }) => kind),
        ['number'],
      );
  });

  it('are matched by the columns of those with rows', () => {
    assert.deepEqual(aligned(undefined, table('n:number'), table(SCHEMA, ['a', 1])), [
      ...['region (revenue) (n)', 'a | – | – | 1,–'],
    ]);
    assert.deepEqual(aligned(undefined, table(SCHEMA)), ['region (revenue)']);
    assert.deepEqual(aligned(undefined), ['']);
    assert.deepEqual(aligned(), ['']);
  });

  it('have keys by the columns of each, in any order, with null for a missing cell', () => {
    const swapped = table('revenue:number region:string', [5, null], [6, 'b']);
    assert.deepEqual(aligned(table(SCHEMA, [undefined, 1]), swapped), [
      ...['region (revenue)', 'null | 1 | 5', 'b | – | 6'],
    ]);
  });
});

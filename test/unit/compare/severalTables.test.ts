import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { compareTables } from '../../../src/compare/compareTables.ts';
import type { ResultTable } from '../../../src/shared/wire/toolPayloads.ts';
import { table } from '../evals/tables.ts';

const SCHEMA = 'region:string revenue:number';

/** The names of the dimensions and measures, then each row with its status and the measures of each table. */
function compared(...tables: (ResultTable | undefined)[]): string[] {
  const { dimensions, measures, rows } = compareTables(tables, 4);
  const valuesOf = (row: readonly unknown[] | undefined, table: number): string =>
    row ? measures.map(({ at }) => (at[table]! < 0 ? '–' : String(row[at[table]!] ?? null))).join() : '–';
  return [
    [...dimensions.map(({ name }) => name), ...measures.map(({ name }) => `(${name})`)].join(' '),
    ...rows.map(({ status, key, rows: own }) => [status, ...key, ...own.map(valuesOf)].map(String).join(' | ')),
  ];
}

describe('several results', () => {
  it('have the rows of the first, and between them those that only later ones have', () => {
    const [one, two, three] = [
      table(SCHEMA, ['a', 1], ['b', 2], ['d', 4]),
      table(SCHEMA, ['b', 2], ['c', 3], ['d', 5], ['a', 1]),
      table(SCHEMA, ['a', 1], ['c', 3], ['d', 4], ['b', 2]),
    ];
    assert.deepEqual(compared(one, two, three), [
      'region (revenue)',
      'same | a | 1 | 1 | 1',
      'same | b | 2 | 2 | 2',
      'added | c | – | 3 | 3',
      'changed | d | 4 | 5 | 4',
    ]);
  });

  it('say which of them lack a row of the first', () => {
    const tables = [table(SCHEMA, ['a', 1], ['b', 2]), table(SCHEMA, ['b', 2]), table(SCHEMA, ['a', 1], ['b', 2])];
    assert.deepEqual(compared(...tables), ['region (revenue)', 'removed | a | 1 | – | 1', 'same | b | 2 | 2 | 2']);
  });

  it('match equal rows with the same key first, then the others in order', () => {
    const [one, two] = [table(SCHEMA, ['a', 1], ['a', 2], ['a', 3]), table(SCHEMA, ['a', 3], ['a', 5])];
    assert.deepEqual(compared(one, two), [
      ...['region (revenue)', 'changed | a | 1 | 5', 'removed | a | 2 | –', 'same | a | 3 | 3'],
    ]);
  });

  it('have all columns of any, also of one without rows', () => {
    const wide = table(`${SCHEMA} orders:number`, ['a', 1, 2]);
    assert.deepEqual(compared(table(SCHEMA, ['a', 1]), wide, wide, table(`${SCHEMA} margin:number`)), [
      'region (revenue) (orders) (margin)',
      'removed | a | 1,–,– | 1,2,– | 1,2,– | –',
    ]);
  });

  it('are matched by the columns of those with rows; a result that is missing counts for nothing', () => {
    assert.deepEqual(compared(undefined, table('n:number'), table(SCHEMA, ['a', 1])), [
      ...['region (revenue) (n)', 'added | a | – | – | 1,–'],
    ]);
    assert.deepEqual(compared(table(SCHEMA, ['a', 1]), undefined, table(SCHEMA, ['a', 1])), [
      ...['region (revenue)', 'same | a | 1 | – | 1'],
    ]);
    assert.deepEqual(compared(undefined, table(SCHEMA)), ['region (revenue)']);
    assert.deepEqual([compared(undefined), compared()], [[''], ['']]);
  });

  it('have columns in any order and with other names, and null for a missing cell', () => {
    const swapped = table('sales:number region:string', [5, null], [6, 'b']);
    assert.deepEqual(compared(table(SCHEMA, [undefined, 1]), swapped), [
      ...['region (revenue → sales)', 'changed | null | 1 | 5', 'added | b | – | 6'],
    ]);
  });

  it('compare measures at the precision, and name cells that differ from the first', () => {
    const tables = [table(SCHEMA, ['a', 100]), table(SCHEMA, ['a', 100.04]), table(SCHEMA, ['a', 110])];
    const { rows, measures, cellOf, counts, precision } = compareTables(tables, 4);
    const cells = [1, 2].map((at) => cellOf(rows[0]!, measures[0]!, at));
    assert.deepEqual(cells, [
      { left: 100, right: 100.04, isChanged: false },
      { left: 100, right: 110, isChanged: true, change: { absolute: '10', percent: '10.00' } },
    ]);
    assert.deepEqual([counts.changed, precision], [1, 4]);
    assert.equal(compareTables(tables.slice(0, 2), undefined).counts.changed, 1);
  });
});

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { gradeTable } from '../../../../src/evals/grading/grade.ts';
import type { ResultTable } from '../../../../src/shared/wire/toolPayloads.ts';

const kinds = {
  number: fc.oneof(
    fc.integer({ min: -5, max: 5 }),
    fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 }),
    fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }).map(String),
  ),
  string: fc.oneof(fc.constantFrom('', 'a', 'b', 'null', '1', '__proto__'), fc.string({ maxLength: 4 })),
  time: fc
    .date({ min: new Date('1990-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString()),
  boolean: fc.boolean(),
} as const;

const tables = fc
  .array(fc.constantFrom(...(Object.keys(kinds) as (keyof typeof kinds)[])), { minLength: 1, maxLength: 5 })
  .chain((types) =>
    fc
      .array(fc.tuple(...types.map((type) => fc.option(kinds[type] as fc.Arbitrary<unknown>, { freq: 6 }))), {
        maxLength: 12,
      })
      .map((rows): ResultTable => ({
        columns: types.map((type, index) => ({ name: `c${index}`, type })),
        rows,
        totalRows: rows.length,
      })),
  );

/** The same table with shuffled rows and columns. */
const shuffled = (table: ResultTable): fc.Arbitrary<ResultTable> =>
  fc
    .tuple(
      fc.shuffledSubarray([...table.rows.keys()], { minLength: table.rows.length }),
      fc.shuffledSubarray([...table.columns.keys()], { minLength: table.columns.length }),
    )
    .map(([rows, columns]) => ({
      columns: columns.map((index) => ({ ...table.columns[index]!, name: `renamed${index}` })),
      rows: rows.map((row) => columns.map((index) => table.rows[row]![index])),
      totalRows: table.totalRows,
    }));

/** A cell that differs from the given one by more than the precision. */
function changed(cell: unknown, type: string): unknown {
  if (cell === null)
    return type === 'number' ? 1 : type === 'time' ? '2024-01-01T00:00:00Z' : type === 'boolean' ? true : 'x';
  if (type === 'number') return Math.abs(Number(cell)) < 1e-300 ? 7 : Number(cell) * 1.002;
  if (type === 'time') return new Date(Date.parse(String(cell)) + 86_400_000).toISOString();
  return type === 'boolean' ? !cell : `${String(cell)}x`;
}

describe('grading', () => {
  it('is not affected by a permutation of rows and columns', () => {
    fc.assert(
      fc.property(
        tables.chain((table) => fc.tuple(fc.constant(table), shuffled(table), tables)),
        ([table, permuted, other]) => {
          assert.equal(gradeTable(table, permuted).status, 'passed');
          assert.equal(gradeTable(table, other).status, gradeTable(permuted, other).status);
          assert.equal(gradeTable(other, table).status, gradeTable(other, permuted).status);
        },
      ),
      { numRuns: 400 },
    );
  });

  it('always fails if one cell has changed beyond the precision', () => {
    fc.assert(
      fc.property(
        tables
          .filter(({ rows }) => rows.length > 0)
          .chain((table) => fc.tuple(fc.constant(table), shuffled(table), fc.nat(), fc.nat())),
        ([table, permuted, row, column]) => {
          const [y, x] = [row % permuted.rows.length, column % permuted.columns.length];
          const rows = permuted.rows.map((cells, at) =>
            at === y
              ? cells.map((cell, index) => (index === x ? changed(cell, permuted.columns[x]!.type) : cell))
              : cells,
          );
          assert.equal(gradeTable(table, { ...permuted, rows }).status, 'failed');
        },
      ),
      { numRuns: 1000 },
    );
  });
});

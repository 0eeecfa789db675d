import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { gradeTable } from '../../../src/evals/grading/grade.ts';
import type { ResultTable } from '../../../src/shared/wire/toolPayloads.ts';

/** @param columns the cells of each column, in columns of integers with names of their own */
const tableOf = (name: string, columns: readonly (readonly number[])[]): ResultTable => ({
  columns: columns.map((_, index) => ({ name: `${name}${index}`, type: 'bigint' })),
  rows: columns[0]!.map((_, row) => columns.map((cells) => cells[row])),
  totalRows: columns[0]!.length,
});

/** A column with a 1 in each of these rows. */
const marks = (rows: number, ...marked: readonly number[]): number[] =>
  Array.from({ length: rows }, (_, row) => Number(marked.includes(row)));
const range = (count: number): number[] => [...Array(count).keys()];
const oneHot = (rows: number): number[][] => range(rows).map((row) => marks(rows, row));
/** The edges of a circle over some rows, as columns. */
const circle = (rows: number, from: number, count: number): number[][] =>
  range(count).map((at) => marks(rows, from + at, from + ((at + 1) % count)));

/** @returns the grade of both directions; a search without a limit would take longer than a test may */
function graded(left: ResultTable, right: ResultTable): { status: string; message?: string } {
  const grades = [gradeTable(left, right), gradeTable(right, left)] as const;
  assert.equal(grades[0].status, grades[1].status);
  const message = 'message' in grades[0] ? grades[0].message : undefined;
  return { status: grades[0].status, message };
}

describe('interchangeable columns', () => {
  for (const rows of [4, 8, 12, 30])
    it(`are told apart by the rows that they mark (${rows})`, () => {
      const [first, ...rest] = [marks(rows, 0, 1), marks(rows, 1, 2)];
      const triangle = [...oneHot(rows), first!, ...rest, marks(rows, 2, 0)];
      const path = [...oneHot(rows), first!, ...rest, marks(rows, 2, 3)];
      const turned = triangle.toReversed().map((cells) => cells.toReversed());
      assert.equal(graded(tableOf('a', triangle), tableOf('b', turned)).status, 'passed');
      assert.equal(graded(tableOf('a', triangle), tableOf('b', path)).status, 'failed');
    });

  it('are searched where rows and columns look alike, such as one circle and two', () => {
    const [one, two] = [circle(12, 0, 12), [...circle(12, 0, 6), ...circle(12, 6, 6)]];
    assert.equal(graded(tableOf('a', one), tableOf('b', two)).status, 'failed');
    assert.equal(graded(tableOf('a', one), tableOf('b', one.toReversed())).status, 'passed');
  });

  it('are paired with their rows, also where the columns that have the same names are others', () => {
    const nulls = { columns: tableOf('a', [[1], [1]]).columns.map((column) => ({ ...column, type: 'double' })) };
    const of = (rows: unknown[][]): ResultTable => ({ ...nulls, rows, totalRows: 2 });
    const left = [
      [null, 1001],
      [null, 1001.8],
    ];
    assert.equal(graded(of(left), of(left.map((row) => row.toReversed()))).status, 'passed');
  });

  it('make results incomparable if there are too many', () => {
    const [one, two] = [circle(200, 0, 200), [...circle(200, 0, 100), ...circle(200, 100, 100)]];
    const { status, message } = graded(tableOf('a', one), tableOf('b', two));
    assert.deepEqual([status, message], ['notComparable', 'Not comparable: too many interchangeable columns']);
  });

  it('with the same cells in all rows are matched in any order', () => {
    const of = (name: string, count: number, rows: readonly number[]): ResultTable =>
      tableOf(
        name,
        range(count).map(() => rows),
      );
    const rows = range(12);
    const changed = tableOf('b', [...range(499).map(() => rows), rows.with(3, 99)]);
    const equal = graded(of('a', 500, rows), of('b', 500, rows));
    const different = graded(of('a', 500, rows), changed);
    assert.deepEqual([equal.status, different.status], ['passed', 'failed']);
  });
});

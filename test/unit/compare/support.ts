/** Two results that differ in each way. */
import {
  compareTables,
  type ComparedCell,
  type ComparedRow,
  type TableComparison,
} from '../../../src/compare/compareTables.ts';
import type { ResultTable } from '../../../src/shared/wire/toolPayloads.ts';

/** @param columns as `name:type` */
export const table = (
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
  totalRows = rows.length,
): ResultTable => ({
  columns: columns.map((column) => ({ name: column.split(':')[0] ?? '', type: column.split(':')[1] ?? '' })),
  rows,
  totalRows,
});
export const COLUMNS = ['status:string', 'revenue:number'];
export const left = table(COLUMNS, [
  ['new', '100.00'],
  ['shipped', '250.5'],
  ['lost', '7'],
]);
export const right = table(COLUMNS, [
  ['new', 100],
  ['returned', '3'],
  ['shipped', '200.25'],
]);

type RowWithCells = ComparedRow & { cells: readonly ComparedCell[] };

/** Compares two tables with all digits; the rows have their cells. */
export function compared(
  left: ResultTable,
  right: ResultTable,
  precision?: number,
): Omit<TableComparison, 'rows'> & { rows: readonly RowWithCells[] } {
  const comparison = compareTables([left, right], precision);
  const { rows, measures, cellOf } = comparison;
  return { ...comparison, rows: rows.map((row) => ({ ...row, cells: measures.map((each) => cellOf(row, each)) })) };
}

/** How a grid shows a table: which columns, in which order, sorted and filtered. */
import { flag, listOf, maybe, oneOf, shape, text, type Check } from '../text/checks.ts';
import type { ResultTable } from '../wire/toolPayloads.ts';
import { typeColumns, type Rows, type TypedColumn } from './cells.ts';
import { filterConditions, filterRows, matcherFor, type ColumnFilter, type Matcher } from './filter.ts';
import { completed, type Sliced } from './slices.ts';
import { sortRows, type Direction } from './sort.ts';

export interface Sorting {
  /** Index of the column in the table. */
  column: number;
  direction: Direction;
}

export interface Arrangement {
  /** Indices of the shown columns in the table, from left to right. */
  columns: readonly number[];
  sorting?: Sorting;
  filters: readonly (readonly [column: number, filter: ColumnFilter])[];
  /** Locale of the numbers typed into filters, and of the order of text; that of this process if omitted. */
  locale?: string;
  /** Whether the rows are all of the query's, which were loaded, instead of those of the answer. */
  isWhole?: boolean;
}

const index: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const filter = shape({ condition: oneOf(...filterConditions), value: text, to: text });

/** Checks an `Arrangement` that a page sent. */
export const arrangement: Check = shape({
  columns: listOf(index),
  sorting: maybe(shape({ column: index, direction: oneOf('ascending', 'descending') })),
  filters: listOf((each) => Array.isArray(each) && each.length === 2 && index(each[0]) && filter(each[1])),
  locale: maybe(text),
  isWhole: maybe(flag),
});

/** @returns the indices of the rows in the order of the arrangement; `undefined` for all rows in their own order */
export function* orderOf(
  columns: readonly TypedColumn[],
  rows: Rows,
  { sorting, filters, locale }: Omit<Arrangement, 'columns'>,
): Sliced<Uint32Array | undefined> {
  const matchers = new Map<number, Matcher>();
  for (const [column, each] of filters) {
    const known = columns[column];
    const matcher = known && matcherFor(known.kind, each, locale);
    if (matcher) matchers.set(column, matcher);
  }
  const sorted = sorting && columns[sorting.column];
  if (matchers.size === 0 && !sorted) return undefined;
  const passed = yield* filterRows(rows, matchers);
  if (!sorted) return passed;
  return sortRows(rows, passed, { index: sorting.column, kind: sorted.kind }, sorting.direction, locale);
}

/** @returns the table with the rows and columns that the arrangement shows */
export function arranged({ columns, rows }: ResultTable, shown: Arrangement): ResultTable {
  const picked = shown.columns.filter((column) => column < columns.length);
  const order = completed(orderOf(typeColumns(columns, rows), rows, shown));
  const passed = order ? Array.from(order, (row) => rows[row]!) : rows;
  return {
    columns: picked.map((column) => columns[column]!),
    rows: passed.map((row) => picked.map((column) => row[column])),
    totalRows: passed.length,
  };
}

/** @returns whether the arrangement shows all rows and columns of a table as they came */
export const isAsCame = ({ columns, sorting, filters }: Arrangement, table: ResultTable): boolean =>
  !sorting &&
  filters.length === 0 &&
  columns.length === table.columns.length &&
  columns.every((column, at) => column === at);

/** Converts numbers that `parseExact` keeps as text back to numbers where their type matters and no digit is lost. */
import { isFields, type Fields } from '../text/checks.ts';
import { hasFewDigits } from './exactJson.ts';

/**
 * @param exact the input or result of a tool, or a part of it, parsed with `parseExact`
 * @param plain the same, parsed with `JSON.parse`
 * @returns `exact` with the numbers of `plain` inside of cells, where text has quotes, and in the chart specification,
 * because Vega-Lite needs its numbers as numbers
 */
export function withPlainParts(exact: unknown, plain: unknown): unknown {
  if (Array.isArray(exact)) return rowsWithPlainCells(exact, plain);
  if (!isFields(exact) || !isFields(plain)) return exact;
  return {
    ...exact,
    ...(Array.isArray(exact.data) ? { data: rowsWithPlainCells(exact.data, plain.data) } : {}),
    ...(isFields(exact.vegaSpec) ? { vegaSpec: plain.vegaSpec } : {}),
  };
}

const isNested = (cell: unknown): boolean => typeof cell === 'object' && cell !== null;

/** @param rows arrays of cells, or objects */
function rowsWithPlainCells(rows: readonly unknown[], plain: unknown): readonly unknown[] {
  const hasNested = (row: unknown): boolean =>
    Array.isArray(row) ? row.some(isNested) : isFields(row) && Object.values(row).some(isNested);
  if (!rows.some(hasNested)) return rows;
  return mapped(rows, plain, (row, other) =>
    mapped(row, other, (cell, own) => (isNested(cell) ? withPlainNumbers(cell, own) : cell)),
  ) as unknown[];
}

/** A number of which a double would lose digits stays text. */
const withPlainNumbers = (exact: unknown, plain: unknown): unknown =>
  typeof exact === 'string'
    ? typeof plain === 'number' && hasFewDigits(exact)
      ? plain
      : exact
    : mapped(exact, plain, withPlainNumbers);

/** Maps the entries of two equal structures. */
function mapped(exact: unknown, plain: unknown, change: (exact: unknown, plain: unknown) => unknown): unknown {
  if (Array.isArray(exact)) return exact.map((entry, at) => change(entry, (plain as readonly unknown[])[at]));
  if (!isFields(exact)) return exact;
  return Object.fromEntries(Object.entries(exact).map(([key, entry]) => [key, change(entry, (plain as Fields)[key])]));
}

/** Compares two results of the same question row by row. */
import type { ResultTable } from '../shared/wire/toolPayloads.ts';
import { cellText, typeColumns, type Row, type TypedColumn } from '../shared/results/cells.ts';
import { changeOf, type Change } from './change.ts';
import { cellKey, columnAt, dimensionsOf, matchRows, type Side } from './rowIndex.ts';

export interface ComparedCell {
  /** Absent if the left side lacks the row or the column. */
  left?: unknown;
  right?: unknown;
  isChanged: boolean;
  /** Set if both values are numbers and differ. */
  change?: Change;
}

export interface ComparedRow {
  status: 'same' | 'changed' | 'added' | 'removed';
  /** Values of the dimension columns. */
  key: readonly unknown[];
  /** One cell per measure column. */
  cells: readonly ComparedCell[];
}

export interface Comparison {
  /** Columns by which rows are matched. */
  dimensions: readonly TypedColumn[];
  /** All other columns of both sides. */
  measures: readonly TypedColumn[];
  rows: readonly ComparedRow[];
  counts: Readonly<Record<ComparedRow['status'], number>>;
  /** Whether a side has more rows than its answer contains, so that added and removed rows may be wrong. */
  isPartial: boolean;
}

const sideOf = ({ columns, rows }: ResultTable, known: Side['known']): Side => ({
  columns: distinct(typeColumns(columns, rows)),
  rows,
  indexes: new Map(),
  known,
});

/** Makes column names unique, by appending a number to repeated ones. */
function distinct(columns: readonly TypedColumn[]): TypedColumn[] {
  const seen = new Map<string, number>();
  return columns.map((column) => {
    const count = (seen.get(column.name) ?? 0) + 1;
    seen.set(column.name, count);
    return count === 1 ? column : { ...column, name: `${column.name} (${count})` };
  });
}

/** Compares the cells of a measure; one that both sides have is a column of numbers. */
function compareCells(
  left: Row | undefined,
  right: Row | undefined,
  at: { left: number; right: number },
): ComparedCell {
  const isLeft = left !== undefined && at.left >= 0;
  const isRight = right !== undefined && at.right >= 0;
  const [before, after] = [left?.[at.left] ?? null, right?.[at.right] ?? null];
  if (!isLeft || !isRight)
    return { ...(isLeft ? { left: before } : {}), ...(isRight ? { right: after } : {}), isChanged: false };
  if (before === after || cellKey(before) === cellKey(after)) return { left: before, right: after, isChanged: false };
  const change = changeOf(cellText(before), cellText(after));
  return { left: before, right: after, isChanged: true, ...(change === undefined ? {} : { change }) };
}

/**
 * Aligns two tables by their dimension columns.
 * @returns the rows in the order of the right side, with each removed row after the row that precedes it on the left
 */
export function compareTables(leftTable: ResultTable, rightTable: ResultTable): Comparison {
  const known = new Map<string, number>();
  const sides = joinRenamed(sideOf(leftTable, known), sideOf(rightTable, known));
  const [left, right] = sides;
  const keys = dimensionsOf(sides);
  const [leftKeys, rightKeys] = sides.map((side) => keys.map((name) => columnAt(side, name))) as [number[], number[]];
  const onlyLeft = left.columns.filter(({ name }) => columnAt(right, name) < 0);
  const measures = [...right.columns.filter(({ name }) => !keys.includes(name)), ...onlyLeft];
  const places = measures.map(({ name }) => ({ left: columnAt(left, name), right: columnAt(right, name) }));

  const makeRow = (before: Row | undefined, after: Row | undefined): ComparedRow => {
    const cells = places.map((at) => compareCells(before, after, at));
    const key = after ? rightKeys.map((at) => after[at]) : leftKeys.map((at) => before?.[at]);
    const isChanged = cells.some((cell) => cell.isChanged);
    const status = before === undefined ? 'added' : after === undefined ? 'removed' : isChanged ? 'changed' : 'same';
    return { status, key, cells };
  };

  const { partners, isMatched } = matchRows(sides, keys);
  const rows: ComparedRow[] = [];
  const removedAfter = (at: number): void => {
    for (let next = at + 1; isMatched[next] === 0; next++) rows.push(makeRow(left.rows[next], undefined));
  };
  removedAfter(-1);
  right.rows.forEach((row, at) => {
    const partner = partners[at]!;
    rows.push(makeRow(left.rows[partner], row));
    if (partner >= 0) removedAfter(partner);
  });

  const counts = { same: 0, changed: 0, added: 0, removed: 0 };
  for (const { status } of rows) counts[status]++;
  return {
    dimensions: rightKeys.flatMap((at) => right.columns[at] ?? []),
    measures,
    rows,
    counts,
    isPartial: [leftTable, rightTable].some(({ totalRows, rows: held }) => totalRows > held.length),
  };
}

interface WithColumns {
  columns: readonly TypedColumn[];
}

/** The non-numeric columns that the other side lacks. */
function loneDimensions({ columns }: WithColumns, other: WithColumns): TypedColumn[] {
  const known = new Set(other.columns.map(({ name }) => name));
  return columns.filter(({ name, kind }) => kind !== 'number' && !known.has(name));
}

/**
 * Pairs the dimensions that only one side has, in order, if both sides have the same number of them. Numeric columns
 * are not paired: another measure is not a renamed one.
 * @returns both sides, with paired columns under one name: `segment → group`
 */
function joinRenamed<Type extends WithColumns>(left: Type, right: Type): [Type, Type] {
  const [before, after] = [loneDimensions(left, right), loneDimensions(right, left)];
  if (before.length !== after.length) return [left, right];
  const joined = new Map<TypedColumn, TypedColumn>();
  before.forEach((column, index) => {
    const partner = after[index]!;
    const name = `${column.name} → ${partner.name}`;
    joined.set(column, { ...column, name });
    joined.set(partner, { ...partner, name });
  });
  const named = (side: Type): Type => ({
    ...side,
    columns: side.columns.map((column) => joined.get(column) ?? column),
  });
  return [named(left), named(right)];
}

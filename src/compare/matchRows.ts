/** Matches the rows of two tables whose columns are paired. */
import type { Row } from '../shared/results/cells.ts';
import { exactKey, type Precision } from './cellEquality.ts';
import { areNear, isSameCell, type ColumnPair, type Numbering, type TableColumn } from './columns.ts';

/** Thrown when a search takes too many steps. */
export class TooManySteps extends Error {}

/** Bounds the cost of a search. */
export class StepBudget {
  #left: number;

  constructor(count: number) {
    this.#left = count;
  }

  /** @throws TooManySteps */
  spend(count: number): void {
    this.#left -= count;
    if (this.#left < 0) throw new TooManySteps();
  }
}

/** The tables to match. */
export interface TablePair {
  columns: readonly [readonly TableColumn[], readonly TableColumn[]];
  rows: readonly [readonly Row[], readonly Row[]];
  known: Numbering;
  precision: Precision;
}

/** For each row of a side, the number of its group; rows with equal cells in the grouping columns share it. */
export interface Groups {
  left: Int32Array;
  right: Int32Array;
  /** Exclusive upper limit of the numbers. */
  count: number;
}

/** @returns the groups, divided by the numbers of another column */
export function refine({ left, right }: Groups, by: Groups): Groups {
  const known = new Map<number, number>();
  const divide = (groups: Int32Array, ids: Int32Array): Int32Array =>
    groups.map((group, row) => {
      const key = group * by.count + ids[row]!;
      const found = known.get(key);
      if (found === undefined) known.set(key, known.size);
      return found ?? known.size - 1;
    });
  return { left: divide(left, by.left), right: divide(right, by.right), count: known.size };
}

const groupsOf = ({ left, right, mode }: ColumnPair, known: Numbering): Groups => {
  const ids = { left: left.ids(mode, known), right: right.ids(mode, known) };
  return { ...ids, count: known.size };
};

const areUnique = ({ left, right, count }: Groups): boolean =>
  [left, right].every((groups) => {
    const seen = new Uint8Array(count);
    return groups.every((group) => seen[group]!++ === 0);
  });

/**
 * Groups rows by their cells in some columns. A column that identifies all rows is enough.
 * @returns the groups, and whether no two rows of a side share one
 */
export function groupRows(
  pairs: readonly ColumnPair[],
  { rows, known }: Pick<TablePair, 'rows' | 'known'>,
): Groups & { areUnique: boolean } {
  const unique = pairs.map((pair) => groupsOf(pair, known)).find(areUnique);
  if (unique) return { ...unique, areUnique: true };
  const all = { left: new Int32Array(rows[0].length), right: new Int32Array(rows[1].length), count: 1 };
  const groups = pairs.reduce((found: Groups, pair) => refine(found, groupsOf(pair, known)), all);
  return { ...groups, areUnique: areUnique(groups) };
}

/** @returns a function that returns the rows of a group */
function rowsByGroup(groups: Int32Array, count: number): (group: number) => Int32Array {
  const starts = new Int32Array(count + 1);
  for (const group of groups) starts[group + 1]!++;
  for (let group = 0; group < count; group++) starts[group + 1]! += starts[group]!;
  const next = starts.slice();
  const rows = new Int32Array(groups.length);
  groups.forEach((group, row) => (rows[next[group]!++] = row));
  return (group) => rows.subarray(starts[group], starts[group + 1]);
}

/** For each row of the right side, its row of the left side, or -1. */
export type Partners = Int32Array;

const isMeasure = ({ mode }: ColumnPair): boolean => mode === 'measure';

/**
 * Pairs as many equal rows as there can be.
 * @param partners all -1, and changed by this function
 * @throws TooManySteps
 */
export function pairEqualRows(
  pairs: readonly ColumnPair[],
  sides: TablePair,
  partners: Partners,
  steps: StepBudget,
): void {
  const { rows, precision } = sides;
  const isSame = (pair: ColumnPair, left: number, right: number): boolean =>
    isSameCell(pair, rows[0][left]![pair.left.index], rows[1][right]![pair.right.index], precision);
  const isEqual = (left: number, right: number): boolean => pairs.every((pair) => isSame(pair, left, right));
  const groups = groupRows(
    pairs.filter((pair) => !isMeasure(pair)),
    sides,
  );
  const [leftOf, rightOf] = [rowsByGroup(groups.left, groups.count), rowsByGroup(groups.right, groups.count)];
  // Rows are sorted by the numbers that tell them apart, before those that are all near each other.
  const gaps = ({ left: { sorted } }: ColumnPair): number =>
    sorted.reduce((count, number, at) => count + Number(at > 0 && !areNear(sorted[at - 1]!, number, precision)), 0);
  const measures = pairs
    .filter(isMeasure)
    .map((pair) => ({ pair, count: gaps(pair) }))
    .sort((a, b) => b.count - a.count)
    .map(({ pair }) => pair);
  for (let group = 0; group < groups.count; group++) {
    const [lefts, rights] = [leftOf(group), rightOf(group)];
    if (lefts.length === 1 && rights.length === 1) {
      if (isEqual(lefts[0]!, rights[0]!)) partners[rights[0]!] = lefts[0]!;
    } else if (lefts.length > 0 && rights.length > 0)
      pairInGroup(lefts, rights, measures, { isSame, isEqual, partners, steps });
  }
}

/** Rows that an augmenting path may visit. */
const LONGEST_PATH = 1000;

interface Pairing {
  isSame: (pair: ColumnPair, left: number, right: number) => boolean;
  isEqual: (left: number, right: number) => boolean;
  partners: Partners;
  steps: StepBudget;
}

/**
 * Pairs rows that differ in measures only: first in ascending order, then by augmenting paths, because measures that
 * are equal within a tolerance form no classes, so that a pair may have to be divided again for two others.
 */
function pairInGroup(
  leftRows: Int32Array,
  rightRows: Int32Array,
  measures: readonly ColumnPair[],
  { isSame, isEqual, partners, steps }: Pairing,
): void {
  const sorted = (rows: Int32Array, columns: readonly TableColumn[]): Int32Array =>
    rows.toSorted((a, b) => columns.reduce((order, column) => order || column.compare(a, column, b), 0) || a - b);
  const lefts = sorted(
    leftRows,
    measures.map(({ left }) => left),
  );
  const rights = sorted(
    rightRows,
    measures.map(({ right }) => right),
  );
  const precedes = (other: number, row: number): boolean => {
    for (const pair of measures) {
      const order = pair.left.compare(row, pair.right, other);
      if (order !== 0 && !isSame(pair, row, other)) return order > 0;
    }
    return false;
  };
  const open: number[] = [];
  let at = 0;
  for (const row of lefts) {
    while (at < rights.length && precedes(rights[at]!, row)) at++;
    if (at < rights.length && isEqual(row, rights[at]!)) partners[rights[at++]!] = row;
    else open.push(row);
  }
  // The rows of a single measure are already paired best.
  if (measures.length < 2) return;
  const augment = (row: number, seen: Set<number>): boolean => {
    if (seen.size > LONGEST_PATH) throw new TooManySteps();
    for (const other of rights) {
      steps.spend(1);
      if (seen.has(other) || !isEqual(row, other)) continue;
      seen.add(other);
      if (partners[other] !== -1 && !augment(partners[other]!, seen)) continue;
      partners[other] = row;
      return true;
    }
    return false;
  };
  for (const row of open) augment(row, new Set());
}

/** Pairs the rows that are still without a partner by their keys; those with the same key in order. */
export function pairByKeys(keys: readonly ColumnPair[], { rows }: TablePair, partners: Partners): void {
  const keyOf = (row: Row, side: 'left' | 'right'): string =>
    JSON.stringify(keys.map((pair) => exactKey(row[pair[side].index], pair.mode)));
  if (!partners.includes(-1)) return;
  const taken = new Set(partners);
  const waiting = new Map<string, number[]>();
  // Last rows first: an element is removed from the end of a long array in constant time.
  for (let row = rows[0].length - 1; row >= 0; row--) {
    if (taken.has(row)) continue;
    const key = keyOf(rows[0][row]!, 'left');
    const same = waiting.get(key);
    if (same) same.push(row);
    else waiting.set(key, [row]);
  }
  partners.forEach((partner, row) => {
    if (partner === -1) partners[row] = waiting.get(keyOf(rows[1][row]!, 'right'))?.pop() ?? -1;
  });
}

/** Finds the rows of two tables that have the same values in their dimension columns. */
import type { Row } from '../shared/results/cells.ts';
import { cellKey } from './alignTables.ts';

/**
 * A column of a side. `isText` if it is text on both sides, so that versions or codes such as `1.1` and `1.10` differ.
 */
export interface ColumnRef {
  at: number;
  isText: boolean;
}

export interface RowIndex {
  /** The key of each row. */
  keys: readonly string[];
  /** The first row with each key. */
  first: ReadonlyMap<string, number>;
  /** For each row, the next row with the same key; -1 if there is none. */
  next: Int32Array;
}

export function indexRows(rows: readonly Row[], columns: readonly ColumnRef[]): RowIndex {
  const keys = keysOf(rows, columns);
  const first = new Map<string, number>();
  const next = new Int32Array(rows.length).fill(-1);
  const last = new Map<number, number>();
  keys.forEach((key, at) => {
    const start = first.get(key);
    if (start === undefined) return void first.set(key, at);
    next[last.get(start) ?? start] = at;
    last.set(start, at);
  });
  return { keys, first, next };
}

/** Keys are unambiguous: each part is preceded by its length. */
function keysOf(rows: readonly Row[], columns: readonly ColumnRef[]): string[] {
  const parts = columns.map(({ at, isText }) => ({ at, part: cachedPart(isText) }));
  return rows.map((row) => {
    let key = '';
    for (const { at, part } of parts) key += part(row[at]);
    return key;
  });
}

/** Most columns of dates repeat few values, whose keys are slow to compute. */
const CACHED = 1000;

function cachedPart(isText: boolean): (cell: unknown) => string {
  const cache = new Map<unknown, string>();
  const compute = (cell: unknown): string => {
    const text = cellKey(cell, isText);
    return `${text.length}:${text}`;
  };
  return (cell) => {
    const known = cache.get(cell);
    if (known !== undefined) return known;
    const part = compute(cell);
    if (cache.size < CACHED) cache.set(cell, part);
    return part;
  };
}

/**
 * Matches rows with equal keys, in order.
 * @returns for each right row, its left row; and for each left row, whether it is matched (1)
 */
export function matchRows(
  left: RowIndex,
  right: RowIndex,
): { partners: readonly (number | undefined)[]; isMatched: Uint8Array } {
  const isMatched = new Uint8Array(left.keys.length);
  /** By the first left row of each key, the next one to match; -1 if all are matched. */
  const waiting = Int32Array.from(left.keys, (_, at) => at);
  const partners = right.keys.map((key) => {
    const start = left.first.get(key);
    const at = start === undefined ? -1 : (waiting[start] ?? -1);
    if (start === undefined || at < 0) return undefined;
    waiting[start] = left.next[at] ?? -1;
    isMatched[at] = 1;
    return at;
  });
  return { partners, isMatched };
}

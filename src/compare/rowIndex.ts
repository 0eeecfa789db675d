/** Decides which cells are equal, and finds the rows of several tables that have the same values in their dimensions. */
import {
  cellText,
  isDateTime,
  isNull,
  numberText,
  timeSpan,
  type Row,
  type TypedColumn,
} from '../shared/results/cells.ts';
import { parseDecimal } from '../shared/results/decimal.ts';

/**
 * Maps equal values, and only those, to the same text: `1`, `1.0` and `"1"` are equal, and so are a date and its
 * midnight; null and `""` are not.
 * @param isText whether the column is text, so that codes such as `1.1` and `1.10` differ
 */
export function cellKey(cell: unknown, isText = false): string {
  if (isNull(cell)) return 'null';
  if (isText && typeof cell === 'string') return `text:${cell}`;
  const number = numberText(cell);
  if (number !== undefined) {
    const { negative, digits, exponent } = parseDecimal(number);
    return `number:${negative ? '-' : ''}${digits}e${exponent}`;
  }
  const text = cellText(cell);
  if (typeof cell === 'object') return `json:${text}`;
  return isDateTime(text) ? `time:${timeSpan(text)?.[0]}` : `text:${text}`;
}

/** A column of a table. `isText` if it is text in all tables, so that versions or codes such as `1.1` and `1.10` differ. */
export interface ColumnRef {
  at: number;
  isText: boolean;
}

interface RowIndex {
  /** The key of each row. */
  keys: readonly string[];
  /** The first row with each key. */
  first: ReadonlyMap<string, number>;
  /** For each row, the next row with the same key; -1 if there is none. */
  next: Int32Array;
}

function indexRows(rows: readonly Row[], columns: readonly ColumnRef[]): RowIndex {
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

/** Maximum number of cached keys of a column: date columns repeat few values, and their keys are slow to compute. */
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
  /** At the first left row of each key, the next left row to match; -1 if none is left. */
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

/** One of the tables that are compared. */
export interface Side {
  columns: readonly TypedColumn[];
  rows: readonly Row[];
  /** Row indexes by the columns that their keys are computed from. */
  indexes: Map<string, RowIndex>;
}

export const columnAt = ({ columns }: Side, name: string): number =>
  columns.findIndex((column) => column.name === name);

export function columnRefOf(side: Side, sides: readonly Side[], name: string): ColumnRef {
  const kinds = sides.flatMap((each) => each.columns[columnAt(each, name)]?.kind ?? []);
  return { at: columnAt(side, name), isText: kinds.every((kind) => kind === 'string') };
}

/** @param names columns that all sides have */
export function indexOf(side: Side, sides: readonly Side[], names: readonly string[]): RowIndex {
  const columns = names.map((name) => columnRefOf(side, sides, name));
  const id = JSON.stringify(columns);
  const found = side.indexes.get(id) ?? indexRows(side.rows, columns);
  side.indexes.set(id, found);
  return found;
}

/** @returns the shared columns that are not numbers; if these do not identify rows, numbers are added from the left */
export function dimensionsOf(sides: readonly Side[]): string[] {
  const names = sides[0]?.columns.map(({ name }) => name) ?? [];
  const shared = names.filter((name) => sides.every((side) => columnAt(side, name) >= 0));
  const isNumber = (name: string): boolean =>
    sides.every((side) => side.columns[columnAt(side, name)]?.kind === 'number');
  const identify = (chosen: readonly string[]): boolean =>
    sides.every((side) => indexOf(side, sides, chosen).first.size === side.rows.length);
  const chosen = shared.filter((name) => !isNumber(name));
  if (identify(chosen)) return chosen;
  const wider = new Set(chosen);
  // Keep at least one number as a measure, or no change could be detected.
  for (const name of shared.filter(isNumber).slice(0, -1)) {
    wider.add(name);
    const inOrder = shared.filter((each) => wider.has(each));
    if (identify(inOrder)) return inOrder;
  }
  return chosen;
}

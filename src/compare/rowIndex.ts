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
interface ColumnRef {
  at: number;
  isText: boolean;
}

interface RowIndex {
  /**
   * For each row, the number of its key: shared with a row of the other table that has the same key, and unique within
   * this table.
   */
  numbers: Int32Array;
  /** Exclusive upper limit of the numbers. */
  limit: number;
  /** Whether no two rows have the same key. */
  isUnique: boolean;
}

/** @param known the numbers of the keys so far, which all tables share and this function extends */
function indexRows(rows: readonly Row[], columns: readonly ColumnRef[], known: Map<string, number>): RowIndex {
  const keyOf = keysOf(columns);
  const numberOf = (key: string): number => {
    const found = known.get(key);
    if (found !== undefined) return found;
    known.set(key, known.size);
    return known.size - 1;
  };
  const times = new Uint32Array(known.size + rows.length);
  let isUnique = true;
  const numbers = Int32Array.from(rows, (row) => {
    const key = keyOf(row);
    const number = numberOf(key);
    const before = times[number]!++;
    if (before === 0) return number;
    isUnique = false;
    // The nth row with a key matches the nth one of the other table.
    return numberOf(`${before} ${key}`);
  });
  return { numbers, limit: known.size, isUnique };
}

/** Keys are unambiguous: each part is preceded by its length. */
function keysOf(columns: readonly ColumnRef[]): (row: Row) => string {
  const parts = columns.map(({ at, isText }) => ({ at, part: cachedPart(isText) }));
  return (row) => {
    let key = '';
    for (const { at, part } of parts) key += part(row[at]);
    return key;
  };
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
    // Differs from the other parts, among which `null` is no text.
    if (isText && typeof cell === 'string') return `${cell.length}"${cell}`;
    const known = cache.get(cell);
    if (known !== undefined) return known;
    const part = compute(cell);
    if (cache.size < CACHED) cache.set(cell, part);
    return part;
  };
}

interface Matches {
  /** For each right row, its left row, or -1. */
  partners: Int32Array;
  /** For each left row, whether it is matched (1). */
  isMatched: Uint8Array;
}

/** Matches rows with equal keys, in order. */
function matchInOrder(left: RowIndex, right: RowIndex): Matches {
  const isMatched = new Uint8Array(left.numbers.length);
  const rowOf = new Int32Array(left.limit).fill(-1);
  left.numbers.forEach((number, at) => (rowOf[number] = at));
  const partners = right.numbers.map((number) => rowOf[number] ?? -1);
  for (const at of partners) if (at >= 0) isMatched[at] = 1;
  return { partners, isMatched };
}

/** One of the compared tables. */
export interface Side {
  columns: readonly TypedColumn[];
  rows: readonly Row[];
  /** Row indexes by the columns that their keys are computed from. */
  indexes: Map<string, RowIndex>;
  /** The numbers of the keys; the same map in all tables. */
  known: Map<string, number>;
}

export const columnAt = ({ columns }: Side, name: string): number =>
  columns.findIndex((column) => column.name === name);

function columnRefOf(side: Side, sides: readonly Side[], name: string): ColumnRef {
  const kinds = sides.flatMap((each) => each.columns[columnAt(each, name)]?.kind ?? []);
  return { at: columnAt(side, name), isText: kinds.every((kind) => kind === 'string') };
}

/** @param names columns that all sides have */
export function indexOf(side: Side, sides: readonly Side[], names: readonly string[]): RowIndex {
  const columns = names.map((name) => columnRefOf(side, sides, name));
  const id = JSON.stringify(columns);
  const found = side.indexes.get(id) ?? indexRows(side.rows, columns, side.known);
  side.indexes.set(id, found);
  return found;
}

/** @returns the shared columns that are not numbers; if these do not identify rows, numbers are added from the left */
export function dimensionsOf(sides: readonly Side[]): string[] {
  const names = sides[0]?.columns.map(({ name }) => name) ?? [];
  const shared = names.filter((name) => sides.every((side) => columnAt(side, name) >= 0));
  const isNumber = (name: string): boolean =>
    sides.every((side) => side.columns[columnAt(side, name)]?.kind === 'number');
  const identify = (chosen: readonly string[]): boolean => sides.every((side) => indexOf(side, sides, chosen).isUnique);
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

/**
 * Matches rows with equal keys. If several rows have the same key, equal rows are matched first, in any order, because
 * not every query sorts its rows; the others in order.
 * @param keys columns that both sides have
 */
export function matchRows(sides: readonly [Side, Side], keys: readonly string[]): Matches {
  const match = ([left, right]: readonly [Side, Side], names: readonly string[]): Matches =>
    matchInOrder(indexOf(left, sides, names), indexOf(right, sides, names));
  if (sides.every((side) => indexOf(side, sides, keys).isUnique)) return match(sides, keys);
  const [left, right] = sides;
  const shared = left.columns.map(({ name }) => name).filter((name) => columnAt(right, name) >= 0);
  const { partners, isMatched } = match(sides, shared);
  const restOf = (side: Side, isOpen: (row: number) => boolean) => {
    const at = [...side.rows.keys()].filter(isOpen);
    return { at, side: { ...side, rows: at.map((row) => side.rows[row]!), indexes: new Map<string, RowIndex>() } };
  };
  const lefts = restOf(left, (row) => isMatched[row] === 0);
  const rights = restOf(right, (row) => partners[row] === -1);
  match([lefts.side, rights.side], keys).partners.forEach((partner, index) => {
    const row = lefts.at[partner];
    if (row === undefined) return;
    partners[rights.at[index]!] = row;
    isMatched[row] = 1;
  });
  return { partners, isMatched };
}

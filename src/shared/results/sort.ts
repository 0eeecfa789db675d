/** Sorts rows by one column: computes a numeric key for each row, then sorts row indexes by key. */
import { cellText, infinityOf, isNull, numberText, timeSpan, type CellKind, type Rows } from './cells.ts';
import { compareNumeric, fitsDouble } from './decimal.ts';

export type Direction = 'ascending' | 'descending';

type Compare = (a: number, b: number) => number;

interface Keys {
  /** One key per row; not read for nulls. */
  values: Float64Array;
  nulls: Uint8Array;
  /** Breaks ties between equal keys; absent if equal keys mean equal cells. */
  tie?: Compare;
}

/**
 * Sorts numbers by value, times by instant and text by the locale's collation, with nulls always last. The sort is
 * stable.
 * @param order row indexes to sort: all of `rows`, or those that pass a filter
 * @returns the row indexes in the new order
 */
export function sortRows(
  rows: Rows,
  order: Uint32Array,
  column: { index: number; kind: CellKind },
  direction: Direction,
  locale?: string,
): Uint32Array {
  const { values, nulls, tie } = keysOf(rows, order, column, locale);
  const [present, absent] = byNull(order, nulls);
  const sign = direction === 'ascending' ? 1 : -1;
  const result = new Uint32Array(order.length);
  result.set(present);
  result.set(absent, present.length);
  // `Infinity - Infinity` is NaN, which counts as equal.
  const byKey: Compare = (a, b) => sign * (values[a]! - values[b]!);
  result.subarray(0, present.length).sort(tie ? (a, b) => byKey(a, b) || sign * tie(a, b) : byKey);
  return result;
}

/** @returns the rows with a value, and the rows with null */
function byNull(order: Uint32Array, nulls: Uint8Array): [Uint32Array, Uint32Array] {
  if (!nulls.includes(1)) return [order, new Uint32Array()];
  const sides: [Uint32Array, Uint32Array] = [new Uint32Array(order.length), new Uint32Array(order.length)];
  const counts: [number, number] = [0, 0];
  for (const row of order) {
    const side = nulls[row] === 1 ? 1 : 0;
    sides[side][counts[side]++] = row;
  }
  return [sides[0].subarray(0, counts[0]), sides[1].subarray(0, counts[1])];
}

function keysOf(
  rows: Rows,
  order: Uint32Array,
  { index, kind }: { index: number; kind: CellKind },
  locale: string | undefined,
): Keys {
  const cell = (row: number): unknown => rows[row]![index];
  const values = new Float64Array(rows.length);
  const nulls = new Uint8Array(rows.length);
  const isText = kind === 'string' || kind === 'json';
  const set = isText ? rankOf(rankTexts(order, cell, new Intl.Collator(locale))) : keyOf[kind];
  let exact = true;
  for (const row of order) {
    const value = cell(row);
    if (isNull(value)) nulls[row] = 1;
    else if (!set(value, values, row)) exact = false;
  }
  if (exact) return { values, nulls };
  const collator = new Intl.Collator(locale);
  const compare = kind === 'number' ? compareNumbers : compareTexts;
  return { values, nulls, tie: (a, b) => compare(cellText(cell(a)), cellText(cell(b)), collator) };
}

type SetKey = (value: unknown, keys: Float64Array, row: number) => boolean;

const rankOf =
  (ranks: ReadonlyMap<string, number>): SetKey =>
  (value, keys, row) => {
    keys[row] = ranks.get(cellText(value))!;
    return true;
  };

/** Sets the key of a row; values of another kind sort last. @returns whether equal keys mean equal cells */
const keyOf: Record<'number' | 'time' | 'boolean', SetKey> = {
  number(value, keys, row) {
    if (typeof value === 'number' && Number.isFinite(value)) {
      keys[row] = value;
      return true;
    }
    const text = numberText(value);
    keys[row] = text === undefined ? (infinityOf(cellText(value)) ?? Infinity) : Number(text);
    return text !== undefined && fitsDouble(text);
  },
  time(value, keys, row) {
    const text = cellText(value);
    const span = timeSpan(text);
    // Before other text, whose key is infinite.
    const end = Number.MAX_VALUE * Math.sign(infinityOf(text) ?? 0);
    keys[row] = span ? span[0] : end || Infinity;
    return (span !== undefined || end !== 0) && !/\.\d{7}/.test(text);
  },
  boolean(value, keys, row) {
    const text = cellText(value).toLowerCase();
    const known = ['false', 'f', '0', 'true', 't', '1'].indexOf(text);
    keys[row] = known === -1 ? Infinity : known < 3 ? 0 : 1;
    return known !== -1;
  },
};

const compareTexts = (a: string, b: string, collator: Intl.Collator): number => collator.compare(a, b);

/** Order: -Infinity, numbers by their exact digits, Infinity, NaN, other text. */
function compareNumbers(a: string, b: string, collator: Intl.Collator): number {
  const left = beyond(a);
  const right = beyond(b);
  if (left !== right) return left - right;
  return left === 0 ? compareNumeric(a, b) : collator.compare(a, b);
}

const beyond = (text: string): number =>
  numberText(text) === undefined ? Math.sign(infinityOf(text) ?? NaN) || (/^nan$/i.test(text) ? 2 : 3) : 0;

/** @returns the collation rank of each distinct text, so that rows are sorted by numbers */
function rankTexts(order: Uint32Array, cell: (row: number) => unknown, collator: Intl.Collator): Map<string, number> {
  const distinct = new Set<string>();
  for (const row of order) {
    const value = cell(row);
    if (!isNull(value)) distinct.add(cellText(value));
  }
  const texts = [...distinct].sort(collator.compare);
  const ranks = new Map<string, number>();
  let rank = 0;
  texts.forEach((text, at) => {
    if (at > 0 && collator.compare(texts[at - 1]!, text) !== 0) rank += 1;
    ranks.set(text, rank);
  });
  return ranks;
}

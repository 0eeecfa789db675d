/** Sorting of large results: typed keys are computed once, then row numbers are sorted by them, in slices. */
import { cellText, isNull, numberText, type CellKind, type Rows } from './cells.ts';
import { countUpTo } from './countUpTo.ts';
import { compareNumeric, fitsDouble } from './decimal.ts';
import { mergeSort, type Compare } from './mergeSort.ts';
import { radixSort } from './radix.ts';
import { STRIDE, type Sliced } from './slices.ts';
import { timeSpan } from './times.ts';

export type Direction = 'ascending' | 'descending';

interface Keys {
  /** One per row; not read for nulls. */
  values: Float64Array;
  nulls: Uint8Array;
  /** Orders rows whose keys are equal; absent where equal keys mean equal cells. */
  tie?: Compare;
}

/**
 * Sorts rows by one column: numbers by value whatever their form, times by instant, text by the user's collation,
 * rows of equal cells in their given order, nulls always last.
 * @param order row numbers to sort, all of `rows` or those that pass a filter
 * @returns the row numbers in the new order
 */
export function* sortRows(
  rows: Rows,
  order: Uint32Array,
  column: { index: number; kind: CellKind },
  direction: Direction,
  locale?: string,
): Sliced<Uint32Array> {
  const { values, nulls, tie } = yield* keysOf(rows, order, column, new Intl.Collator(locale));
  const [present, absent] = byNull(order, nulls);
  const sorted = yield* radixSort(present, values, direction === 'descending');
  if (tie) yield* breakTies(sorted, values, direction === 'ascending' ? tie : (a, b) => -tie(a, b));
  const result = new Uint32Array(order.length);
  result.set(sorted);
  result.set(absent, sorted.length);
  return result;
}

/** @returns the rows that have a value, and those that have none */
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

/** Sorts each run of equal keys, in place. */
function* breakTies(sorted: Uint32Array, values: Float64Array, tie: Compare): Sliced<void> {
  let start = 0;
  for (let at = 1; at <= sorted.length; at++) {
    if (at % STRIDE === 0) yield;
    if (at < sorted.length && values[sorted[at]!] === values[sorted[start]!]) continue;
    if (at - start > 1) sorted.set(yield* mergeSort(sorted.slice(start, at), tie), start);
    start = at;
  }
}

function* keysOf(
  rows: Rows,
  order: Uint32Array,
  { index, kind }: { index: number; kind: CellKind },
  collator: Intl.Collator,
): Sliced<Keys> {
  const cell = (row: number): unknown => rows[row]![index];
  const values = new Float64Array(rows.length);
  const nulls = new Uint8Array(rows.length);
  const ranked = kind === 'string' || kind === 'json' ? yield* rankTexts(order, cell, collator) : undefined;
  const set = ranked ? rankOf(ranked) : keyOf[kind as 'number'];
  let exact = true;
  for (let start = 0; start < order.length; start += STRIDE) {
    if (start > 0) yield;
    exact = setKeys(order.subarray(start, start + STRIDE), cell, set, values, nulls) && exact;
  }
  if (exact) return { values, nulls };
  const compare = kind === 'number' ? compareNumbers : compareTexts;
  return { values, nulls, tie: (a, b) => compare(cellText(cell(a)), cellText(cell(b)), collator) };
}

// The loops over all rows are functions of their own: what is called often is compiled soon, a generator is not.

type SetKey = (value: unknown, keys: Float64Array, row: number) => boolean;

/** @returns whether the keys of these rows say it all */
function setKeys(
  rows: Uint32Array,
  cell: (row: number) => unknown,
  set: SetKey,
  values: Float64Array,
  nulls: Uint8Array,
): boolean {
  let exact = true;
  for (const row of rows) {
    const value = cell(row);
    if (isNull(value)) nulls[row] = 1;
    else if (!set(value, values, row)) exact = false;
  }
  return exact;
}

const rankOf =
  (ranks: ReadonlyMap<string, number>): SetKey =>
  (value, keys, row) => {
    keys[row] = ranks.get(cellText(value))!;
    return true;
  };

/** Sets a row's key; what is not of the column's kind goes to the end. @returns whether the key says it all */
const keyOf: Record<'number' | 'time' | 'boolean', SetKey> = {
  number(value, keys, row) {
    if (typeof value === 'number' && Number.isFinite(value)) {
      keys[row] = value;
      return true;
    }
    const text = numberText(value);
    keys[row] = text === undefined ? (value === '-Infinity' ? -Infinity : Infinity) : Number(text);
    return text !== undefined && fitsDouble(text);
  },
  time(value, keys, row) {
    const text = cellText(value);
    const span = timeSpan(text);
    keys[row] = span ? span[0] : Infinity;
    return span !== undefined && !/\.\d{7}/.test(text);
  },
  boolean(value, keys, row) {
    const text = cellText(value).toLowerCase();
    const known = ['false', 'f', '0', 'true', 't', '1'].indexOf(text);
    keys[row] = known === -1 ? Infinity : known < 3 ? 0 : 1;
    return known !== -1;
  },
};

const compareTexts = (a: string, b: string, collator: Intl.Collator): number => collator.compare(a, b);

/** Numbers by their digits; then what a database puts beyond them, then text. */
function compareNumbers(a: string, b: string, collator: Intl.Collator): number {
  const left = beyond(a);
  const right = beyond(b);
  if (left !== right) return left - right;
  return left === 0 ? compareNumeric(a, b) : collator.compare(a, b);
}

const beyond = (text: string): number =>
  numberText(text) !== undefined ? 0 : text === '-Infinity' ? -1 : ['Infinity', 'NaN'].indexOf(text) + 1 || 3;

/** Gives each distinct text its place in the user's collation, so that rows are then sorted by plain numbers. */
function* rankTexts(
  order: Uint32Array,
  cell: (row: number) => unknown,
  collator: Intl.Collator,
): Sliced<Map<string, number>> {
  const ranks = new Map<string, number>();
  for (let at = 0; at < order.length; at++) {
    if (at % STRIDE === STRIDE - 1) yield;
    const value = cell(order[at]!);
    if (!isNull(value)) ranks.set(cellText(value), 0);
  }
  const texts = [...ranks.keys()];
  const compare: Compare = (a, b) => collator.compare(texts[a]!, texts[b]!);
  const sorted = yield* mergeSort(countUpTo(texts.length), compare);
  let rank = 0;
  for (let at = 0; at < sorted.length; at++) {
    if (at > 0 && compare(sorted[at - 1]!, sorted[at]!) !== 0) rank++;
    ranks.set(texts[sorted[at]!]!, rank);
  }
  return ranks;
}

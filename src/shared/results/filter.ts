/** Column filters: conditions on cells by the kind of the column, exact for numbers, by whole periods for times. */
import { cellText, isNull, numberText, type CellKind, type Rows } from './cells.ts';
import { countUpTo } from './countUpTo.ts';
import { compareNumeric, fitsDouble } from './decimal.ts';
import { STRIDE, type Sliced } from './slices.ts';
import { timeSpan } from './times.ts';
import { parseTyped } from './typedNumber.ts';

export type FilterCondition =
  'contains' | 'equals' | 'differs' | 'greater' | 'atLeast' | 'less' | 'atMost' | 'between' | 'empty' | 'notEmpty';

/** A condition with its values as typed; `to` is the upper end of `between`. */
export interface ColumnFilter {
  condition: FilterCondition;
  value: string;
  to: string;
}

type Matcher = (cell: unknown) => boolean;

/** The bit in which the cases of a Latin letter differ. */
const CASE = 0x20;

const text: readonly FilterCondition[] = ['contains', 'equals', 'differs', 'empty', 'notEmpty'];
const ordered: readonly FilterCondition[] = [
  'contains',
  'equals',
  'differs',
  'greater',
  'atLeast',
  'less',
  'atMost',
  'between',
  'empty',
  'notEmpty',
];

/** @returns the conditions that make sense for a kind of column, the most usual first */
export const conditionsFor = (kind: CellKind): readonly FilterCondition[] =>
  kind === 'number' || kind === 'time' ? ordered : text;

const isEmpty: Matcher = (cell) => isNull(cell) || cell === '';

/**
 * @param locale whose separators a typed number may have; the user's where absent
 * @returns whether a cell passes, or `undefined` while the values typed so far make no condition
 */
export function matcherFor(kind: CellKind, filter: ColumnFilter, locale?: string): Matcher | undefined {
  const { condition } = filter;
  if (condition === 'empty') return isEmpty;
  if (condition === 'notEmpty') return (cell) => !isEmpty(cell);
  const value = filter.value.trim();
  if (value === '')
    return condition === 'between' && filter.to.trim() !== '' ? ranged(kind, filter, locale) : undefined;
  if (condition === 'contains') return containing(kind, value, locale);
  if (kind === 'number' || kind === 'time') return ranged(kind, filter, locale);
  const equal = equalTo(value);
  return condition === 'equals' ? equal : condition === 'differs' ? (cell) => !equal(cell) : undefined;
}

function equalTo(value: string): Matcher {
  const folded = folding(value);
  const wanted = folded(value);
  const end = wanted.charCodeAt(wanted.length - 1) | CASE;
  return (cell) => {
    if (isNull(cell)) return false;
    const held = cellText(cell);
    // Most texts that differ do so in their last letter already; nothing but ASCII is written in one way only.
    const last = held.charCodeAt(held.length - 1);
    if (last > 0x20 && last < 0x80 && (last | CASE) !== end) return false;
    return folded(held.trim()) === wanted;
  };
}

/** @returns writes text in one case, and letters with accents in one way where the typed text has any */
const folding = (typed: string): ((text: string) => string) =>
  /[\u0080-\uffff]/.test(typed) ? (text) => text.normalize().toLowerCase() : (text) => text.toLowerCase();

/** Looks in the text as the service wrote it and as it is shown: `1,234` finds 1234, `2024-01-05 10` finds its hour. */
function containing(kind: CellKind, value: string, locale: string | undefined): Matcher {
  const folded = folding(value);
  const needle = folded(value);
  const plain = kind === 'number' ? (parseTyped(value, locale) ?? needle) : needle;
  return (cell) => {
    if (isNull(cell)) return false;
    const held = folded(cellText(cell));
    if (held.includes(needle) || held.includes(plain)) return true;
    return kind === 'time' && held.replace('t', ' ').includes(needle);
  };
}

/** Where a cell lies relative to a typed value: before (-1), on (0) or after it (1); NaN when it is not comparable. */
type Locate = (cell: unknown) => number;

function ranged(
  kind: CellKind,
  { condition, value, to }: ColumnFilter,
  locale: string | undefined,
): Matcher | undefined {
  const locator = (typed: string): Locate | undefined =>
    kind === 'number' ? locateNumber(parseTyped(typed.trim(), locale)) : locateTime(typed.trim());
  const at = locator(value);
  if (condition === 'between') {
    const upTo = locator(to);
    if (!at && !upTo) return undefined;
    return (cell) => (at ? at(cell) >= 0 : true) && (upTo ? upTo(cell) <= 0 : true);
  }
  if (!at) return undefined;
  switch (condition) {
    case 'equals':
      return (cell) => at(cell) === 0;
    case 'differs':
      return (cell) => at(cell) !== 0;
    case 'greater':
      return (cell) => at(cell) > 0;
    case 'atLeast':
      return (cell) => at(cell) >= 0;
    case 'less':
      return (cell) => at(cell) < 0;
    case 'atMost':
      return (cell) => at(cell) <= 0;
    default:
      return undefined;
  }
}

function locateNumber(wanted: string | undefined): Locate | undefined {
  if (wanted === undefined) return undefined;
  const bound = Number(wanted);
  const boundFits = fitsDouble(wanted);
  return (cell) => {
    if (typeof cell === 'number' && boundFits && Number.isFinite(cell)) return Math.sign(cell - bound);
    const held = numberText(cell);
    if (held === undefined) return NaN;
    return boundFits && fitsDouble(held) ? Math.sign(Number(held) - bound) : Math.sign(compareNumeric(held, wanted));
  };
}

function locateTime(wanted: string): Locate | undefined {
  const span = timeSpan(wanted);
  if (!span) return undefined;
  const [start, end] = span;
  return (cell) => {
    const held = timeSpan(cellText(cell));
    return held === undefined ? NaN : held[0] < start ? -1 : held[0] < end ? 0 : 1;
  };
}

/**
 * @param matchers the condition of each filtered column, by its index
 * @returns the numbers of the rows that pass them all, in order
 */
export function* filterRows(rows: Rows, matchers: ReadonlyMap<number, Matcher>): Sliced<Uint32Array> {
  const passed = countUpTo(rows.length);
  let count = passed.length;
  for (const [column, matches] of matchers) {
    let kept = 0;
    for (let start = 0; start < count; start += STRIDE) {
      if (start > 0) yield;
      kept = keepMatching(rows, passed, [start, Math.min(start + STRIDE, count)], kept, column, matches);
    }
    count = kept;
  }
  return passed.subarray(0, count);
}

/**
 * Moves the rows of a stretch that match behind the `kept` ones; a function of its own, for it is compiled soon.
 * @returns how many are kept then
 */
function keepMatching(
  rows: Rows,
  passed: Uint32Array,
  [start, end]: readonly [number, number],
  kept: number,
  column: number,
  matches: Matcher,
): number {
  for (let at = start; at < end; at++) {
    const row = passed[at]!;
    if (matches(rows[row]![column])) passed[kept++] = row;
  }
  return kept;
}

/** Filters rows by column conditions: numbers are compared exactly, times by the period that the text names. */
import { cellText, hasZone, infinityOf, isNull, numberText, timeSpan, type CellKind, type Rows } from './cells.ts';
import { compareNumeric, fitsDouble, isNumeric } from './decimal.ts';
import { STRIDE, type Sliced } from './slices.ts';

export type FilterCondition =
  'contains' | 'equals' | 'differs' | 'greater' | 'atLeast' | 'less' | 'atMost' | 'between' | 'empty' | 'notEmpty';

/** A condition and its values as typed; `to` is the upper bound of `between`. */
export interface ColumnFilter {
  condition: FilterCondition;
  value: string;
  to: string;
}

export type Matcher = (cell: unknown) => boolean;

/** The bit that differs between the upper and lower case of an ASCII letter. */
const CASE = 0x20;

const textConditions: readonly FilterCondition[] = ['contains', 'equals', 'differs', 'empty', 'notEmpty'];
/** All conditions; text has only some of them. */
export const filterConditions: readonly FilterCondition[] = [
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

/** @returns the conditions available for a kind of column, the most common first */
export const conditionsFor = (kind: CellKind): readonly FilterCondition[] =>
  kind === 'number' || kind === 'time' ? filterConditions : textConditions;

const isEmpty: Matcher = (cell) => isNull(cell) || cell === '';

/**
 * @param locale locale of the separators in typed numbers; defaults to the user's
 * @returns a predicate for cells, or `undefined` while the typed values are not a valid condition
 */
export function matcherFor(kind: CellKind, filter: ColumnFilter, locale?: string): Matcher | undefined {
  const { condition } = filter;
  if (condition === 'empty') return isEmpty;
  if (condition === 'notEmpty') return (cell) => !isEmpty(cell);
  const value = filter.value.trim();
  // Only a range may lack a value.
  if (value === '') return ranged(kind, filter, locale);
  if (condition === 'contains') return containing(kind, value, locale);
  if (kind === 'number' || kind === 'time') return ranged(kind, filter, locale);
  const equal = equalTo(value);
  return condition === 'equals' ? equal : condition === 'differs' ? (cell) => !equal(cell) : undefined;
}

const OPERATORS: Readonly<Record<string, FilterCondition>> = {
  '>': 'greater',
  '>=': 'atLeast',
  '<': 'less',
  '<=': 'atMost',
  '=': 'equals',
  '<>': 'differs',
  '!=': 'differs',
};

/**
 * @returns the filter of a number or time whose value begins with an operator, such as `>400000`, with that condition;
 * any other filter unchanged
 */
export function withTypedOperator(kind: CellKind, filter: ColumnFilter): ColumnFilter {
  const [operator = ''] = /^(?:<>|[<>]=?|!=|=)/.exec(filter.value.trim()) ?? [];
  const condition = kind === 'number' || kind === 'time' ? OPERATORS[operator] : undefined;
  if (condition === undefined || filter.condition === 'between') return filter;
  return { ...filter, condition, value: filter.value.trim().slice(operator.length) };
}

function equalTo(value: string): Matcher {
  const folded = folding(value);
  const wanted = folded(value);
  const end = wanted.charCodeAt(wanted.length - 1) | CASE;
  return (cell) => {
    const held = cellText(cell);
    // Fast path for ASCII text, which needs no normalization: compare the last character first.
    const last = held.charCodeAt(held.length - 1);
    if (last > 0x20 && last < 0x80 && (last | CASE) !== end) return false;
    return folded(held.trim()) === wanted;
  };
}

/** @returns a function that lowercases text, and normalizes it if the typed text has non-ASCII characters */
const folding = (typed: string): ((text: string) => string) =>
  /[\u0080-\uffff]/.test(typed) ? (text) => text.normalize().toLowerCase() : (text) => text.toLowerCase();

/** Matches both the raw and the displayed text: `1,234` matches 1234, `2024-01-05 10` matches times in that hour. */
function containing(kind: CellKind, value: string, locale: string | undefined): Matcher {
  const folded = folding(value);
  const needle = folded(value);
  const plain = kind === 'number' ? (parseTyped(value, locale) ?? needle) : needle;
  return (cell) => {
    const held = folded(cellText(cell));
    if (held.includes(needle) || held.includes(plain)) return true;
    return kind === 'time' && held.replace('t', ' ').includes(needle);
  };
}

/** Compares a cell to a typed value: -1 before, 0 equal or inside, 1 after; NaN if not comparable. */
type Locate = (cell: unknown) => number;

function ranged(
  kind: CellKind,
  { condition, value, to }: ColumnFilter,
  locale: string | undefined,
): Matcher | undefined {
  const locator = (typed: string): Locate | undefined =>
    kind === 'number' ? locateNumber(parseTyped(typed, locale)) : locateTime(typed.trim());
  const at = locator(value);
  if (condition === 'between') {
    const upTo = locator(to);
    const isInvalid = (!at && value.trim() !== '') || (!upTo && to.trim() !== '');
    if (isInvalid || (!at && !upTo)) return undefined;
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
    if (held === undefined) return Math.sign(infinityOf(cellText(cell)) ?? NaN);
    return boundFits && fitsDouble(held) ? Math.sign(Number(held) - bound) : Math.sign(compareNumeric(held, wanted));
  };
}

function locateTime(wanted: string): Locate | undefined {
  const span = timeSpan(wanted);
  if (!span) return undefined;
  const [start, end] = span;
  // A day or time without a zone means that of the text in the cell.
  const asWritten = !hasZone(wanted);
  return (cell) => {
    const held = timeSpan(cellText(cell), asWritten);
    return held === undefined
      ? Math.sign(infinityOf(cellText(cell)) ?? NaN)
      : held[0] < start
        ? -1
        : held[0] < end
          ? 0
          : 1;
  };
}

/**
 * @param matchers the predicate of each filtered column, by column index
 * @returns the indexes of the rows that pass all of them, in order
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
  return passed.slice(0, count);
}

/**
 * Compacts the matching rows of a range behind the first `kept` ones. A separate function, so that V8 optimizes it.
 * @returns the new number of kept rows
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

/** @returns the integers in `[0, count)`. A plain loop: iterators are several times slower. */
function countUpTo(count: number): Uint32Array<ArrayBuffer> {
  const numbers = new Uint32Array(count);
  for (let at = 0; at < count; at++) numbers[at] = at;
  return numbers;
}

/**
 * @returns plain digits for a number typed with the separators of the locale, or `undefined` if the text is not a
 * number
 */
function parseTyped(typed: string, locale: string | undefined): string | undefined {
  const format = new Intl.NumberFormat(locale);
  const digits = [...new Intl.NumberFormat(locale, { useGrouping: false }).format(9_876_543_210)].reverse();
  const compact = [...typed.replace(/[\s\u00a0\u202f\u200e\u200f\u061c_']/g, '')]
    .map((character) => (digits.includes(character) ? String(digits.indexOf(character)) : character))
    .join('');
  const parts = format.formatToParts(11_111.5);
  const part = (type: string): string => parts.find((one) => one.type === type)!.value;
  const [group, decimal] = [part('group'), part('decimal')];
  // In locales that group digits with a point, `1.234` is 1234. Other grouped numbers are not numeric as they are.
  const isGrouped = /^[-+]?\d{1,3}g\d{3}$/.test(compact.replaceAll(group, 'g'));
  if (!isGrouped && isNumeric(compact)) return compact;
  const plain = compact.replace('\u2212', '-').replaceAll(group, '').replace(decimal, '.');
  return isNumeric(plain) ? plain : undefined;
}

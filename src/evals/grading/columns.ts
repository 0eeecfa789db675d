/** A column for grading: its cells as keys, which are equal exactly if the cells count as equal. */
import { parseDecimal } from '../../shared/results/decimal.ts';
import { withoutTrailing } from '../../shared/text/lines.ts';
import type { ResultTable } from '../../shared/wire/toolPayloads.ts';
import {
  cellText,
  isDateTime,
  isNull,
  kindOfType,
  numberText,
  timeSpan,
  typeColumns,
  type CellKind,
} from '../../shared/results/cells.ts';

/** Digits beyond these are floating-point noise: 1234.4999999999998 counts as 1234.5 before it is rounded. */
const NOISE_FREE = 12;

/** @returns a text that is equal for two numbers with the same significant digits, rounded half away from zero */
function numberKey(text: string, precision: number): string {
  const { negative, digits, exponent } = parseDecimal(text);
  const exact = roundTo(digits, exponent, Math.max(NOISE_FREE, precision));
  const rounded = roundTo(exact.digits, exact.exponent, precision);
  return `${negative ? '-' : ''}${rounded.digits}e${rounded.exponent}`;
}

/** @param digits digits of `0.digits × 10^exponent`, without leading and trailing zeros */
function roundTo(digits: string, exponent: number, count: number): { digits: string; exponent: number } {
  if (digits.length <= count) return { digits, exponent };
  const isUp = digits[count]! >= '5';
  const head = String(BigInt(digits.slice(0, count)) + (isUp ? 1n : 0n));
  return { digits: withoutTrailing(head, '0'), exponent: exponent + head.length - count };
}

/** How two columns are compared. */
export type Mode = 'number' | 'instant' | 'day' | 'boolean' | 'text';

const DATE = /^\d{4}-\d\d-\d\d$/;
const MIDNIGHT = /^\d{4}-\d\d-\d\d(?:[T ]00:00(?::00(?:[.,]0+)?)?)?\s?(?:Z|UTC|[+-]\d\d(?::?\d\d)?)?$/;
const NULL = 'null';

export class GradedColumn {
  readonly name: string;
  readonly kind: CellKind;
  /** Whether the service declared the type; otherwise the kind is inferred from the cells. */
  readonly isDeclared: boolean;
  readonly cells: readonly unknown[];
  readonly #precision: number;
  readonly #keys = new Map<Mode, readonly string[]>();
  readonly #counts = new Map<Mode, ReadonlyMap<string, number>>();

  constructor(table: ResultTable, index: number, kind: CellKind, precision: number) {
    const { name, type } = table.columns[index]!;
    this.name = name;
    this.kind = kind;
    this.isDeclared = kindOfType(type) !== undefined;
    this.cells = table.rows.map((row) => row[index] ?? null);
    this.#precision = precision;
  }

  get isAllNull(): boolean {
    return this.cells.every(isNull);
  }

  isEvery(test: (cell: unknown) => boolean): boolean {
    return this.cells.every((cell) => isNull(cell) || test(cell));
  }

  /** @returns for each cell a text that is equal for equal cells */
  keys(mode: Mode): readonly string[] {
    let keys = this.#keys.get(mode);
    if (keys === undefined) {
      keys = this.cells.map((cell) => (isNull(cell) ? NULL : keyOf(cell, mode, this.#precision)));
      this.#keys.set(mode, keys);
    }
    return keys;
  }

  /** @returns the number of occurrences of each key */
  counts(mode: Mode): ReadonlyMap<string, number> {
    let counts = this.#counts.get(mode);
    if (counts === undefined) this.#counts.set(mode, (counts = countOf(this.keys(mode))));
    return counts;
  }
}

export function countOf<T>(values: readonly T[]): Map<T, number> {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

export const sameCounts = <T>(left: ReadonlyMap<T, number>, right: ReadonlyMap<T, number>): boolean =>
  left.size === right.size && [...left].every(([key, count]) => right.get(key) === count);

export const gradedColumns = (table: ResultTable, precision: number): GradedColumn[] =>
  typeColumns(table.columns, table.rows).map(({ kind }, index) => new GradedColumn(table, index, kind, precision));

function keyOf(cell: unknown, mode: Mode, precision: number): string {
  const text = cellText(cell);
  switch (mode) {
    case 'number': {
      const digits = numberText(cell);
      return digits === undefined ? `text:${text}` : `number:${numberKey(digits, precision)}`;
    }
    case 'instant':
      return `time:${timeSpan(text)?.[0] ?? text}`;
    case 'day':
      return `day:${text.slice(0, 10)}`;
    case 'boolean':
      return `boolean:${/^(?:t|true|1)$/i.test(text) ? 'true' : /^(?:f|false|0)$/i.test(text) ? 'false' : text}`;
    case 'text':
      return `text:${text}`;
  }
}

const isTimeCell = (cell: unknown): boolean => isDateTime(cellText(cell));

/** Whether all cells of a column without a declared type can be read as another kind. */
function readsAs(column: GradedColumn, kind: CellKind): boolean {
  if (column.isDeclared) return false;
  if (kind === 'string') return column.isEvery((cell) => typeof cell === 'string');
  return kind === 'number' && column.isEvery((cell) => numberText(cell) !== undefined);
}

/** @returns how to compare two columns, or `undefined` if their types can't match */
export function modeOf(left: GradedColumn, right: GradedColumn): Mode | undefined {
  if (left.isAllNull || right.isAllNull) return 'text';
  const isTimes = (column: GradedColumn): boolean =>
    column.kind === 'time' || (column.kind === 'string' && column.isEvery(isTimeCell));
  if ((left.kind === 'time' || right.kind === 'time') && isTimes(left) && isTimes(right)) return timeMode(left, right);
  if (left.kind === right.kind) return left.kind === 'number' || left.kind === 'boolean' ? left.kind : 'text';
  const kinds = [left.kind, right.kind];
  if (kinds.includes('json') && kinds.includes('string')) return 'text';
  const other = readsAs(left, right.kind) ? right.kind : readsAs(right, left.kind) ? left.kind : undefined;
  return other === 'string' ? 'text' : other && 'number';
}

/** Compares by instant, or by day if the instants differ and one side has only days. */
function timeMode(left: GradedColumn, right: GradedColumn): Mode {
  if (sameCounts(left.counts('instant'), right.counts('instant'))) return 'instant';
  const isAll = (column: GradedColumn, pattern: RegExp): boolean =>
    column.isEvery((cell) => pattern.test(cellText(cell)));
  const isDays = isAll(left, DATE) || isAll(right, DATE) || (isAll(left, MIDNIGHT) && isAll(right, MIDNIGHT));
  return isDays ? 'day' : 'instant';
}

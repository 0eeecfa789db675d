/** The columns of compared tables, and how the cells of two of them are compared. */
import { cellText, isDateTime, isNull, kindOfType, numberText, typeColumns } from '../shared/results/cells.ts';
import type { CellKind, Row, TypedColumn } from '../shared/results/cells.ts';
import { namesThings } from '../shared/results/identifiers.ts';
import type { ResultTable } from '../shared/wire/toolPayloads.ts';
import {
  exactKey,
  isNear,
  isSameMeasure,
  numberOf,
  withoutResidue,
  type Mode,
  type Precision,
} from './cellEquality.ts';

/** A day, or a month, which begins with its first one. */
const DATE = /^\d{4}-\d\d(?:-\d\d)?$/;
const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/;
const MIDNIGHT =
  /^\d{4}-\d\d-\d\d(?:[T ]00:00(?::00(?:[.,]0+)?)?)?\s?(?:Z|UTC|GMT|[+-]\d\d(?::?\d\d)?|[A-Z]\w+\/[\w/+-]+)?$/;

/** Whether a cell is a number; padded text such as `007` is a code. */
function isUnpadded(cell: unknown): boolean {
  const text = numberText(cell);
  return text !== undefined && !/^-?0\d/.test(text);
}

/** Numbers keys in order of appearance, for all tables of a comparison. */
export type Numbering = Map<string | number, number>;

const plainName = (name: string): string => name.slice(name.lastIndexOf('.') + 1).toLowerCase();
/** @returns whether names are the same in any case, without the cube or table before a dot */
export const sameName = (left: string, right: string): boolean => plainName(left) === plainName(right);

/** A column of one table; what is computed from all its cells is computed once. */
export class TableColumn {
  readonly column: TypedColumn;
  /** Its name in lower case, without the cube or table before a dot. */
  readonly name: string;
  readonly index: number;
  readonly rows: readonly Row[];
  /** Whether the service declared the type; otherwise the kind is inferred from the cells. */
  readonly isDeclared: boolean;
  readonly #ids = new Map<Mode, Int32Array>();
  #numbers: Float64Array | undefined;
  #sorted: Float64Array | undefined;
  #size: number | undefined;
  #content: string | undefined;
  readonly #facts = new Map<string, boolean>();

  constructor(column: TypedColumn, index: number, rows: readonly Row[]) {
    this.column = column;
    this.name = plainName(column.name);
    this.index = index;
    this.rows = rows;
    this.isDeclared = kindOfType(column.type) !== undefined;
  }

  #fact(name: string, compute: () => boolean): boolean {
    let fact = this.#facts.get(name);
    if (fact === undefined) this.#facts.set(name, (fact = compute()));
    return fact;
  }

  /** Whether it is a column of numbers that name things. */
  get isIdentifier(): boolean {
    const { name, kind } = this.column;
    return this.#fact('identifier', () => kind === 'number' && namesThings(name, this.rows, this.index));
  }

  get isAllNull(): boolean {
    return this.#fact('null', () => this.isEvery(() => false));
  }

  get isTimes(): boolean {
    const { kind } = this.column;
    const isTime = (text: string): boolean => isDateTime(text) || MONTH.test(text);
    const isText = (): boolean => kind === 'string' && this.isEvery((cell) => isTime(cellText(cell)));
    return kind === 'time' || this.#fact('time', isText);
  }

  /** Whether it is of a kind, or all cells of a column without a declared type can be read as that kind. */
  isKind(kind: CellKind): boolean {
    if (this.column.kind === kind) return true;
    if (this.isDeclared) return false;
    if (kind === 'string') return this.#fact('string', () => this.isEvery((cell) => typeof cell === 'string'));
    return kind === 'number' && this.#fact('number', () => this.isEvery(isUnpadded));
  }

  isEvery(test: (cell: unknown) => boolean): boolean {
    return this.rows.every((row) => isNull(row[this.index]) || test(row[this.index]));
  }

  /** The same text for columns of one type with the same cells in the same rows. */
  get content(): string {
    const cells = (): unknown[] => this.rows.map((row) => row[this.index] ?? null);
    return (this.#content ??= JSON.stringify([this.column.kind, this.isDeclared, this.isIdentifier, cells()]));
  }

  /** Largest magnitude of its numbers. */
  get size(): number {
    if (this.#size === undefined) this.#read();
    return this.#size!;
  }

  /** The number of each row, with residues of sums as zero; NaN for other cells. */
  get numbers(): Float64Array {
    return this.#numbers ?? this.#read();
  }

  #read(): Float64Array {
    const { rows, index } = this;
    const numbers = new Float64Array(rows.length);
    let size = 0;
    for (let row = 0; row < rows.length; row++) {
      const number = (numbers[row] = numberOf(rows[row]![index]));
      const magnitude = Math.abs(number);
      if (magnitude > size && magnitude < Infinity) size = magnitude;
    }
    for (let row = 0; row < rows.length; row++) numbers[row] = withoutResidue(numbers[row]!, size);
    this.#size = size;
    return (this.#numbers = numbers);
  }

  /** Orders cells of measures: numbers, then other cells, each by their exact text where that is needed. */
  compare(row: number, other: TableColumn, otherRow: number): number {
    const [a, b] = [this.numbers[row]!, other.numbers[otherRow]!];
    if (a < b || a > b) return a < b ? -1 : 1;
    if (Number.isNaN(a) !== Number.isNaN(b)) return Number.isNaN(a) ? 1 : -1;
    const [cell, otherCell] = [this.rows[row]![this.index], other.rows[otherRow]![other.index]];
    if (cell === otherCell) return 0;
    const [key, otherKey] = [String(exactKey(cell, 'measure')), String(exactKey(otherCell, 'measure'))];
    return key < otherKey ? -1 : key > otherKey ? 1 : 0;
  }

  /** The numbers in ascending order; other cells last. */
  get sorted(): Float64Array {
    return (this.#sorted ??= this.numbers.toSorted());
  }

  /** @returns for each row a number that equal cells of all columns in this mode share */
  ids(mode: Mode, known: Numbering): Int32Array {
    const found = this.#ids.get(mode);
    if (found) return found;
    const { rows, index } = this;
    // Columns of dates repeat few values, and their keys are slow to compute.
    const cache = mode === 'text' ? undefined : new Map<unknown, number>();
    const ids = new Int32Array(rows.length);
    for (let row = 0; row < rows.length; row++) {
      const cell = rows[row]![index];
      let id = cache?.get(cell);
      if (id === undefined) {
        const key = exactKey(cell, mode);
        id = known.get(key);
        if (id === undefined) known.set(key, (id = known.size));
        cache?.set(cell, id);
      }
      ids[row] = id;
    }
    this.#ids.set(mode, ids);
    return ids;
  }
}

export const tableColumns = ({ columns, rows }: ResultTable): TableColumn[] =>
  typeColumns(columns, rows).map((column, index) => new TableColumn(column, index, rows));

/** Two columns whose cells are compared. */
export interface ColumnPair {
  left: TableColumn;
  right: TableColumn;
  mode: Mode;
}

/** @returns the columns with the mode in which they are compared, or `undefined` if their types can't match */
export function pairOf(left: TableColumn, right: TableColumn, known: Numbering): ColumnPair | undefined {
  const mode = modeOf(left, right, known);
  return mode && { left, right, mode };
}

function modeOf(left: TableColumn, right: TableColumn, known: Numbering): Mode | undefined {
  const ofNumbers = left.isIdentifier || right.isIdentifier ? 'identifier' : 'measure';
  if (left.isAllNull || right.isAllNull) {
    const { column } = left.isAllNull ? right : left;
    return column.kind === 'number' ? ofNumbers : 'text';
  }
  const kinds = [left.column.kind, right.column.kind] as const;
  if (kinds.includes('time') && left.isTimes && right.isTimes) return timeMode(left, right, known);
  const areBoth = (kind: CellKind): boolean => kinds.includes(kind) && left.isKind(kind) && right.isKind(kind);
  if (areBoth('number')) return ofNumbers;
  if (kinds[0] === kinds[1]) return kinds[0] === 'boolean' ? 'boolean' : 'text';
  return areBoth('string') || (kinds.includes('json') && kinds.includes('string')) ? 'text' : undefined;
}

/** Compares by instant, or by day if the instants differ and one side has only days. */
function timeMode(left: TableColumn, right: TableColumn, known: Numbering): Mode {
  if (hasSameIds(left.ids('instant', known), right.ids('instant', known))) return 'instant';
  const isAll = (column: TableColumn, pattern: RegExp): boolean =>
    column.isEvery((cell) => pattern.test(cellText(cell)));
  const isDays = isAll(left, DATE) || isAll(right, DATE) || (isAll(left, MIDNIGHT) && isAll(right, MIDNIGHT));
  return isDays ? 'day' : 'instant';
}

/** @returns whether both have each number equally often */
export function hasSameIds(left: Int32Array, right: Int32Array): boolean {
  if (left.length !== right.length) return false;
  const counts = new Int32Array(left.reduce((most, id) => Math.max(most, id), -1) + 1);
  for (const id of left) counts[id]!++;
  return right.every((id) => counts[id]!-- > 0);
}

/** @returns whether the numbers of two measures are near each other, or neither is a number */
export const areNear = (left: number, right: number, precision: Precision): boolean =>
  isNear(left, right, precision) || (Number.isNaN(left) && Number.isNaN(right));

/**
 * @returns whether both columns may have equal cells, in any order; a measure is compared without its text, and with
 * the tolerance of rounding errors at least
 * @param spend receives the number of compared cells
 */
export function mayHaveSameCells(
  { left, right, mode }: ColumnPair,
  { precision, known }: { precision: Precision; known: Numbering },
  spend: (cells: number) => void,
): boolean {
  const { length } = left.rows;
  if (length !== right.rows.length) return false;
  if (mode !== 'measure') {
    spend(length);
    return hasSameIds(left.ids(mode, known), right.ids(mode, known));
  }
  const isSame = (one: Float64Array, other: Float64Array): boolean => {
    const different = one.findIndex((number, at) => !areNear(number, other[at]!, precision));
    spend(different === -1 ? length : different);
    return different === -1;
  };
  // Most columns have the same order of rows.
  return isSame(left.numbers, right.numbers) || isSame(left.sorted, right.sorted);
}

const isDecimals = ({ column }: TableColumn): boolean => /^(?:decimal|numeric|dec)\b/.test(column.type);

/** @returns whether a cell of the left and a cell of the right column are equal */
export function isSameCell(pair: ColumnPair, left: unknown, right: unknown, precision: Precision): boolean {
  if (left === right || (isNull(left) && isNull(right))) return true;
  const { mode } = pair;
  if (mode !== 'measure') return exactKey(left, mode) === exactKey(right, mode);
  const size = { left: pair.left.size, right: pair.right.size };
  return isSameMeasure(left, right, size, precision, isDecimals(pair.left) && isDecimals(pair.right));
}

/** Compares the rows of a data query with those of the answer: the query may have run for another branch or user. */
import { plural, t } from '../shared/text/l10n.ts';
import type { ResultTable } from '../shared/wire/toolPayloads.ts';
import type { Row, Rows } from '../shared/results/cells.ts';
import { exactKey, type Precision } from './cellEquality.ts';
import { pairOf, tableColumns, type ColumnPair } from './columns.ts';
import { equalRows } from './matchColumns.ts';

export interface RowDifference {
  /** Number of rows of the answer that the query didn't return, and number of rows of the answer. */
  missing: number;
  compared: number;
  /** Set if all rows were loaded and their number differs from the answer's total. */
  counts?: { answer: number; loaded: number } | undefined;
}

/** Rows without an identical one in the answer that are kept to be compared by tolerance. */
const MOST_OTHERS = 10_000;

const withSelf = (table: ResultTable): ColumnPair[] => {
  const known = new Map();
  return tableColumns(table).flatMap((column) => pairOf(column, column, known) ?? []);
};

/** Finds the rows of the answer among streamed rows, in any order, because not every query sorts its rows. */
export class AnswerRows {
  readonly #answer: ResultTable;
  readonly #precision: Precision;
  readonly #pairs: readonly ColumnPair[];
  /** The rows without an identical one so far, by their cells. */
  readonly #open = new Map<string, Row[]>();
  /** The cells of all rows in the columns that are compared exactly. */
  readonly #keys = new Set<string>();
  readonly #others: Row[] = [];
  #missing: number;
  #loaded = 0;

  /** @param precision number of significant digits at which measures are equal; by default, all digits */
  constructor(answer: ResultTable, precision?: Precision) {
    this.#answer = answer;
    this.#precision = precision;
    this.#pairs = withSelf(answer);
    this.#missing = answer.rows.length;
    for (const row of answer.rows) {
      const key = this.#keyOf(row);
      this.#keys.add(this.#keyOf(row, true));
      const rows = this.#open.get(key);
      if (rows) rows.push(row);
      else this.#open.set(key, [row]);
    }
  }

  #keyOf(row: Row, isExact = false): string {
    const pairs = isExact ? this.#pairs.filter(({ mode }) => mode !== 'measure') : this.#pairs;
    return JSON.stringify(pairs.map(({ left, mode }) => exactKey(row[left.index], mode)));
  }

  /** Passes batches through and checks their rows. */
  async *watch<T extends { rows: Rows }>(batches: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
    for await (const batch of batches) {
      this.check(batch.rows);
      yield batch;
    }
  }

  check(rows: Rows): void {
    this.#loaded += rows.length;
    for (const row of rows) {
      if (this.#missing === 0) break;
      if (this.#open.get(this.#keyOf(row))?.pop()) this.#missing -= 1;
      else if (this.#others.length < MOST_OTHERS && this.#keys.has(this.#keyOf(row, true))) this.#others.push(row);
    }
  }

  /**
   * @param isComplete whether all rows of the query were checked
   * @returns undefined if nothing differs, or too few rows were loaded to tell
   */
  difference(isComplete: boolean): RowDifference | undefined {
    const { rows, totalRows } = this.#answer;
    const missing = this.#missing > 0 && (isComplete || this.#loaded >= rows.length) ? this.#countMissing() : 0;
    const isCountDifferent = isComplete && this.#loaded !== totalRows;
    if (missing === 0 && !isCountDifferent) return undefined;
    const counts = { answer: totalRows, loaded: this.#loaded };
    return { missing, compared: rows.length, ...(isCountDifferent ? { counts } : {}) };
  }

  /** Compares the rows without an identical one by tolerance. */
  #countMissing(): number {
    const { columns } = this.#answer;
    const rows = [[...this.#open.values()].flat(), this.#others] as const;
    const [left, right] = rows.map((each) => tableColumns({ columns, rows: each, totalRows: each.length }));
    const pairs = this.#pairs.map(({ left: { index }, mode }) => ({
      left: left![index]!,
      right: right![index]!,
      mode,
    }));
    const sides = { columns: [left!, right!], rows, known: new Map(), precision: this.#precision } as const;
    return this.#missing - equalRows(pairs, sides).filter((partner) => partner !== -1).length;
  }
}

interface LoadOptions {
  signal: AbortSignal;
  /** Number of significant digits at which measures are equal; by default, all digits. */
  precision?: Precision;
  /** Receives a message if the loaded rows differ from those of the answer; by default, a missing row is an error. */
  onDifference?: (message: string) => void;
}

/**
 * @param load runs the query again; absent if no data query URL is set
 * @returns all rows; if some can't be loaded, because of a limit or a cancellation, `totalRows` still counts them
 * @throws Error if a row of the answer is missing: a data query API that ignores the branch or the identity returns
 *   rows of another answer
 */
export async function allRowsOf(
  table: ResultTable,
  load: (() => Promise<ResultTable>) | undefined,
  { signal, precision, onDifference }: LoadOptions,
): Promise<ResultTable> {
  if (table.rows.length >= table.totalRows || load === undefined) return table;
  const loaded = await load();
  const answer = new AnswerRows(table, precision);
  answer.check(loaded.rows);
  const difference = signal.aborted ? undefined : answer.difference(true);
  if (difference && onDifference) onDifference(describeDifference(difference));
  else if (difference && difference.missing > 0)
    throw new Error(describeDifference({ ...difference, counts: undefined }));
  return { ...loaded, totalRows: Math.max(loaded.totalRows, table.totalRows) };
}

/** @returns a message for the user that describes the difference */
export function describeDifference({ missing, compared, counts }: RowDifference): string {
  const number = (count: number): string => count.toLocaleString();
  return [
    t('These rows differ from those in the answer.'),
    ...(missing > 0
      ? [
          plural(
            missing,
            '{0} of the {1} rows in the answer is missing.|{0} of the {1} rows in the answer are missing.',
            number(missing),
            number(compared),
          ),
        ]
      : []),
    ...(counts
      ? [
          plural(
            counts.loaded,
            'There is {0} row; the answer had {1}.|There are {0} rows; the answer had {1}.',
            number(counts.loaded),
            number(counts.answer),
          ),
        ]
      : []),
    t('The data may have changed since, or the data query API ignores the branch or the identity.'),
  ].join(' ');
}

/** Compares the rows of a data query with those of the answer: the query may have run for another branch or user. */
import { plural, t } from '../shared/text/l10n.ts';
import type { ResultTable } from '../shared/wire/toolPayloads.ts';
import type { Row, Rows } from '../shared/results/cells.ts';
import { cellKey } from './rowIndex.ts';

export interface RowDifference {
  /** Number of rows of the answer that the query didn't return, and number of rows of the answer. */
  missing: number;
  compared: number;
  /** Set if all rows were loaded and their number differs from the answer's total. */
  counts?: { answer: number; loaded: number };
}

const rowKey = (row: Row): string => JSON.stringify(row.map((cell) => cellKey(cell)));

/** Finds the rows of the answer among streamed rows, in any order, because not every query sorts its rows. */
export class AnswerRows {
  readonly #answer: ResultTable;
  readonly #expected = new Map<string, number>();
  #missing: number;
  #loaded = 0;

  constructor(answer: ResultTable) {
    this.#answer = answer;
    this.#missing = answer.rows.length;
    for (const row of answer.rows) {
      const key = rowKey(row);
      this.#expected.set(key, (this.#expected.get(key) ?? 0) + 1);
    }
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
      this.#find(row);
    }
  }

  #find(row: Row): void {
    const key = rowKey(row);
    const left = this.#expected.get(key) ?? 0;
    if (left === 0) return;
    this.#expected.set(key, left - 1);
    this.#missing -= 1;
  }

  /**
   * @param isComplete whether all rows of the query were checked
   * @returns undefined if nothing differs, or too few rows were loaded to tell
   */
  difference(isComplete: boolean): RowDifference | undefined {
    const { rows, totalRows } = this.#answer;
    const missing = isComplete || this.#loaded >= rows.length ? this.#missing : 0;
    const isCountDifferent = isComplete && this.#loaded !== totalRows;
    if (missing === 0 && !isCountDifferent) return undefined;
    const counts = { answer: totalRows, loaded: this.#loaded };
    return { missing, compared: rows.length, ...(isCountDifferent ? { counts } : {}) };
  }
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

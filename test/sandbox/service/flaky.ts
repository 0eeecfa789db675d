/** Simulates a lagging replica, for flaky question tests: some answers to one question lack the last days. */
import { addDays, TODAY } from '../data/calendar.ts';
import type { FaultSpec } from '../faults/spec.ts';
import type { RowFilter } from '../semantic/relation.ts';

/** The affected question, in `agents/eval_questions.yml`. */
const FLAKY_QUESTION = 'How many orders did we get this month?';
const LAG_DAYS = 7;

/** @param lag days by which the replica lags; undefined for no replica */
export const rowsOfReplica = (lag: number | undefined): RowFilter[] =>
  lag === undefined ? [] : [{ cube: 'orders', sql: `{CUBE}.ordered_at < '${addDays(TODAY, 1 - lag)}'` }];

/** Uses the replica for the second of every three answers. */
export class FlakyReplica {
  #asked = 0;

  /** Call once per answer. @param question the question as asked */
  next(question: string): FaultSpec {
    if (question !== FLAKY_QUESTION) return {};
    this.#asked += 1;
    return this.#asked % 3 === 2 ? { lag: LAG_DAYS } : {};
  }
}

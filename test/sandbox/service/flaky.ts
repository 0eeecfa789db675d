/** A fault that a test meets only now and then: one question in some of its answers lacks the last days. */
import { addDays, TODAY } from '../data/calendar.ts';
import type { FaultSpec } from '../faults/spec.ts';
import type { RowFilter } from '../semantic/relation.ts';

/** The question in `agents/eval_questions.yml` that is answered so. */
export const FLAKY_QUESTION = 'How many orders did we get this month?';
const LAG_DAYS = 7;

/** @param lag days that the replica is behind; undefined without a replica */
export const rowsOfReplica = (lag: number | undefined): RowFilter[] =>
  lag === undefined ? [] : [{ cube: 'orders', sql: `{CUBE}.ordered_at < '${addDays(TODAY, 1 - lag)}'` }];

/** The second of every three answers comes from a replica that is behind. */
export class FlakyReplica {
  #asked = 0;

  /** @param question as asked; called once for each answer */
  next(question: string): FaultSpec {
    if (question !== FLAKY_QUESTION) return {};
    this.#asked += 1;
    return this.#asked % 3 === 2 ? { lag: LAG_DAYS } : {};
  }
}

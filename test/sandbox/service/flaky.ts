/** For flaky question tests: some answers to one question have other numbers. */
import type { FaultSpec } from '../faults/spec.ts';

/** The affected question, in `agents/eval_questions.yml`. */
const FLAKY_QUESTION = 'How many orders did we get this month?';

/** Errs in the second of every three answers. */
export class FlakyQuestion {
  #asked = 0;

  /** Call once per answer. @param question the question as asked */
  next(question: string): FaultSpec {
    if (question !== FLAKY_QUESTION) return {};
    this.#asked += 1;
    return this.#asked % 3 === 2 ? { odd: 'numbers' } : {};
  }
}

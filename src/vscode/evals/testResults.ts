/** The last result of each test, for the actions in its menus. */
import type { Verdict } from '../../evals/run/verdict.ts';
import { fieldsOf } from '../../shared/text/checks.ts';
import type { Asker } from './asker.ts';
import type { QuestionTest } from './testTree.ts';

export interface TestResult {
  test: QuestionTest;
  verdict: Verdict;
  /** Asks on the branch of the run. */
  asker: Asker;
}

export class TestResults {
  readonly #results = new Map<string, TestResult>();

  keep(result: TestResult): void {
    this.#results.set(result.test.item.id, result);
  }

  /** Forgets the results of tests that no longer exist. */
  retain(ids: ReadonlySet<string>): void {
    for (const id of this.#results.keys()) if (!ids.has(id)) this.#results.delete(id);
  }

  /** @param argument of a command in a menu: a `TestItem`, or `{test, message}` */
  find(argument: unknown): TestResult | undefined {
    const fields = fieldsOf(argument);
    const { id } = 'test' in fields ? fieldsOf(fields.test) : fields;
    return typeof id === 'string' ? this.#results.get(id) : undefined;
  }
}

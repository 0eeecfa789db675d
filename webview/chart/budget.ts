import { ChartProblem } from '../../src/shared/chart/problem.ts';
import { limits } from '../../src/shared/chart/limits.ts';
import { t } from '../../src/shared/text/l10n.ts';

export const tooSlow = (): ChartProblem =>
  new ChartProblem('tooSlow', t('The chart takes too long to work out, so it was given up.'));

/** How long a dataflow has been at it and how much text it has made, looked at from inside its loops. */
export class Budget {
  #deadline = Number.POSITIVE_INFINITY;
  #work = 0;
  #characters = 0;

  /** Begins a run of the dataflow that may take so many milliseconds. */
  start(time: number): void {
    this.#deadline = performance.now() + time;
    this.#characters = 0;
  }

  /** @throws ChartProblem when the time is up */
  check(): void {
    if (performance.now() > this.#deadline) throw tooSlow();
  }

  /**
   * Like {@link check}, for places that come by so often that the clock itself would cost.
   * @param work how much was done, 1 for a plain evaluation
   */
  tick(work = 1): void {
    this.#work += work;
    if (this.#work < 256) return;
    this.#work = 0;
    this.check();
  }

  /** @throws ChartProblem when a text, or all that were made in this run, are too long */
  text({ length }: string): void {
    atMost(length, limits.text);
    atMost((this.#characters += length), limits.characters);
  }
}

/** @throws ChartProblem when more than `most` things would be made */
export function atMost(count: number, most: number): void {
  if (count <= most) return;
  const asked = Number.isFinite(count) ? Math.round(count).toLocaleString() : '∞';
  const message = t(
    'The chart would generate {0} values, more than is drawn here ({1}).',
    asked,
    most.toLocaleString(),
  );
  throw new ChartProblem('tooLarge', message);
}

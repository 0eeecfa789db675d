/** The order of items that several windows may have saved. */
import { inOrder } from '../../shared/thread/items.ts';
import type { Item } from '../../shared/thread/model.ts';

/**
 * By run, then by the number in the run. Two windows that asked in one thread have given their runs the same number:
 * where a run has several of our own questions, all that came after one of them stands under it.
 */
export function ordered(items: readonly Item[]): Item[] {
  const asked = Map.groupBy(
    items.filter(({ stamp }) => stamp).sort((a, b) => a.time - b.time),
    ({ run }) => run,
  );
  const turnOf = ({ id, run, time }: Item): number => {
    const questions = asked.get(run) ?? [];
    const own = questions.findIndex((question) => question.id === id);
    return own >= 0
      ? own
      : Math.max(
          0,
          questions.findLastIndex((question) => question.time <= time),
        );
  };
  return items.toSorted((a, b) => a.run - b.run || turnOf(a) - turnOf(b) || inOrder(a, b));
}

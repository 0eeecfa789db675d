/** The ordered list of a thread's items. */
import type { Item } from './thread.ts';

/** For sorting: by run, then by the number in the run. */
export const inOrder = (a: Item, b: Item): number => (a.run === b.run ? a.sort - b.sort : a.run - b.run);

/** @returns the items with one more, after all that do not come later in their run or in a later run */
export function insertItem(items: readonly Item[], item: Item): readonly Item[] {
  const after = items.findLastIndex((other) => inOrder(item, other) >= 0);
  return after === items.length - 1 ? [...items, item] : items.toSpliced(after + 1, 0, item);
}

/** @returns the items with the one at `at` in a new version */
export function replaceItem(items: readonly Item[], at: number, item: Item): readonly Item[] {
  return items.with(at, item);
}

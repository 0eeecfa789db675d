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

/** @returns the last item of a run */
export const newestOf = (items: readonly Item[], run: number): Item | undefined =>
  items.findLast((item) => item.run === run);

/** What tells an item from an earlier one to which the service has given the same id. */
const OF_RUN = ' of run ';

/** @returns whether the service calls the item so */
export const isNamed = ({ id }: Item, name: string): boolean =>
  id.length === name.length ? id === name : id.startsWith(OF_RUN, name.length) && id.startsWith(name);

/** @returns an id for what the service calls `name` in a run, different from those of all items */
export function newId(items: readonly Item[], name: string, run: number): string {
  let id = name;
  while (items.some((item) => item.id === id)) id += OF_RUN + run;
  return id;
}

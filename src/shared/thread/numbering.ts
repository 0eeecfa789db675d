/**
 * Places of items in their run. A connection may number its lines anew: what it brings for the first time still comes
 * after what was there, and keeps its order among itself.
 */
import { inOrder, newestOf } from './items.ts';
import type { Item, Thread } from './model.ts';
import type { ItemLine } from '../wire.ts';

type SortOffset = NonNullable<Thread['sortOffset']>;

/** @returns what this connection's numbers have added in a run; undefined before that has shown */
function known({ connection, sortOffset }: Thread, run: number): SortOffset | undefined {
  return sortOffset?.connection === connection && sortOffset.run === run ? sortOffset : undefined;
}

/** @returns what is added to the number of an item that is new in the run, and to all that follow it */
export function offsetOf(thread: Thread, run: number, sort: number | undefined): SortOffset | undefined {
  const offset = known(thread, run);
  if (offset || sort === undefined) return offset;
  const newest = newestOf(thread.items, run);
  return { connection: thread.connection, run, by: newest && sort <= newest.sort ? newest.sort - sort + 1 : 0 };
}

/**
 * What a connection repeats under its own first number counts as before, and so does all that it has brought.
 * @param at index of an item that a line is of
 * @param before the item as it was
 * @returns the thread with what it had missed of the answer in its place
 */
export function agreeing(thread: Thread, at: number, { assembly, run, sort }: Item, line: ItemLine): Thread {
  const { connection, items } = thread;
  if (assembly?.connection === connection || known(thread, run)?.agrees || line.sort !== sort) return thread;
  const next: Thread = { ...thread, sortOffset: { connection, run, by: 0, agrees: true } };
  const inPlace = (item: Item): Item => {
    const first = item.run === run && item.assembly?.connection === connection ? item.assembly.first : undefined;
    return first !== undefined && first < item.sort ? { ...item, sort: first } : item;
  };
  let from = at;
  while (items[from - 1]?.run === run) from -= 1;
  for (let item = items[from]; item?.run === run; item = items[(from += 1)])
    if (inPlace(item) !== item) return { ...next, items: items.map(inPlace).sort(inOrder) };
  return next;
}

/** @returns the first `sort` of an item; where lines overtake each other it is not that of the first line to come */
export function firstSort({ sort, run, assembly }: Item, line: ItemLine, thread: Thread): number {
  const offset = known(thread, run);
  const isNew = assembly?.connection === thread.connection && assembly.fresh;
  if (!offset || line.sort === undefined || !(isNew || offset.agrees)) return sort;
  return Math.min(sort, line.sort + offset.by);
}

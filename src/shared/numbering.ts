/**
 * Places of items in their run. A connection may number its lines anew: what it brings for the first time still comes
 * after what was there, and keeps its order among itself.
 */
import { newestOf } from './items.ts';
import type { Item, Thread } from './thread.ts';
import type { ItemLine } from './wire.ts';

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

/** @returns the offset of a connection that repeats an item under its own first number, and so counts as before */
export function agreement(thread: Thread, { assembly, run, sort }: Item, line: ItemLine): SortOffset | undefined {
  const { connection } = thread;
  const isFirst = assembly?.connection !== connection && known(thread, run) === undefined;
  return isFirst && line.sort === sort ? { connection, run, by: 0 } : undefined;
}

/** @returns the first `sort` of an item; where lines overtake each other it is not that of the first line to come */
export function firstSort({ sort, run, assembly }: Item, line: ItemLine, thread: Thread): number {
  const isNew = assembly?.connection === thread.connection && assembly.fresh;
  const offset = known(thread, run);
  return isNew && offset && line.sort !== undefined ? Math.min(sort, line.sort + offset.by) : sort;
}

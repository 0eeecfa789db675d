/** The ordered list of a thread's items. */
import type { Item } from './model.ts';

/** For sorting: by run, then by the number in the run. */
export const inOrder = (a: Item, b: Item): number => (a.run === b.run ? a.sort - b.sort : a.run - b.run);

/** What tells an item from an earlier one to which the service has given the same id. */
const OF_RUN = ' of run ';

/** @returns whether the service calls the item so */
export const isNamed = ({ id, echo }: Item, name: string): boolean =>
  echo === name ||
  (id.length === name.length ? id === name : id.startsWith(OF_RUN, name.length) && id.startsWith(name));

/**
 * Up to where items of each name stand, so that not every line has to look through a long thread. Lists that are made
 * from each other share it: what it says of a name may be too far behind, never too far ahead.
 */
interface Places {
  readonly last: Map<string, number>;
  /** How many items have been put between others; as far may the rest have moved. */
  inserted: number;
}
const places = new WeakMap<readonly Item[], Places>();

/** Shorter lists are looked through as fast. */
const LONG = 200;

function note({ last, inserted }: Places, { id, echo }: Item, at: number): void {
  const put = (name: string): void => void last.set(name, Math.max(at - inserted, last.get(name) ?? -Infinity));
  put(id);
  if (echo !== undefined) put(echo);
  for (let end = id.indexOf(OF_RUN); end >= 0; end = id.indexOf(OF_RUN, end + 1)) put(id.slice(0, end));
}

function placesOf(items: readonly Item[]): Places | undefined {
  let known = places.get(items);
  if (known === undefined && items.length >= LONG) {
    places.set(items, (known = { last: new Map(), inserted: 0 }));
    for (const [at, item] of items.entries()) note(known, item, at);
  }
  return known;
}

/** @returns the index of the last item that the service calls `name` and that `fits`; -1 where there is none */
export function lastNamed(items: readonly Item[], name: string, fits: (item: Item) => boolean): number {
  const known = placesOf(items);
  let at = items.length - 1;
  if (known) at = Math.min((known.last.get(name) ?? -Infinity) + known.inserted, at);
  for (let item = items[at]; item && !(isNamed(item, name) && fits(item)); item = items[at]) at -= 1;
  return Math.max(at, -1);
}

/** The list that the events of one batch have made: nobody else has seen it, so it is changed in place. */
let own: readonly Item[] | undefined;
let isBatch = false;

/** @param work reduces events in a row; between them no list but the last one is held, and long ones are copied once */
export function inBatch<T>(work: () => T): T {
  isBatch = true;
  try {
    return work();
  } finally {
    isBatch = false;
    own = undefined;
  }
}

function changeable(items: readonly Item[]): Item[] {
  if (items === own) return items as Item[];
  const copy = items.slice();
  const known = placesOf(items);
  if (known) places.set(copy, known);
  if (isBatch) own = copy;
  return copy;
}

/** @returns the items with one more, after all that do not come later in their run or in a later run */
export function insertItem(items: readonly Item[], item: Item): readonly Item[] {
  const at = items.findLastIndex((other) => inOrder(item, other) >= 0) + 1;
  const next = changeable(items);
  const known = placesOf(next);
  if (known && at < next.length) known.inserted += 1;
  next.splice(at, 0, item);
  if (known) note(known, item, at);
  return next;
}

/** @returns the items with the one at `at` in a new version */
export function replaceItem(items: readonly Item[], at: number, item: Item): readonly Item[] {
  const next = changeable(items);
  next[at] = item;
  const known = item.echo === undefined ? undefined : placesOf(next);
  if (known) note(known, item, at);
  return next;
}

/** @returns the items with the one at `at` in a new version, which has its place elsewhere */
export function moveItem(items: readonly Item[], at: number, item: Item): readonly Item[] {
  const rest = changeable(items);
  rest.splice(at, 1);
  return insertItem(rest, item);
}

/** @returns the last item of a run */
export const newestOf = (items: readonly Item[], run: number): Item | undefined =>
  items.findLast((item) => item.run === run);

/** @returns an id for what the service calls `name` in a run, different from those of all items */
export function newId(items: readonly Item[], name: string, run: number): string {
  let id = name;
  while (lastNamed(items, id, (item) => item.id === id) >= 0) id += OF_RUN + run;
  return id;
}

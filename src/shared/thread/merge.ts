/**
 * Merges the transcript of a response into the turns of a thread. Turns are matched by question id, and items by their
 * id within the turn, never across turns. README.md lists the laws of the merge.
 */
import type { Item, Transcript, Turn } from './model.ts';
import { MAX_TEXT, mergeToolCall } from './transcript.ts';

/** @returns a memoized function: the last result is cached for each key, and released with the key */
export function remembered<Key extends object, Of extends [unknown?], Result>(
  compute: (key: Key, ...of: Of) => Result,
): (key: Key, ...of: Of) => Result {
  const results = new WeakMap<Key, { of: unknown; result: Result }>();
  return (key, ...of) => {
    let known = results.get(key);
    if (known === undefined || known.of !== of[0])
      results.set(key, (known = { of: of[0], result: compute(key, ...of) }));
    return known.result;
  };
}

/** @returns the turns merged with the response; unchanged turns are the same objects */
export function mergeTurns(held: readonly Turn[], { asked, turns }: Transcript): readonly Turn[] {
  const said = turns.map((turn) => inOrder(turn));
  const places = placesOf(held);
  const placeOf = ({ id }: { id: string }): number | undefined => places.get(id);
  const first = said.map(placeOf).find((place) => place !== undefined);
  const merged = align(held, said, placeOf, cachedMerge, first ?? (asked && placeOf(asked)) ?? held.length);
  return orHeld(held, merged);
}

/** Indexes of the turns, by the ids of their questions and of the echoes of those. */
const placesOf = remembered(
  (turns: readonly Turn[]) =>
    new Map(turns.flatMap(({ id, question }, at) => [[question?.echo, at] as const, [id, at] as const])),
);

/** Items can arrive in any order; `sort` defines the right one. */
const inOrder = remembered((turn: Turn): Turn => ({ ...turn, items: turn.items.toSorted((a, b) => a.sort - b.sort) }));

/** Cached, because only the open turn of a response changes. */
const cachedMerge = remembered((said: Turn, held: Turn) => mergeTurn(held, said));

/**
 * @param placeOf returns the index of an entry of `others` in `base`; undefined for a new entry
 * @param start index at which new entries without a predecessor in `base` are inserted
 * @returns `base` with the new entries, each after its predecessor in `others`
 */
function align<T>(
  base: readonly T[],
  others: readonly T[],
  placeOf: (entry: T) => number | undefined,
  merge: (other: T, entry: T) => T,
  start: number,
): readonly T[] {
  const next = base.slice();
  /** New entries, by the index before which they are inserted. */
  const added: (T[] | undefined)[] = [];
  let at = start;
  for (const entry of others) {
    const place = placeOf(entry);
    if (place === undefined) (added[at] ??= []).push(entry);
    else {
      next[place] = merge(entry, next[place] as T);
      at = place + 1;
    }
  }
  if (added.length === 0) return next;
  return [...next.flatMap((entry, place) => [...(added[place] ?? []), entry]), ...(added[next.length] ?? [])];
}

function mergeTurn(held: Turn, said: Turn): Turn {
  const items = orHeld(held.items, mergeItems(held.items, said.items));
  const echo = said.question?.echo ?? held.question?.echo;
  const { usage = held.usage } = said;
  if (items === held.items && usage === held.usage && echo === held.question?.echo) return held;
  const question = held.question ?? said.question;
  return {
    ...held,
    items,
    ...(question ? { question: echo === undefined ? question : { ...question, echo } } : {}),
    ...(usage ? { usage } : {}),
  };
}

/** Uses the order of the response; items that it lacks stay after their predecessors. */
function mergeItems(held: readonly Item[], said: readonly Item[]): readonly Item[] {
  const places = new Map(said.map(({ id }, at) => [id, at]));
  const placeOf = ({ id }: Item): number | undefined => places.get(id);
  // Decide once for the whole response: if any item contradicts a replay, it is a continuation.
  const continues = held.some((item) => contradicts(item, said[placeOf(item) ?? -1]));
  return align(said, held, placeOf, (known, item) => mergeItem(known, item, continues), 0);
}

/** @returns `held` itself if nothing in it has changed */
const orHeld = <T>(held: readonly T[], next: readonly T[]): readonly T[] =>
  next.length === held.length && next.every((entry, at) => entry === held[at]) ? held : next;

type Field = 'content' | 'thinking';
const fields: readonly Field[] = ['content', 'thinking'];

/** Whether an item of a response shows that the response doesn't replay the answer, but continues it. */
export const contradicts = (held: Item, said: Item | undefined): boolean =>
  said !== undefined &&
  fields.some(
    (field) => !said.exact?.[field] && !held[field].startsWith(said[field]) && !said[field].startsWith(held[field]),
  );

function mergeText(held: Item, said: Item, field: Field, continues: boolean): string {
  const [before, text, isExact] = [held[field], said[field], said.exact?.[field] === true];
  if (isExact && !said.inProcess) return text;
  if (isExact || !continues) {
    // Keep the known text until the replay has reached its end.
    if (before.startsWith(text)) return before;
    if (isExact || text.startsWith(before)) return text;
  }
  return before.length + text.length > MAX_TEXT ? before : before + text;
}

function mergeItem(held: Item, said: Item, continues: boolean): Item {
  const content = mergeText(held, said, 'content', continues);
  const thinking = mergeText(held, said, 'thinking', continues);
  const toolCall = said.toolCall ? mergeToolCall(held.toolCall, said.toolCall) : held.toolCall;
  const isSameCall = !said.toolCall || JSON.stringify(toolCall) === JSON.stringify(held.toolCall);
  const isSame = content === held.content && thinking === held.thinking && isSameCall;
  // A replay of a complete item does not reopen it.
  const inProcess = said.inProcess && toolCall?.result === undefined && !(isSame && !held.inProcess);
  const partial = held.partial === true && inProcess === held.inProcess && !said.exact?.content;
  if (isSame && inProcess === held.inProcess && partial === (held.partial === true)) return held;
  return {
    ...held,
    content,
    thinking,
    ...(toolCall ? { toolCall } : {}),
    graphPath: said.graphPath.length > 0 ? said.graphPath : held.graphPath,
    inProcess,
    partial,
    updated: Math.max(held.updated, said.updated),
  };
}

/**
 * Merges what a response has said into the turns of a thread. Turns are matched by question id, items by their id
 * within the turn; nothing is looked for across turns. README.md has the laws.
 */
import type { Item, Transcript, Turn } from './model.ts';
import { remembered } from './remembered.ts';
import { MAX_TEXT, mergeToolCall } from './transcript.ts';

/** @returns the turns with all that the response has said; turns that it does not change stay the same objects */
export function mergeTurns(held: readonly Turn[], { asked, turns }: Transcript): readonly Turn[] {
  if (turns.length === 0) return held;
  const places = placesOf(held);
  const last = asked && places.get(asked.id);
  return align(held, turns, ({ id }) => places.get(id), cachedMerge, last ?? held.length);
}

/** Positions of turns by the ids of their questions, and of the echoes of these. */
const placesOf = remembered((turns: readonly Turn[]) => {
  const entries = turns.flatMap(({ id, question }, at) => [[question?.echo, at] as const, [id, at] as const]);
  return new Map(entries);
});

/** Of a response only the open turn changes: the others are merged once. */
const cachedMerge = remembered((said: Turn, held: Turn) => mergeTurn(held, said));

/**
 * @param placeOf the index in `held` of an entry of `said`; undefined for one that is not there
 * @param otherwise where new entries go if none of `said` is known
 * @returns `held` with the new entries, each behind the one it follows in `said`, or else before the one it precedes
 */
function align<T>(
  held: readonly T[],
  said: readonly T[],
  placeOf: (entry: T) => number | undefined,
  merge: (said: T, held: T) => T,
  otherwise = held.length,
): readonly T[] {
  const next = held.slice();
  /** New entries by the position that they go before. */
  const added: (T[] | undefined)[] = [];
  let at = said.map(placeOf).find((place) => place !== undefined) ?? otherwise;
  for (const entry of said) {
    const place = placeOf(entry);
    if (place === undefined) (added[at] ??= []).push(entry);
    else {
      next[place] = merge(entry, next[place] as T);
      at = place + 1;
    }
  }
  if (added.length === 0) return next.every((entry, place) => entry === held[place]) ? held : next;
  return [...next.flatMap((entry, place) => [...(added[place] ?? []), entry]), ...(added[next.length] ?? [])];
}

function mergeTurn(held: Turn, said: Turn): Turn {
  const items = mergeItems(held.items, inOrder(said.items));
  const echo = said.question?.echo ?? (said.question && said.id !== held.id ? said.id : undefined);
  const { usage = held.usage } = said;
  if (items === held.items && usage === held.usage && (echo === undefined || echo === held.question?.echo)) return held;
  const question = held.question ?? said.question;
  return {
    ...held,
    items,
    ...(question ? { question: echo === undefined ? question : { ...question, echo } } : {}),
    ...(usage ? { usage } : {}),
  };
}

/** Items arrive in nearly any order; `sort` puts them in theirs. */
export const inOrder = (items: readonly Item[]): readonly Item[] =>
  items.every(({ sort }, at) => at === 0 || (items[at - 1] as Item).sort <= sort)
    ? items
    : items.toSorted((a, b) => a.sort - b.sort);

function mergeItems(held: readonly Item[], said: readonly Item[]): readonly Item[] {
  const places = new Map(held.map(({ id }, at) => [id, at]));
  const placeOf = ({ id }: Item): number | undefined => places.get(id);
  // One decision for the whole response, made by its first text: what contradicts a replay is a continuation.
  const first = said.find((item) => isEvidence(held[placeOf(item) ?? -1], item));
  const continues = first !== undefined && contradicts(held[placeOf(first) ?? -1] as Item, first);
  const merge = (item: Item, known: Item): Item => mergeItem(known, item, continues);
  // A response that repeats all that is held knows the order better.
  const ids = new Set(said.map(({ id }) => id));
  if (!held.every(({ id }) => ids.has(id))) return align(held, said, placeOf, merge);
  const next = said.map((item) => {
    const known = held[placeOf(item) ?? -1];
    return known ? merge(item, known) : item;
  });
  return next.length === held.length && next.every((item, at) => item === held[at]) ? held : next;
}

type Field = 'content' | 'thinking';
const fields: readonly Field[] = ['content', 'thinking'];

const isEvidence = (held: Item | undefined, said: Item): boolean =>
  fields.some((field) => said[field] !== '' && !said.exact?.[field] && !!held?.[field]);
const contradicts = (held: Item, said: Item): boolean =>
  fields.some(
    (field) => !said.exact?.[field] && !held[field].startsWith(said[field]) && !said[field].startsWith(held[field]),
  );

function mergeText(held: Item, said: Item, field: Field, continues: boolean): string {
  const [before, text, isExact] = [held[field], said[field], said.exact?.[field] === true];
  if (text === '' || (isExact && !said.inProcess)) return text || before;
  if (isExact || !continues) {
    // A replay that is catching up.
    if (before.startsWith(text)) return before;
    if (isExact || text.startsWith(before)) return text;
  }
  return before.length + text.length > MAX_TEXT ? before : before + text;
}

function mergeItem(held: Item, said: Item, continues: boolean): Item {
  const content = mergeText(held, said, 'content', continues);
  const thinking = mergeText(held, said, 'thinking', continues);
  const toolCall = said.toolCall ? mergeToolCall(held.toolCall, said.toolCall) : held.toolCall;
  const isSame = content === held.content && thinking === held.thinking && isSameCall(toolCall, held.toolCall);
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

const isSameCall = (a: Item['toolCall'], b: Item['toolCall']): boolean =>
  a === b || (a?.name === b?.name && isSameJson(a?.input, b?.input) && isSameJson(a?.result, b?.result));
const isSameJson = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b));

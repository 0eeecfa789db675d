/**
 * Puts the deltas of one item together. Deltas append; after a lost connection the service may go on where it was
 * or repeat the run from its start, and lines may come twice or in the wrong order. Each step costs as much as the
 * delta is long, whatever the length of the text, as long as lines come in order.
 */
import type { Assembly, Fragment, Item } from './thread.ts';
import type { MessageFields } from './wire.ts';

interface Texts {
  content: string;
  thinking: string;
}

const start = (held: string, repeatable: boolean): number => (repeatable && held !== '' ? 0 : -1);

function begin(item: Item, connection: number): Assembly {
  const sameConnection = item.assembly?.connection === connection;
  const repeatable = !sameConnection;
  return {
    connection,
    heldContent: item.content,
    heldThinking: item.thinking,
    repeatable,
    contentReplayed: start(item.content, repeatable),
    thinkingReplayed: start(item.thinking, repeatable),
    last: undefined,
    rising: false,
    settledSort: sameConnection ? item.assembly?.settledSort : undefined,
  };
}

/**
 * One delta onto a text that may be a repetition of what is held.
 * @returns the text and how much of it was repeated; -1 when deltas append from here on
 */
function extend(text: string, held: string, replayed: number, delta: string): [text: string, replayed: number] {
  if (delta === '') return [text, replayed];
  if (replayed < 0) return [text + delta, -1];
  const rest = held.length - replayed;
  if (delta.length < rest && held.startsWith(delta, replayed)) return [text, replayed + delta.length];
  if (delta.startsWith(held.slice(replayed))) return [held + delta.slice(rest), -1];
  // Not a repetition after all: the service went on from where it was.
  return [held + held.slice(0, replayed) + delta, -1];
}

function append(texts: Texts, assembly: Assembly, fragment: Fragment): [Texts, Assembly] {
  const [content, contentReplayed] = extend(
    texts.content,
    assembly.heldContent,
    assembly.contentReplayed,
    fragment.content,
  );
  const [thinking, thinkingReplayed] = extend(
    texts.thinking,
    assembly.heldThinking,
    assembly.thinkingReplayed,
    fragment.thinking,
  );
  return [
    { content, thinking },
    { ...assembly, contentReplayed, thinkingReplayed, last: fragment },
  ];
}

const sortOf = (fragment: Fragment): number => fragment.sort ?? Infinity;

/** Assembles again from all fragments, in the order of `sort`, each line once. */
function rebuild(assembly: Assembly, fragment: Fragment): [Texts, Assembly] {
  const fragments: Fragment[] = [];
  for (let at: Fragment | undefined = fragment; at !== undefined; at = at.previous) fragments.push(at);
  fragments.reverse();
  const ordered = fragments.toSorted((a, b) => (sortOf(a) === sortOf(b) ? 0 : sortOf(a) - sortOf(b)));
  let texts: Texts = { content: assembly.heldContent, thinking: assembly.heldThinking };
  let state: Assembly = {
    ...assembly,
    contentReplayed: start(assembly.heldContent, assembly.repeatable),
    thinkingReplayed: start(assembly.heldThinking, assembly.repeatable),
    last: undefined,
  };
  for (const each of ordered) {
    const before: Fragment | undefined = state.last;
    const twice =
      before !== undefined &&
      each.sort !== undefined &&
      before.sort === each.sort &&
      before.content === each.content &&
      before.thinking === each.thinking;
    if (!twice) [texts, state] = append(texts, state, { ...each, previous: before });
  }
  return [texts, state];
}

/**
 * @param item the item so far
 * @param line a line of the same id with `isDelta: true`
 * @param connection number of the connection that brought it
 * @returns the texts and the assembly after it
 */
export function addDelta(item: Item, line: MessageFields, connection: number): Texts & { assembly: Assembly } {
  const going = item.assembly?.connection === connection && item.assembly.last !== undefined;
  const assembly = going && item.assembly ? item.assembly : begin(item, connection);
  const texts: Texts = { content: item.content, thinking: item.thinking };
  const tooLate = line.sort !== undefined && assembly.settledSort !== undefined && line.sort < assembly.settledSort;
  if (tooLate) return { ...texts, assembly };

  const last = assembly.last;
  const fragment: Fragment = {
    sort: line.sort,
    content: line.content ?? '',
    thinking: line.thinking ?? '',
    previous: last,
  };
  if (last?.sort === undefined || line.sort === undefined || (line.sort === last.sort && !assembly.rising)) {
    return withTexts(append(texts, assembly, fragment));
  }
  const rises = line.sort > last.sort;
  // The first change of `sort` shows that it counts lines: what came before may hold a line twice.
  const settledOrder = assembly.rising || last.previous === undefined;
  const rising = { ...assembly, rising: true };
  return withTexts(rises && settledOrder ? append(texts, rising, fragment) : rebuild(rising, fragment));
}

const withTexts = ([texts, assembly]: [Texts, Assembly]): Texts & { assembly: Assembly } => ({ ...texts, assembly });

/** @returns the assembly after a line with `isDelta: false`, which replaces what deltas had put together */
export function settle(line: MessageFields, connection: number): Assembly {
  return {
    connection,
    heldContent: '',
    heldThinking: '',
    repeatable: false,
    contentReplayed: -1,
    thinkingReplayed: -1,
    last: undefined,
    rising: false,
    settledSort: line.sort,
  };
}

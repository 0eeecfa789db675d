/**
 * Puts the deltas of one item together. Deltas append; after a lost connection the service may go on where it was
 * or repeat the run from its start, and lines may come twice or in the wrong order. Each step costs as much as the
 * delta is long, whatever the length of the text, as long as lines come in order.
 */
import type { Assembly, Fragment, Item, Joint } from './thread.ts';
import type { MessageFields } from './wire.ts';

interface Texts {
  content: string;
  thinking: string;
}
type Field = keyof Texts;
export type Assembled = Texts & { assembly: Assembly };

/** As many fragments of each of two generations are kept, so that a late or repeated line finds its place. */
const GENERATION = 64;
/** So much of the held text does not come again by chance: it is being repeated. */
const REPETITION = 24;

const held = (assembly: Assembly, field: Field): string =>
  field === 'content' ? assembly.heldContent : assembly.heldThinking;
const joint = (assembly: Assembly, field: Field): Joint =>
  field === 'content' ? assembly.contentJoint : assembly.thinkingJoint;

function commonLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1;
  return length;
}

/**
 * One more piece of a connection's text onto an item's text.
 * @param before what other connections had brought
 * @param at how the text stands to `before` so far
 * @param ahead whether the connection's lines are numbered beyond those of `before`
 */
function extend(text: string, before: string, at: Joint, ahead: boolean, piece: string): [string, Joint] {
  if (piece === '') return [text, at];
  if (typeof at !== 'number') return [text + piece, at];
  const rest = before.length - at;
  if (piece.length <= rest && before.startsWith(piece, at)) return [text, at + piece.length];
  if (piece.startsWith(before.slice(at))) return [before + piece.slice(rest), 'own'];
  const repeated = at + commonLength(before.slice(at), piece);
  // Either the run was repeated and now takes another way, or its beginning only looked like a repetition.
  if (repeated >= REPETITION && !ahead) return [before.slice(0, at) + piece, 'own'];
  return [before + before.slice(0, at) + piece, 'follows'];
}

/** A few characters that seemed a repetition, and nothing after them: they were the answer going on. */
function unresolved(text: string, before: string, at: Joint): string {
  return typeof at === 'number' && at < before.length && at < REPETITION ? text + before.slice(0, at) : text;
}

/**
 * Decides what a connection left open.
 * @param finished whether the run has come to its end, so that a repetition would have been a whole one
 */
export function closeTexts(item: Item, finished: boolean): Texts {
  const { assembly, content, thinking } = item;
  if (assembly === undefined || !(finished || assembly.ahead)) return { content, thinking };
  return {
    content: unresolved(content, assembly.heldContent, assembly.contentJoint),
    thinking: unresolved(thinking, assembly.heldThinking, assembly.thinkingJoint),
  };
}

const lastSortOf = ({ assembly }: Item): number | undefined => assembly?.last?.sort ?? assembly?.settledSort;

function begin(item: Item, line: MessageFields, connection: number): Assembled {
  const texts = closeTexts(item, false);
  const before = lastSortOf(item);
  const assembly: Assembly = {
    connection,
    heldContent: texts.content,
    heldThinking: texts.thinking,
    repeatable: true,
    ahead: before !== undefined && line.sort !== undefined && line.sort > before,
    contentJoint: 0,
    thinkingJoint: 0,
    last: undefined,
    older: undefined,
    rising: false,
    settledSort: undefined,
  };
  return { ...texts, assembly };
}

function append(texts: Texts, assembly: Assembly, line: MessageFields): Assembled {
  const { content: piece = '', thinking: thought = '' } = line;
  const { ahead, last } = assembly;
  const [content, contentJoint] = extend(texts.content, assembly.heldContent, assembly.contentJoint, ahead, piece);
  const [thinking, thinkingJoint] = extend(
    texts.thinking,
    assembly.heldThinking,
    assembly.thinkingJoint,
    ahead,
    thought,
  );
  const full = last !== undefined && last.depth >= GENERATION;
  const fragment: Fragment = {
    sort: line.sort,
    content: piece,
    thinking: thought,
    previous: full ? undefined : last,
    depth: full || last === undefined ? 1 : last.depth + 1,
  };
  const older = full ? last : assembly.older;
  return { content, thinking, assembly: { ...assembly, contentJoint, thinkingJoint, last: fragment, older } };
}

function recent({ last, older }: Assembly): Fragment[] {
  const fragments: Fragment[] = [];
  for (let at = last; at !== undefined; at = at.previous) fragments.push(at);
  if (last !== undefined) for (let at = older; at !== undefined; at = at.previous) fragments.push(at);
  return fragments.reverse();
}

/** What this connection has brought of a text. */
function ownText(texts: Texts, assembly: Assembly, field: Field): string {
  const at = joint(assembly, field);
  const before = held(assembly, field);
  if (!assembly.repeatable || at === 'follows') return texts[field].slice(before.length);
  return at === 'own' ? texts[field] : before.slice(0, at);
}

const isSame = (a: Fragment, b: Fragment): boolean =>
  a.sort === b.sort && a.content === b.content && a.thinking === b.thinking;

/** Puts the recent fragments together again, in the order of `sort` and each line once. */
function reorder(texts: Texts, assembly: Assembly, late?: MessageFields): Assembled {
  const { sort, content = '', thinking = '' } = late ?? {};
  const before = recent(assembly);
  const oldest = before[0];
  const isFull = before.length >= GENERATION && oldest?.sort !== undefined;
  // From before everything that is still known: its text is there already.
  if (late !== undefined && isFull && sort !== undefined && sort < (oldest.sort ?? 0)) return { ...texts, assembly };
  const order = ({ sort: number }: Fragment): number => number ?? Infinity;
  const fragments = [...before, ...(late ? [{ sort, content, thinking, previous: undefined, depth: 0 }] : [])]
    .toSorted((a, b) => (order(a) === order(b) ? 0 : order(a) - order(b)))
    .filter((fragment, at, all) => {
      const previous = all[at - 1];
      return !assembly.rising || previous === undefined || fragment.sort === undefined || !isSame(previous, fragment);
    });
  const again = (field: Field): [string, Joint] => {
    const own = ownText(texts, assembly, field);
    const known = before.reduce((length, fragment) => length + fragment[field].length, 0);
    const text = own.slice(0, own.length - known) + fragments.map((fragment) => fragment[field]).join('');
    const base = held(assembly, field);
    return assembly.repeatable ? extend(base, base, 0, assembly.ahead, text) : [base + text, joint(assembly, field)];
  };
  const [newContent, contentJoint] = again('content');
  const [newThinking, thinkingJoint] = again('thinking');
  let last: Fragment | undefined;
  let older: Fragment | undefined;
  for (const fragment of fragments) {
    if (last !== undefined && last.depth >= GENERATION) {
      older = last;
      last = undefined;
    }
    last = { ...fragment, previous: last, depth: (last?.depth ?? 0) + 1 };
  }
  return {
    content: newContent,
    thinking: newThinking,
    assembly: { ...assembly, contentJoint, thinkingJoint, last, older },
  };
}

/**
 * @param item the item so far
 * @param line a line of the same id with `isDelta: true`
 * @param connection number of the connection that brought it
 * @returns the texts and the assembly after it
 */
export function addDelta(item: Item, line: MessageFields, connection: number): Assembled {
  const going = item.assembly?.connection === connection ? item.assembly : undefined;
  if (going === undefined) {
    const { assembly, ...texts } = begin(item, line, connection);
    return append(texts, assembly, line);
  }
  const { last } = going;
  const { sort } = line;
  const texts: Texts = { content: item.content, thinking: item.thinking };
  if (isOvertaken(item, line, connection)) return { ...texts, assembly: going };
  if (last?.sort === undefined || sort === undefined) return append(texts, going, line);
  if (sort === last.sort) {
    const twice = going.rising && last.content === (line.content ?? '') && last.thinking === (line.thinking ?? '');
    return twice ? { ...texts, assembly: going } : append(texts, going, line);
  }
  if (going.rising && sort > last.sort) return append(texts, going, line);
  // The first change of `sort` shows whether it counts lines; if so, the line before may have come twice.
  const counts = going.rising || (last.depth <= 2 && going.older === undefined);
  const known = counts === going.rising ? going : { ...going, rising: counts };
  if (sort < last.sort) return reorder(texts, known, line);
  const { assembly, ...once } = counts && last.depth === 2 ? reorder(texts, known) : { ...texts, assembly: known };
  return append(once, assembly, line);
}

/** @returns whether a line was overtaken by one that settled the item */
export function isOvertaken({ assembly }: Item, { sort }: MessageFields, connection: number): boolean {
  return assembly?.connection === connection && sort !== undefined && sort < (assembly.settledSort ?? sort);
}

/**
 * A line with `isDelta: false` replaces what deltas had put together; empty texts replace nothing. Where another
 * connection repeats the run and is still at a point that is known, the longer text stays.
 * @returns the texts and the assembly after it
 */
export function settle(item: Item, line: MessageFields, connection: number): Assembled {
  const { content = '', thinking = '', sort } = line;
  const same = item.assembly?.connection === connection ? item.assembly : undefined;
  if (same === undefined && line.isInProcess && item.content.startsWith(content)) {
    const begun = begin(item, line, connection);
    const thinkingJoint = begun.thinking.startsWith(thinking) ? thinking.length : 'follows';
    return { ...begun, assembly: { ...begun.assembly, contentJoint: content.length, thinkingJoint } };
  }
  // Deltas that have overtaken this line still belong after it.
  const overtaking = same === undefined ? [] : recent(same).filter((delta) => (delta.sort ?? 0) > (sort ?? Infinity));
  const settled = (field: Field, text: string): string =>
    text === '' ? item[field] : text + overtaking.map((delta) => delta[field]).join('');
  const texts: Texts = { content: settled('content', content), thinking: settled('thinking', thinking) };
  const assembly: Assembly = {
    connection,
    heldContent: texts.content,
    heldThinking: texts.thinking,
    repeatable: false,
    ahead: false,
    contentJoint: 'follows',
    thinkingJoint: 'follows',
    last: undefined,
    older: undefined,
    rising: false,
    settledSort: sort,
  };
  return { ...texts, assembly };
}

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
type Piece = Omit<Fragment, 'previous' | 'depth'>;
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
 * @param begins how the connection's first line is numbered
 */
function extend(text: string, before: string, at: Joint, begins: Assembly['begins'], piece: string): [string, Joint] {
  if (piece === '') return [text, at];
  if (typeof at !== 'number') return [text + piece, at];
  const rest = before.length - at;
  if (piece.length <= rest && before.startsWith(piece, at)) return [text, at + piece.length];
  if (piece.startsWith(before.slice(at))) return [before + piece.slice(rest), 'own'];
  const repeated = at + commonLength(before.slice(at), piece);
  // Either the run was repeated and now takes another way, or its beginning only looked like a repetition.
  const isRepetition = begins === 'again' ? repeated > 0 : begins === 'anyhow' && repeated >= REPETITION;
  if (isRepetition) return [before.slice(0, at) + piece, 'own'];
  return [before + before.slice(0, at) + piece, 'follows'];
}

/**
 * What an item's text comes to when its run has ended: a few characters that seemed the beginning of a repetition, with
 * nothing after them, were the answer going on.
 * @param connection the last one of the run; one before it may have been cut while it repeated
 */
export function closeTexts(item: Item, connection: number): Texts {
  const { assembly, content, thinking } = item;
  if (assembly?.connection !== connection || !item.inProcess) return { content, thinking };
  const ended = (text: string, before: string, at: Joint): string =>
    typeof at === 'number' && at < before.length && at < REPETITION ? text + before.slice(0, at) : text;
  return {
    content: ended(content, assembly.heldContent, assembly.contentJoint),
    thinking: ended(thinking, assembly.heldThinking, assembly.thinkingJoint),
  };
}

const lastSortOf = ({ assembly }: Item): number | undefined => assembly?.last?.sort ?? assembly?.settled?.sort;

function begin(item: Item, line: MessageFields, connection: number): Assembled {
  const texts: Texts = { content: item.content, thinking: item.thinking };
  const before = lastSortOf(item) ?? Infinity;
  const { sort = -1 } = line;
  const begins = sort > before ? 'ahead' : sort === item.sort ? 'again' : 'anyhow';
  const assembly: Assembly = {
    connection,
    heldContent: texts.content,
    heldThinking: texts.thinking,
    repeatable: true,
    begins,
    contentJoint: 0,
    thinkingJoint: 0,
    last: undefined,
    older: undefined,
    rising: undefined,
    fresh: texts.content === '' && texts.thinking === '',
    settled: undefined,
  };
  return { ...texts, assembly };
}

const fragmentOf = (line: MessageFields, twice: boolean): Piece => ({
  sort: line.sort,
  content: line.content ?? '',
  thinking: line.thinking ?? '',
  twice,
});

/** One more fragment at the end of the record, which forgets the oldest generation. */
function link(assembly: Assembly, fragment: Piece): Assembly {
  const { last } = assembly;
  const full = last !== undefined && last.depth >= GENERATION;
  const { sort, content, thinking, twice } = fragment;
  const previous = full ? undefined : last;
  return {
    ...assembly,
    last: { sort, content, thinking, twice, previous, depth: (previous?.depth ?? 0) + 1 },
    older: full ? last : assembly.older,
  };
}

function append(texts: Texts, assembly: Assembly, line: MessageFields): Assembled {
  const { heldContent, heldThinking, begins } = assembly;
  const [content, contentJoint] = extend(texts.content, heldContent, assembly.contentJoint, begins, line.content ?? '');
  const [thinking, thinkingJoint] = extend(
    texts.thinking,
    heldThinking,
    assembly.thinkingJoint,
    begins,
    line.thinking ?? '',
  );
  const next = link(assembly, fragmentOf(line, false));
  if (contentJoint === next.contentJoint && thinkingJoint === next.thinkingJoint)
    return { content, thinking, assembly: next };
  return { content, thinking, assembly: { ...next, contentJoint, thinkingJoint } };
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

const isSame = (a: Piece, b: Piece): boolean =>
  a.sort === b.sort && a.content === b.content && a.thinking === b.thinking;

/** Puts the recent fragments together again: in the order of `sort`, and each line once where `sort` numbers lines. */
function reorder(texts: Texts, assembly: Assembly, late?: MessageFields): Assembled {
  const before = recent(assembly);
  const order = ({ sort }: { sort?: number | undefined }): number => sort ?? Infinity;
  // From before everything that is still known: its text is there already.
  if (late && before.length >= GENERATION && order(late) < order(before[0] ?? {})) return { ...texts, assembly };
  const all = [...before, ...(late ? [fragmentOf(late, false)] : [])].toSorted((a, b) =>
    order(a) === order(b) ? 0 : order(a) - order(b),
  );
  const fragments = all.map((fragment, at) => {
    const previous = all[at - 1];
    const twice = assembly.rising !== false && fragment.sort !== undefined && !!previous && isSame(previous, fragment);
    return { ...fragment, twice };
  });
  const lengthOf = (field: Field): number =>
    before.reduce((length, each) => length + (each.twice ? 0 : each[field].length), 0);
  const again = (field: Field): [string, Joint] => {
    const own = ownText(texts, assembly, field);
    const counting = fragments.filter(({ twice }) => !twice);
    const text = own.slice(0, own.length - lengthOf(field)) + counting.map((each) => each[field]).join('');
    const base = held(assembly, field);
    return assembly.repeatable ? extend(base, base, 0, assembly.begins, text) : [base + text, joint(assembly, field)];
  };
  const [content, contentJoint] = again('content');
  const [thinking, thinkingJoint] = again('thinking');
  let next: Assembly = { ...assembly, contentJoint, thinkingJoint, last: undefined, older: undefined };
  for (const fragment of fragments) next = link(next, fragment);
  return { content, thinking, assembly: next };
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
  if (last?.sort === undefined || sort === undefined) return append(texts, going, line);
  const { rising } = going;
  if (sort === last.sort && isSame(last, fragmentOf(line, false))) {
    if (rising === false) return append(texts, going, line);
    return { ...texts, assembly: rising ? going : link(going, fragmentOf(line, true)) };
  }
  if (sort === last.sort) {
    // Different lines under one number: it does not count lines, so none of them came twice.
    const { assembly, ...all } =
      rising === undefined ? reorder(texts, { ...going, rising: false }) : { ...texts, assembly: going };
    return append(all, assembly, line);
  }
  const counting = rising === undefined ? { ...going, rising: true } : going;
  return sort > last.sort ? append(texts, counting, line) : reorder(texts, counting, line);
}

/** @returns whether a line was overtaken by one that settled the item */
export function isOvertaken({ assembly }: Item, { sort }: MessageFields, connection: number): boolean {
  return assembly?.connection === connection && sort !== undefined && sort < (assembly.settled?.sort ?? sort);
}

/**
 * @param line one that was overtaken, see `isOvertaken`
 * @returns the texts with what it brings to one that no line has settled; undefined when it brings nothing
 */
export function addLate(item: Item, line: MessageFields, connection: number): Assembled | undefined {
  const { settled } = item.assembly ?? {};
  const content = settled?.content ? '' : (line.content ?? '');
  const thinking = settled?.thinking ? '' : (line.thinking ?? '');
  if (!line.isDelta || (content === '' && thinking === '')) return undefined;
  return addDelta(item, { ...line, content, thinking }, connection);
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
  /** A text that the line does not bring is put together by deltas still. */
  const heldOf = (field: Field, text: string): string =>
    text === '' && same ? texts[field].slice(0, texts[field].length - ownText(item, same, field).length) : texts[field];
  let assembly: Assembly = {
    connection,
    heldContent: heldOf('content', content),
    heldThinking: heldOf('thinking', thinking),
    repeatable: false,
    begins: 'anyhow',
    contentJoint: 'follows',
    thinkingJoint: 'follows',
    last: undefined,
    older: undefined,
    rising: same?.rising,
    fresh: same?.fresh ?? (item.content === '' && item.thinking === ''),
    settled: {
      sort,
      content: content !== '' || same?.settled?.content === true,
      thinking: thinking !== '' || same?.settled?.thinking === true,
    },
  };
  for (const fragment of same && (content === '' || thinking === '') ? recent(same) : [])
    assembly = link(assembly, {
      ...fragment,
      content: content === '' ? fragment.content : '',
      thinking: thinking === '' ? fragment.thinking : '',
    });
  return { ...texts, assembly };
}

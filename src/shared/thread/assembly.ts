/**
 * Puts the deltas of one item together. Deltas append; after a lost connection the service may go on where it was
 * or repeat the run from its start, and lines may come twice or in the wrong order. Each step costs as much as the
 * delta is long, whatever the length of the text, as long as lines come in order.
 */
import { fragmentOf, GENERATION, isSame, linked, recent } from './fragments.ts';
import { ended, extend } from './joint.ts';
import type { Assembly, Item, Joined } from './model.ts';
import type { MessageFields } from '../wire.ts';

interface Texts {
  content: string;
  thinking: string;
}
type Field = keyof Texts;
export type Assembled = Texts & { assembly: Assembly };

/**
 * What an item's texts come to when its run has ended.
 * @param connection the last one of the run; one before it may have been cut while it repeated
 */
export function closeTexts(item: Item, connection: number): Texts {
  const { assembly, content, thinking } = item;
  if (assembly?.connection !== connection || !item.inProcess) return { content, thinking };
  return { content: ended(content, assembly.content), thinking: ended(thinking, assembly.thinking) };
}

const lastSortOf = ({ assembly }: Item): number | undefined => assembly?.last?.sort ?? assembly?.settled?.sort;

function begin(item: Item, line: MessageFields, connection: number): Assembled {
  const texts: Texts = { content: item.content, thinking: item.thinking };
  const before = lastSortOf(item) ?? Infinity;
  const { sort = -1 } = line;
  const begins = sort > before ? 'ahead' : sort === item.sort && item.assembly?.rising !== false ? 'again' : 'anyhow';
  const assembly: Assembly = {
    connection,
    content: { held: texts.content, joint: 0 },
    thinking: { held: texts.thinking, joint: 0 },
    repeatable: true,
    begins,
    last: undefined,
    older: undefined,
    rising: undefined,
    fresh: texts.content === '' && texts.thinking === '',
    settled: undefined,
  };
  return { ...texts, assembly };
}

function append(texts: Texts, assembly: Assembly, line: MessageFields): Assembled {
  const { begins } = assembly;
  const [content, contentJoined] = extend(texts.content, assembly.content, begins, line.content ?? '');
  const [thinking, thinkingJoined] = extend(texts.thinking, assembly.thinking, begins, line.thinking ?? '');
  const { last, older } = linked(assembly, fragmentOf(line));
  const next: Assembly = { ...assembly, content: contentJoined, thinking: thinkingJoined, last, older };
  return { content, thinking, assembly: next };
}

/** What this connection has brought of a text. */
function ownText(texts: Texts, assembly: Assembly, field: Field): string {
  const { held, joint } = assembly[field];
  if (!assembly.repeatable || joint === 'follows') return texts[field].slice(held.length);
  return joint === 'own' ? texts[field] : held.slice(0, joint);
}

/** Puts the recent fragments together again: in the order of `sort`, and each line once where `sort` numbers lines. */
function reorder(texts: Texts, assembly: Assembly, late?: MessageFields): Assembled {
  const before = recent(assembly);
  const order = ({ sort }: { sort?: number | undefined }): number => sort ?? Infinity;
  // From before everything that is still known: its text is there already.
  if (late && before.length >= GENERATION && order(late) < order(before[0] ?? {})) return { ...texts, assembly };
  const all = [...before, ...(late ? [fragmentOf(late)] : [])].toSorted((a, b) =>
    order(a) === order(b) ? 0 : order(a) - order(b),
  );
  const fragments = all.map((fragment, at) => {
    const previous = all[at - 1];
    const twice = assembly.rising !== false && fragment.sort !== undefined && !!previous && isSame(previous, fragment);
    return { ...fragment, twice };
  });
  const lengthOf = (field: Field): number =>
    before.reduce((length, each) => length + (each.twice ? 0 : each[field].length), 0);
  const again = (field: Field): [string, Joined] => {
    const own = ownText(texts, assembly, field);
    const counting = fragments.filter(({ twice }) => !twice);
    const text = own.slice(0, own.length - lengthOf(field)) + counting.map((each) => each[field]).join('');
    const { held } = assembly[field];
    return assembly.repeatable
      ? extend(held, { held, joint: 0 }, assembly.begins, text)
      : [held + text, assembly[field]];
  };
  const [content, contentJoined] = again('content');
  const [thinking, thinkingJoined] = again('thinking');
  let next: Assembly = {
    ...assembly,
    content: contentJoined,
    thinking: thinkingJoined,
    last: undefined,
    older: undefined,
  };
  for (const fragment of fragments) next = { ...next, ...linked(next, fragment) };
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
  if (sort === last.sort && isSame(last, fragmentOf(line))) {
    if (rising === false) return append(texts, going, line);
    return { ...texts, assembly: rising ? going : { ...going, ...linked(going, fragmentOf(line, true)) } };
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
    const joined = {
      content: { held: begun.content, joint: content.length },
      thinking: {
        held: begun.thinking,
        joint: begun.thinking.startsWith(thinking) ? thinking.length : ('follows' as const),
      },
    };
    return { ...begun, assembly: { ...begun.assembly, ...joined } };
  }
  // Deltas that have overtaken this line still belong after it.
  const overtaking = same === undefined ? [] : recent(same).filter((delta) => (delta.sort ?? 0) > (sort ?? Infinity));
  const settled = (field: Field, text: string): string =>
    text === '' ? item[field] : text + overtaking.map((delta) => delta[field]).join('');
  const texts: Texts = { content: settled('content', content), thinking: settled('thinking', thinking) };
  /** A text that the line does not bring is put together by deltas still. */
  const joined = (field: Field, text: string): Joined => ({
    held:
      text === '' && same
        ? texts[field].slice(0, texts[field].length - ownText(item, same, field).length)
        : texts[field],
    joint: 'follows',
  });
  let assembly: Assembly = {
    connection,
    content: joined('content', content),
    thinking: joined('thinking', thinking),
    repeatable: false,
    begins: 'anyhow',
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
    assembly = {
      ...assembly,
      ...linked(assembly, {
        ...fragment,
        content: content === '' ? fragment.content : '',
        thinking: thinking === '' ? fragment.thinking : '',
      }),
    };
  return { ...texts, assembly };
}

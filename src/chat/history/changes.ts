/** What has to be written when a thread has changed. Items are immutable, so changes are told by identity. */
import type { Draft } from '../../shared/protocol/chat.ts';
import { emptyThread, type Home, type Item, type QueuedMessage, type Thread } from '../../shared/thread/model.ts';
import { headOf, mergeHeads, metaOf } from './merge.ts';
import type { Head, ThreadRecord } from './records.ts';

/** What the session says of its thread besides the thread itself; a `ThreadMeta` will do. */
export interface About extends Home {
  /** A new name, if it differs from the one that was given or read before; without one, the first question. */
  title?: string;
  readOnly?: boolean;
}

/** What is to be saved of a thread; parts that are not given stay as they are. */
export interface Change {
  thread?: Thread;
  about?: About;
  draft?: Draft;
}

/** What this process knows to be in a thread's file. */
export interface Known {
  items: ReadonlyMap<string, Item>;
  queue: readonly QueuedMessage[];
  /** The name as the session last gave or got it. */
  title: string;
}

export const nothing: Known = { items: new Map(), queue: [], title: '' };

export interface Plan {
  records: ThreadRecord[];
  head: Head;
  /** What will be known once the records have been written. */
  known: Known;
}

/**
 * @param base the file's last head, which another window may have written
 * @returns the records to add, without the head; none when nothing but the head can have changed
 */
export function plan(id: string, change: Change, known: Known, base: Head | undefined, now: number): Plan {
  const { thread, about, draft } = change;
  const records: ThreadRecord[] = [];
  let next = known;
  let head = base ?? headOf(emptyThread(id), metaOf(emptyThread(id), now));
  if (thread) {
    const changed = thread.items.filter((item) => known.items.get(item.id) !== item);
    const gone = missing(known.items, thread.items);
    for (const item of changed) records.push({ kind: 'item', item: { ...item, assembly: undefined } });
    if (gone.length > 0) records.push({ kind: 'gone', items: gone.map(({ id, updated, run }) => [id, updated, run]) });
    if (thread.queue !== known.queue && thread.queue.length + known.queue.length > 0)
      records.push({ kind: 'queue', queue: thread.queue });
    next = { ...known, items: new Map(thread.items.map((item) => [item.id, item])), queue: thread.queue };
    head = mergeHeads(base, headOf(thread, metaOf(thread, now, base?.meta)));
  }
  if (about) {
    const { origin, connection, readOnly } = about;
    const isNew = about.title !== known.title && about.title !== head.meta.title;
    const renamed = about.title && isNew ? { title: about.title, named: true } : {};
    const home = { origin, ...(connection === undefined ? {} : { connection }) };
    head = { ...head, meta: { ...head.meta, ...home, ...renamed, ...(readOnly ? { readOnly } : {}) } };
    next = { ...next, title: about.title ?? next.title };
  }
  if (draft) records.push({ kind: 'draft', draft });
  return { records, head, known: next };
}

function missing(known: ReadonlyMap<string, Item>, items: readonly Item[]): Item[] {
  const kept = items.reduce((count, { id }) => (known.has(id) ? count + 1 : count), 0);
  if (kept === known.size) return [];
  const ids = new Set(items.map(({ id }) => id));
  return [...known.values()].filter(({ id }) => !ids.has(id));
}

/** @returns whether the change holds something that the user has typed and that is not in the file yet */
export function isTyped(change: Change, known: Known): boolean {
  const { thread, draft } = change;
  if (draft && (draft.text !== '' || draft.images.length > 0)) return true;
  if (thread === undefined) return false;
  return thread.items.some(({ role, id }) => role === 'user' && !known.items.has(id)) || thread.queue.length > 0;
}

/** Computes the records to append when a thread has changed. */
import type { Draft } from '../../shared/protocol/chat.ts';
import {
  emptyThread,
  type Home,
  type Item,
  type QueuedMessage,
  type Thread,
  type Turn,
} from '../../shared/thread/model.ts';
import { questionsOf, titleFrom, turnsOf } from '../../shared/thread/turns.ts';
import { headOf, mergeHeads, metaOf } from './merge.ts';
import type { Head, ThreadRecord } from './format/records.ts';
import { storedTurn } from './format/storedTurns.ts';

/** Facts about a thread that are not part of its state; a `ThreadMeta` can be passed. */
export interface About extends Home {
  /**
   * The title; it renames the thread only if it differs from the title last saved or read. Defaults to the first
   * question.
   */
  title?: string;
  readOnly?: boolean;
}

/** Parts of a thread to save; absent parts are unchanged. */
export interface Change {
  thread?: Thread;
  about?: About;
  draft?: Draft;
}

/** A turn, and the id of the turn before it. */
interface KnownTurn {
  turn: Turn;
  after: string | undefined;
}

/** The state of a thread's file, as last read or written by this process. */
export interface Known {
  turns: ReadonlyMap<string, KnownTurn>;
  queue: readonly QueuedMessage[];
  /** The title as last saved or read by the session. */
  title: string;
}

export const nothing: Known = { turns: new Map(), queue: [], title: '' };

/** @returns the turns by id, each with the id of the turn before it */
export const knownTurns = (turns: readonly Turn[]): Known['turns'] =>
  new Map(turns.map((turn, at) => [turn.id, { turn, after: turns[at - 1]?.id }]));

/** Redacts credentials in the texts of an item. */
export type RedactItem = (item: Item) => Item;

export interface Plan {
  records: ThreadRecord[];
  head: Head;
  /** The state of the file after the records are written. */
  known: Known;
}

/**
 * @param base the last head of the file, possibly written by another window
 * @param now Unix milliseconds
 * @returns the records to append, without the head; empty if only the head may have changed
 */
export function plan(
  id: string,
  change: Change,
  known: Known,
  base: Head | undefined,
  now: number,
  redact: RedactItem,
): Plan {
  const { thread, about, draft } = change;
  const records: ThreadRecord[] = [];
  let next = known;
  let head = base ?? headOf(emptyThread(id), metaOf(emptyThread(id), now));
  if (thread) {
    const turns = knownTurns(turnsOf(thread));
    for (const each of turns.values()) records.push(...turnRecords(each, known.turns.get(each.turn.id), redact));
    const removed = [...known.turns.keys()].filter((turn) => !turns.has(turn));
    if (removed.length > 0) records.push({ kind: 'removed', turns: removed });
    if (thread.queue !== known.queue && thread.queue.length + known.queue.length > 0)
      records.push({ kind: 'queue', queue: thread.queue });
    next = { ...known, turns, queue: thread.queue };
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
  if (draft) {
    records.push({ kind: 'draft', draft });
    // The list shows a chat without a question by its draft.
    const { questions, named } = head.meta;
    if (questions === 0 && !named)
      head = { ...head, meta: { ...head.meta, title: titleFrom(draft.text), updatedAt: now } };
  }
  return { records, head, known: next };
}

/** Turns and items are immutable, so changes are detected by identity. */
function turnRecords({ turn, after }: KnownTurn, known: KnownTurn | undefined, redact: RedactItem): ThreadRecord[] {
  if (known?.turn === turn && known.after === after) return [];
  const before = new Map(known?.turn.items.map((item) => [item.id, item]));
  const records = turn.items
    .filter((item) => before.get(item.id) !== item)
    .map((item): ThreadRecord => ({ kind: 'message', turn: turn.id, item: { ...redact(item), exact: undefined } }));
  if (known === undefined || !isSame(known.turn, turn))
    return [{ kind: 'turn', turn: storedTurn(turn, after) }, ...records];
  return known.after === after ? records : [{ kind: 'order', turn: turn.id, after }, ...records];
}

/** Whether two versions of a turn differ at most in the contents of their items. */
const isSame = (known: Turn, turn: Turn): boolean =>
  known.question === turn.question &&
  known.outcome === turn.outcome &&
  known.usage === turn.usage &&
  known.items.length === turn.items.length &&
  known.items.every(({ id }, at) => id === turn.items[at]?.id);

/** @returns whether the change contains user input that is not in the file yet */
export function isTyped(change: Change, known: Known): boolean {
  const { thread, draft } = change;
  if (draft && (draft.text !== '' || draft.images.length > 0)) return true;
  if (thread === undefined) return false;
  return questionsOf(thread).some(({ id }) => !known.turns.has(id)) || thread.queue.length > 0;
}

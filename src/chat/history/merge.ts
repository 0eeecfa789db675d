/**
 * Merges the records of a thread file, which several windows may have written. Of two versions of an item, the one with
 * the later `updated` wins, and of equals the later record; but a partial item never replaces a complete one. Merging
 * is idempotent, so a record may be written twice.
 */
import { emptyDraft, type Draft } from '../../shared/protocol/chat.ts';
import type { Item, QueuedMessage, Thread } from '../../shared/thread/model.ts';
import { currentTurn, isRunning, titleOf, turnsOf } from '../../shared/thread/turns.ts';
import { supersedes } from './format/items.ts';
import { encodeRecord, type Head, type StoredMeta, type StoredTurn, type ThreadRecord } from './format/records.ts';
import { chained, storedTurn, timeOf, turnsFrom } from './format/storedTurns.ts';

/** A thread as read from its file. */
export interface StoredThread {
  thread: Thread;
  meta: StoredMeta;
  draft: Draft;
}

export class Merge {
  readonly #turns = new Map<string, StoredTurn>();
  /** The id of the preceding turn, by turn id. */
  readonly #after = new Map<string, string | undefined>();
  readonly #items = new Map<string, Map<string, { item: Item; bytes: number }>>();
  readonly #removed = new Set<string>();
  /** Records of a later version of the extension, kept when the file is rewritten. */
  readonly #others: object[] = [];
  #head: Head | undefined;
  #queue: readonly QueuedMessage[] = [];
  #draft = emptyDraft;

  /** Number of valid records. */
  records = 0;

  /** Total bytes of the newest version of each item. */
  get bytes(): number {
    const items = [...this.#items.values()].flatMap((ofTurn) => [...ofTurn.values()]);
    return items.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  add(record: ThreadRecord, bytes: number): void {
    this.records += 1;
    switch (record.kind) {
      case 'head':
        this.#head = mergeHeads(this.#head, record);
        return;
      case 'turn':
        this.#turns.set(record.turn.id, record.turn);
        this.#after.set(record.turn.id, record.turn.after);
        this.#removed.delete(record.turn.id);
        return;
      case 'order':
        this.#after.set(record.turn, record.after);
        return;
      case 'message':
        this.#addItem(record.turn, record.item, bytes);
        return;
      case 'removed':
        for (const id of record.turns) this.#remove(id);
        return;
      case 'queue':
        this.#queue = record.queue;
        return;
      case 'draft':
        this.#draft = record.draft;
    }
  }

  addOther(value: object): void {
    this.records += 1;
    this.#others.push(value);
  }

  #remove(turn: string): void {
    this.#removed.add(turn);
    this.#turns.delete(turn);
    this.#items.delete(turn);
  }

  #addItem(turn: string, item: Item, bytes: number): void {
    if (this.#removed.has(turn)) return;
    let items = this.#items.get(turn);
    if (items === undefined) this.#items.set(turn, (items = new Map()));
    const known = items.get(item.id);
    if (known && !supersedes(item, known.item)) return;
    items.set(item.id, { item, bytes });
  }

  #thread(id: string): Thread {
    const { meta, state } = this.#head ?? {};
    const { status = 'ready', messageId, error, unknownLines = 0 } = state ?? {};
    const turns = chained(turnsFrom(this.#turns, this.#items), this.#after);
    const chatId = state?.chatId ?? meta?.chatId;
    return settled({ id, chatId, messageId, error, turns, status, queue: this.#queue, unknownLines });
  }

  /** @param mtime Unix milliseconds, the default for missing times */
  result(id: string, mtime: number): StoredThread {
    const thread = this.#thread(id);
    return { thread, meta: metaOf(thread, mtime, this.#head?.meta), draft: this.#draft };
  }

  /** @returns the contents of the compacted file: the newest version of everything, with the head first and last */
  compacted(id: string, mtime: number): Uint8Array[] {
    const { thread, meta, draft } = this.result(id, mtime);
    const head = encodeRecord(headOf(thread, meta));
    const rest: (ThreadRecord | undefined)[] = [
      thread.queue.length > 0 ? { kind: 'queue', queue: thread.queue } : undefined,
      draft === emptyDraft ? undefined : { kind: 'draft', draft },
    ];
    const turns = thread.turns.flatMap((turn, at): ThreadRecord[] => [
      { kind: 'turn', turn: storedTurn(turn, thread.turns[at - 1]?.id) },
      ...turn.items.map((item): ThreadRecord => ({ kind: 'message', turn: turn.id, item })),
    ]);
    return [
      head,
      ...[...rest.filter((record) => record !== undefined), ...turns, ...this.#others].map(encodeRecord),
      head,
    ];
  }
}

/** @returns the merged head of two windows: the later metadata, and the state of the window that asked last */
export function mergeHeads(before: Head | undefined, after: Head): Head {
  if (before === undefined) return after;
  const state = (before.state.asked ?? 0) > (after.state.asked ?? 0) ? before.state : after.state;
  return { ...after, state: { ...state, chatId: state.chatId ?? before.state.chatId ?? after.state.chatId } };
}

/** @returns the head record of a thread */
export function headOf(thread: Thread, meta: StoredMeta): Head {
  const { chatId, status, messageId, error, unknownLines } = thread;
  const asked = Math.max(0, ...turnsOf(thread).map(timeOf));
  return { kind: 'head', meta, state: { chatId, status, messageId, asked, error, unknownLines } };
}

/** @returns the metadata for the thread list; fields that are not derived from the thread are copied from `before` */
export function metaOf(thread: Thread, mtime: number, before?: Partial<StoredMeta>): StoredMeta {
  let questions = 0;
  let updatedAt = before?.updatedAt ?? 0;
  let branch = before?.branch;
  const turns = turnsOf(thread);
  for (const { question, items } of turns) {
    if (question) questions += 1;
    branch = question?.context?.branch ?? branch;
    updatedAt = Math.max(updatedAt, question?.time ?? 0);
    for (const { updated } of items) if (updated > updatedAt) updatedAt = updated;
  }
  return {
    id: thread.id,
    ...(thread.chatId === undefined ? {} : { chatId: thread.chatId }),
    title: (before?.named ? '' : titleOf(thread)) || (before?.title ?? ''),
    pinned: before?.pinned ?? false,
    createdAt: before?.createdAt ?? turns[0]?.question?.time ?? turns[0]?.items[0]?.time ?? mtime,
    updatedAt: updatedAt || mtime,
    origin: before?.origin ?? '',
    ...(before?.connection === undefined ? {} : { connection: before.connection }),
    questions,
    ...(branch === undefined ? {} : { branch }),
    ...(before?.named ? { named: true } : {}),
    ...(before?.readOnly ? { readOnly: true } : {}),
  };
}

/** Resets the status to idle unless there is an unfinished question to re-attach to. */
function settled(thread: Thread): Thread {
  if (!isRunning(thread)) return idle(thread);
  const turn = thread.messageId === undefined ? undefined : currentTurn(thread);
  if (turn?.question && turn.outcome === undefined) return thread;
  return idle({ ...thread, status: turn?.outcome?.state === 'failed' ? 'error' : 'ready' });
}

const idle = (thread: Thread): Thread => ({
  ...thread,
  turns: thread.turns.map((turn) =>
    turn.items.some(({ inProcess }) => inProcess)
      ? { ...turn, items: turn.items.map((item) => (item.inProcess ? { ...item, inProcess: false } : item)) }
      : turn,
  ),
});

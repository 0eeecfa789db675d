/**
 * Merges the records of a file. Several windows may have written them: of two versions of an item the one with the
 * later `updated` wins, and of two equals the later record; but a part never replaces the whole. So a record may be
 * written twice.
 */
import { emptyDraft, type Draft } from '../../shared/protocol/chat.ts';
import type { Item, QueuedMessage, Thread } from '../../shared/thread/model.ts';
import { currentTurn, isRunning, turnsOf } from '../../shared/thread/turns.ts';
import { encodeRecord } from './recordLines.ts';
import { LegacyItems, supersedes } from './legacyItems.ts';
import type { Head, StoredMeta, StoredTurn, ThreadRecord } from './records.ts';
import { chained, storedTurn, timeOf, turnsFrom } from './storedTurns.ts';
import { titleOf } from './title.ts';

/** A thread as it is stored. */
export interface StoredThread {
  thread: Thread;
  meta: StoredMeta;
  draft: Draft;
}

export class Merge {
  readonly #turns = new Map<string, StoredTurn>();
  /** The turn before each turn, by their ids. */
  readonly #after = new Map<string, string | undefined>();
  readonly #items = new Map<string, Map<string, { item: Item; bytes: number }>>();
  readonly #removed = new Set<string>();
  readonly #legacy = new LegacyItems();
  /** Records of a later version of the extension; they are kept. */
  readonly #others: object[] = [];
  #head: Head | undefined;
  #queue: readonly QueuedMessage[] = [];
  #draft = emptyDraft;

  /** Number of good records. */
  records = 0;
  #itemBytes = 0;

  /** Bytes of the newest version of everything. */
  get bytes(): number {
    return this.#itemBytes + this.#legacy.bytes;
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
        return;
      case 'item':
      case 'gone':
        this.#legacy.add(record, bytes);
    }
  }

  addOther(value: object): void {
    this.records += 1;
    this.#others.push(value);
  }

  #remove(turn: string): void {
    this.#removed.add(turn);
    this.#turns.delete(turn);
    for (const { bytes } of this.#items.get(turn)?.values() ?? []) this.#itemBytes -= bytes;
    this.#items.delete(turn);
  }

  #addItem(turn: string, item: Item, bytes: number): void {
    if (this.#removed.has(turn)) return;
    let items = this.#items.get(turn);
    if (items === undefined) this.#items.set(turn, (items = new Map()));
    const known = items.get(item.id);
    if (known && !supersedes(item, known.item)) return;
    items.set(item.id, { item, bytes });
    this.#itemBytes += bytes - (known?.bytes ?? 0);
  }

  #thread(id: string): Thread {
    const { meta, state } = this.#head ?? {};
    const { status = 'ready', messageId, error, unknownLines = 0 } = state ?? {};
    const legacy = this.#legacy.turns.filter((turn) => !this.#removed.has(turn.id));
    const before = legacy.map((turn, at) => [turn.id, legacy[at - 1]?.id] as const);
    const turns = chained(turnsFrom(this.#turns, this.#items, legacy), new Map([...before, ...this.#after]));
    const chatId = state?.chatId ?? meta?.chatId;
    return settled({ id, chatId, messageId, error, turns, status, queue: this.#queue, unknownLines });
  }

  /** @param mtime replaces times that no record has */
  result(id: string, mtime: number): StoredThread {
    const thread = this.#thread(id);
    return { thread, meta: metaOf(thread, mtime, this.#head?.meta), draft: this.#draft };
  }

  /** @returns the whole file written anew: the newest version of everything, the head first and last */
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

/** @returns the head of two windows' heads: the later name, the state of the one that asked last */
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

/** @returns what the list shows of a thread; parts that only its maker knows come from the earlier meta */
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

/** Still running only when there is an open question to re-attach to; otherwise nothing is in process either. */
function settled(thread: Thread): Thread {
  if (!isRunning(thread)) return quiet(thread);
  const turn = thread.messageId === undefined ? undefined : currentTurn(thread);
  if (turn?.question && turn.outcome === undefined) return thread;
  return quiet({ ...thread, status: turn?.outcome?.state === 'failed' ? 'error' : 'ready' });
}

const quiet = (thread: Thread): Thread => ({
  ...thread,
  turns: thread.turns.map((turn) =>
    turn.items.some(({ inProcess }) => inProcess)
      ? { ...turn, items: turn.items.map((item) => (item.inProcess ? { ...item, inProcess: false } : item)) }
      : turn,
  ),
});

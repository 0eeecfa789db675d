/**
 * Puts the records of a file together. Several windows may have written them: items merge by id, the later
 * `updated` wins, and of two equals the one further down; but a part never wins over the whole. So it does no harm
 * to write a record twice.
 */
import { emptyDraft, type Draft } from '../../shared/protocol/chat.ts';
import type { Item, QueuedMessage, Thread } from '../../shared/thread/model.ts';
import { isRunning } from '../../shared/thread/turns.ts';
import { encodeRecord } from './recordLines.ts';
import { ordered } from './order.ts';
import type { Gone, Head, StoredMeta, ThreadRecord } from './records.ts';
import { titleOf } from './title.ts';

/** A thread as it lies in its file. */
export interface StoredThread {
  thread: Thread;
  meta: StoredMeta;
  draft: Draft;
}

export class Merge {
  readonly #items = new Map<string, { item: Item; bytes: number }>();
  readonly #gone = new Map<string, Gone>();
  /** What a later version of the extension wrote; it is carried along. */
  readonly #others: object[] = [];
  #head: Head | undefined;
  #queue: readonly QueuedMessage[] = [];
  #draft = emptyDraft;
  #itemBytes = 0;

  /** How many good records there were. */
  records = 0;

  /** Bytes that the newest version of everything takes. */
  get bytes(): number {
    return this.#itemBytes;
  }

  add(record: ThreadRecord, bytes: number): void {
    this.records += 1;
    if (record.kind === 'item') this.#addItem(record.item, bytes);
    else if (record.kind === 'gone') for (const gone of record.items) this.#remove(gone);
    else if (record.kind === 'head') this.#head = mergeHeads(this.#head, record);
    else if (record.kind === 'queue') this.#queue = record.queue;
    else this.#draft = record.draft;
  }

  addOther(value: object): void {
    this.records += 1;
    this.#others.push(value);
  }

  #addItem(item: Item, bytes: number): void {
    const known = this.#items.get(item.id);
    const gone = this.#gone.get(item.id);
    if ((gone && since(item, gone) < 0) || (known && !supersedes(item, known.item))) return;
    this.#items.set(item.id, { item, bytes });
    this.#itemBytes += bytes - (known?.bytes ?? 0);
  }

  #remove(gone: Gone): void {
    const [id, updated, run] = gone;
    const before = this.#gone.get(id);
    if (before === undefined || since({ updated, run }, before) >= 0) this.#gone.set(id, gone);
    const known = this.#items.get(id);
    if (known === undefined || since(known.item, gone) > 0) return;
    this.#items.delete(id);
    this.#itemBytes -= known.bytes;
  }

  /** @param mtime stands in for times that no record tells */
  result(id: string, mtime: number): StoredThread {
    const items = ordered([...this.#items.values()].map(({ item }) => item));
    const { meta, state } = this.#head ?? {};
    const run = Math.max(state?.run ?? 0, items.at(-1)?.run ?? 0);
    const connection = state?.connection ?? run;
    const rest = { chatId: state?.chatId ?? meta?.chatId, messageId: state?.messageId, error: state?.error };
    const status = state?.status ?? 'ready';
    const unknownLines = state?.unknownLines ?? 0;
    const thread = settled({ id, ...rest, items, status, run, connection, queue: this.#queue, unknownLines });
    return { thread, meta: metaOf(thread, mtime, meta), draft: this.#draft };
  }

  /** @returns the whole file written anew: the newest version of everything, the head first and last */
  compacted(id: string, mtime: number): Uint8Array[] {
    const { thread, meta, draft } = this.result(id, mtime);
    const head = encodeRecord(headOf(thread, meta));
    const rest: (ThreadRecord | undefined)[] = [
      this.#gone.size > 0 ? { kind: 'gone', items: [...this.#gone.values()] } : undefined,
      thread.queue.length > 0 ? { kind: 'queue', queue: thread.queue } : undefined,
      draft === emptyDraft ? undefined : { kind: 'draft', draft },
    ];
    const items = thread.items.map((item): ThreadRecord => ({ kind: 'item', item }));
    return [
      head,
      ...[...rest.filter((record) => record !== undefined), ...items, ...this.#others].map(encodeRecord),
      head,
    ];
  }
}

/** @returns below zero for a version from before one that was taken out; clocks may be set back, runs only rise */
const since = (version: { updated: number; run: number | undefined }, [, updated, run]: Gone): number =>
  (version.run === undefined || run === undefined ? 0 : version.run - run) || version.updated - updated;

/** Whether a version takes the place of one that stands further up in the file. */
function supersedes(item: Item, known: Item): boolean {
  // A host that is about to end may still hold a part of what another has already received in whole.
  if (item.inProcess !== known.inProcess && lengthOf(item) !== lengthOf(known)) {
    const [open, settled] = item.inProcess ? [item, known] : [known, item];
    if (lengthOf(open) < lengthOf(settled)) return settled === item;
  }
  return item.updated >= known.updated;
}

const lengthOf = ({ content, thinking }: Item): number => content.length + thinking.length;

/** @returns the head that two hosts' heads make: the later name, the state of the one that is further on */
export function mergeHeads(before: Head | undefined, after: Head): Head {
  if (before === undefined) return after;
  const older = before.state.run - after.state.run || before.state.connection - after.state.connection;
  const state = older > 0 ? before.state : after.state;
  return { ...after, state: { ...state, chatId: state.chatId ?? before.state.chatId ?? after.state.chatId } };
}

/** @returns the head record of a thread */
export function headOf(thread: Thread, meta: StoredMeta): Head {
  const { chatId, status, run, connection, messageId, error, unknownLines } = thread;
  return { kind: 'head', meta, state: { chatId, status, run, connection, messageId, error, unknownLines } };
}

/** @returns what the list shows of a thread; what only its maker knows comes from the meta that was there before */
export function metaOf(thread: Thread, mtime: number, before?: Partial<StoredMeta>): StoredMeta {
  let questions = 0;
  let updatedAt = before?.updatedAt ?? 0;
  let branch = before?.branch;
  for (const { role, updated, stamp } of thread.items) {
    if (role === 'user') questions += 1;
    branch = stamp?.branch ?? branch;
    if (updated > updatedAt) updatedAt = updated;
  }
  return {
    id: thread.id,
    ...(thread.chatId === undefined ? {} : { chatId: thread.chatId }),
    title: (before?.named ? '' : titleOf(thread.items)) || (before?.title ?? ''),
    pinned: before?.pinned ?? false,
    createdAt: before?.createdAt ?? thread.items[0]?.time ?? mtime,
    updatedAt: updatedAt || mtime,
    origin: before?.origin ?? '',
    ...(before?.connection === undefined ? {} : { connection: before.connection }),
    questions,
    ...(branch === undefined ? {} : { branch }),
    ...(before?.named ? { named: true } : {}),
    ...(before?.readOnly ? { readOnly: true } : {}),
  };
}

/** Still running only when there is an open question to take up again; otherwise nothing is in process either. */
function settled(thread: Thread): Thread {
  if (!isRunning(thread)) return quiet(thread);
  const question = thread.items.find(({ id }) => id === thread.messageId);
  if (question !== undefined && question.outcome === undefined) return thread;
  return quiet({ ...thread, status: question?.outcome?.state === 'failed' ? 'error' : 'ready' });
}

function quiet(thread: Thread): Thread {
  const items = thread.items.map((item) => (item.inProcess ? { ...item, inProcess: false } : item));
  return { ...thread, items };
}

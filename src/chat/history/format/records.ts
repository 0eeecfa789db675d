/**
 * The records of a thread file: their types, their validation and their encoding. A record is one line of JSON with a
 * newline before and after it, so that a truncated record cannot run into the next one.
 */
import type { Draft } from '../../../shared/protocol/chat.ts';
import type { Item, QueuedMessage, Thread, ThreadMeta, Turn } from '../../../shared/thread/model.ts';
import {
  flag,
  image,
  isFields,
  isThreadError,
  isTimestamp,
  listOf,
  maybe,
  number,
  oneOf,
  shape,
  questionContext,
  text,
  type Check,
} from '../../../shared/text/checks.ts';
import { joined, totalLength } from '../files/files.ts';
import { itemFields, outcome, usage } from './items.ts';

/** Metadata of a thread, as shown in the thread list. */
export interface StoredMeta extends ThreadMeta {
  /** Branch of the last question; empty if it was the main branch. */
  branch?: string;
  /** The title was set by the user. */
  named?: boolean;
  /** The thread is an import or a recording, and can't be continued. */
  readOnly?: boolean;
}

/** The state of a thread without its turns. */
type HeadState = Pick<Thread, 'chatId' | 'status' | 'messageId' | 'error' | 'unknownLines'> & {
  /** Time of the last question in Unix milliseconds. */
  asked?: number;
};

/** Written at the end of every save, so that the list reads only the tail of a file. */
export interface Head {
  kind: 'head';
  meta: StoredMeta;
  state: HeadState;
}

/** A turn without its items, which have their own records. */
export interface StoredTurn extends Omit<Turn, 'items'> {
  /** Id of the preceding turn. */
  after?: string;
  /** Item ids, in order. */
  items: readonly string[];
}

export type ThreadRecord =
  | Head
  | { kind: 'turn'; turn: StoredTurn }
  /** The preceding turn has changed; unlike a `turn` record, this does not restore a removed turn. */
  | { kind: 'order'; turn: string; after?: string }
  | { kind: 'message'; turn: string; item: Item }
  /** Ids of removed turns; a later `turn` record can restore one. */
  | { kind: 'removed'; turns: readonly string[] }
  | { kind: 'queue'; queue: readonly QueuedMessage[] }
  | { kind: 'draft'; draft: Draft };

const context = maybe(questionContext);
const question = shape({
  id: text,
  content: text,
  time: isTimestamp,
  images: maybe(listOf(image)),
  context,
  echo: maybe(text),
});
const turn = { id: text, question: maybe(question), outcome: maybe(outcome), usage: maybe(usage) };
const item = shape(itemFields);
const fullTurn = shape({ ...turn, items: listOf(item) });
const meta = shape({
  id: text,
  chatId: maybe(text),
  title: text,
  pinned: flag,
  createdAt: isTimestamp,
  updatedAt: isTimestamp,
  origin: text,
  connection: maybe(text),
  questions: number,
  branch: maybe(text),
  named: maybe(flag),
  readOnly: maybe(flag),
});
const state = shape({
  chatId: maybe(text),
  status: oneOf('ready', 'submitted', 'streaming', 'error'),
  messageId: maybe(text),
  asked: maybe(number),
  error: maybe(isThreadError),
  unknownLines: number,
});
const records: Record<ThreadRecord['kind'], Check> = {
  head: shape({ meta, state }),
  turn: shape({ turn: shape({ ...turn, after: maybe(text), items: listOf(text) }) }),
  order: shape({ turn: text, after: maybe(text) }),
  message: shape({ turn: text, item }),
  removed: shape({ turns: listOf(text) }),
  queue: shape({ queue: listOf(shape({ id: text, text, images: listOf(image), context })) }),
  draft: shape({ draft: shape({ text, images: listOf(image) }) }),
};

export const isTurn = (value: unknown): value is Turn => fullTurn(value);
export const isMeta = (value: unknown): value is StoredMeta => meta(value);

/** @returns whether a value from a file is a record of this version; a later version may have written others */
export function isThreadRecord(value: unknown): value is ThreadRecord {
  if (!isFields(value) || !Object.hasOwn(records, String(value.kind))) return false;
  return records[value.kind as ThreadRecord['kind']](value);
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** @returns the bytes of one record, newlines included */
export const encodeRecord = (record: object): Uint8Array => encoder.encode(`\n${JSON.stringify(record)}\n`);

export interface Line {
  bytes: Uint8Array;
  /** The line has its own newline at the end, so it was written completely. */
  closed: boolean;
}

/** `truncated`: the record was not written completely. `corrupt`: it was changed after it was written. */
export type ParsedRecord = { state: 'record'; value: object; bytes: number } | { state: 'truncated' | 'corrupt' };

export function parseRecord({ bytes, closed }: Line): ParsedRecord {
  const json = decoder.decode(bytes);
  try {
    if (json.startsWith('{')) return { state: 'record', value: JSON.parse(json) as object, bytes: bytes.length + 2 };
  } catch {
    // Reported as truncated or corrupt below.
  }
  return { state: closed ? 'corrupt' : 'truncated' };
}

/** Splits chunks into lines. A line is emitted when the bytes after it show whether it is closed. */
export class LineSplitter {
  readonly #onLine: (line: Line) => void;
  #rest: Uint8Array[] = [];
  #held: Uint8Array | undefined;

  constructor(onLine: (line: Line) => void) {
    this.#onLine = onLine;
  }

  /** Bytes of the unfinished line. */
  get open(): number {
    return totalLength(this.#rest);
  }

  push(chunk: Uint8Array): void {
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      this.#end(chunk.subarray(from, at));
      from = at + 1;
    }
    this.#rest.push(chunk.slice(from));
  }

  finish(): void {
    this.#end(new Uint8Array());
    this.#release(false);
  }

  #end(tail: Uint8Array): void {
    const bytes = joined([...this.#rest, tail]);
    this.#rest = [];
    this.#release(bytes.length === 0);
    if (bytes.length > 0) this.#held = bytes;
  }

  #release(closed: boolean): void {
    if (this.#held) this.#onLine({ bytes: this.#held, closed });
    this.#held = undefined;
  }
}

/** What is written into a thread's file, and the checks on what comes back out of it. */
import type { Draft } from '../../shared/protocol/chat.ts';
import type { Item, QueuedMessage, Thread, ThreadMeta } from '../../shared/thread/model.ts';
import {
  flag,
  image,
  isFields,
  isThreadError,
  isTime,
  listOf,
  maybe,
  number,
  oneOf,
  shape,
  stamp,
  text,
  type Check,
} from '../../shared/text/checks.ts';

/** What the list knows of a thread. */
export interface StoredMeta extends ThreadMeta {
  /** Branch of the last question; empty for the main branch of then. */
  branch?: string;
  /** The user gave it its title. */
  named?: boolean;
  /** An import or a recording: shown, not continued. */
  readOnly?: boolean;
}

/** What a session needs besides the items to go on where it was. */
export type ThreadState = Pick<
  Thread,
  'chatId' | 'status' | 'run' | 'connection' | 'messageId' | 'error' | 'unknownLines'
>;

/** Written at the end of every save, so that the last bytes of a file tell the list all it needs. */
export interface Head {
  kind: 'head';
  meta: StoredMeta;
  state: ThreadState;
}

/** An item that was taken out, with the `updated` and the `run` of the version that was; old files have no run. */
export type Gone = readonly [id: string, updated: number, run?: number];

export type ThreadRecord =
  | Head
  | { kind: 'item'; item: Item }
  | { kind: 'gone'; items: readonly Gone[] }
  | { kind: 'queue'; queue: readonly QueuedMessage[] }
  | { kind: 'draft'; draft: Draft };

const outcome: Check = (value) =>
  isFields(value) &&
  (value.state === 'done' ||
    (value.state === 'stopped' && text(value.service)) ||
    (value.state === 'failed' && isThreadError(value.error)));
const tokens = maybe(number);

const item = shape({
  id: text,
  role: oneOf('user', 'assistant'),
  content: text,
  thinking: text,
  toolCall: maybe(shape({ name: text })),
  graphPath: listOf(text),
  inProcess: flag,
  run: number,
  sort: number,
  time: isTime,
  updated: isTime,
  images: maybe(listOf(image)),
  stamp: maybe(stamp),
  echo: maybe(text),
  outcome: maybe(outcome),
  usage: maybe(shape({ inputTokens: tokens, outputTokens: tokens, totalTokens: tokens })),
});
const meta = shape({
  id: text,
  chatId: maybe(text),
  title: text,
  pinned: flag,
  createdAt: isTime,
  updatedAt: isTime,
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
  run: number,
  connection: number,
  messageId: maybe(text),
  error: maybe(isThreadError),
  unknownLines: number,
});
const goneItem: Check = (value) =>
  Array.isArray(value) && text(value[0]) && number(value[1]) && maybe(number)(value[2]);

const records: Record<ThreadRecord['kind'], Check> = {
  head: shape({ meta, state }),
  item: shape({ item }),
  gone: shape({ items: listOf(goneItem) }),
  queue: shape({ queue: listOf(shape({ id: text, text, images: listOf(image), stamp: maybe(stamp) })) }),
  draft: shape({ draft: shape({ text, images: listOf(image) }) }),
};

export const isItem = (value: unknown): value is Item => item(value);
export const isMeta = (value: unknown): value is StoredMeta => meta(value);

/** @returns whether a value out of a file is a record of this version; a later version may have written others */
export function isThreadRecord(value: unknown): value is ThreadRecord {
  if (!isFields(value) || !Object.hasOwn(records, String(value.kind))) return false;
  return records[value.kind as ThreadRecord['kind']](value);
}

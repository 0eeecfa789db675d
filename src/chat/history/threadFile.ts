/**
 * The file of a thread: one JSON document, with the metadata in the first line and each turn in a line of its own. So the
 * list reads only the start of a file, and a damaged line costs one turn.
 *
 *     {"version":3,"meta":{…},
 *     "state":{…},"turns":[
 *     {…},
 *     {…}
 *     ]}
 */
import { emptyDraft, type Draft } from '../../shared/protocol/chat.ts';
import {
  draft,
  fieldsOf,
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
  type Fields,
} from '../../shared/text/checks.ts';
import { parsed } from '../../shared/text/jsonText.ts';
import { emptyThread } from '../../shared/thread/model.ts';
import { each, isTurn } from '../../shared/thread/turnChecks.ts';
import { HistoryError } from './files/errors.ts';
import { slices } from './files/files.ts';
import { metaOf, settled, type StoredMeta, type StoredThread } from './storedThread.ts';
import { readThreadLog } from './threadLog.ts';

const VERSION = 3;

const meta = shape({
  ...each(text, 'id', 'title', 'origin'),
  ...each(maybe(text), 'chatId', 'connection', 'branch'),
  ...each(maybe(flag), 'named', 'readOnly'),
  ...each(isTimestamp, 'createdAt', 'updatedAt'),
  pinned: flag,
  questions: number,
});
const state: Record<string, Check> = {
  draft,
  status: oneOf('ready', 'submitted', 'streaming', 'error'),
  messageId: text,
  error: isThreadError,
  unknownLines: number,
  queue: listOf(shape({ ...each(text, 'id', 'text'), images: listOf(image), context: maybe(questionContext) })),
};

export const isMeta = (value: unknown): value is StoredMeta => meta(value);

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const END = '\n]}\n';
/** Characters that are written at once: more would take more memory, less more time. */
const CHUNK = 64 * 1024;
/** Maximum bytes of a file. */
export const LARGEST = 128 * 1024 * 1024;

/** @returns the lines before the turns */
export function headOf({ thread, meta, draft }: StoredThread): string {
  const { status, messageId, error, unknownLines, queue } = thread;
  const state = JSON.stringify({ status, messageId, error, unknownLines, queue, draft });
  return `{"version":${VERSION},"meta":${JSON.stringify(meta)},\n"state":${state},"turns":[\n`;
}

/**
 * @param redact redacts credentials in JSON
 * @returns the parts of the file
 * @throws HistoryError `tooLarge`
 */
export async function* encodeThread(
  stored: StoredThread,
  redact: (json: string) => string,
): AsyncGenerator<Uint8Array> {
  const pause = slices();
  let [chunk, size] = [redact(headOf(stored)), 0];
  for (const [at, turn] of [...stored.thread.turns, undefined].entries()) {
    await pause();
    const items = turn?.items.map((item) => ({ ...item, exact: undefined }));
    chunk += turn ? (at > 0 ? ',\n' : '') + redact(JSON.stringify({ ...turn, items })) : END;
    if (turn && chunk.length < CHUNK) continue;
    const bytes = encoder.encode(chunk);
    size += bytes.length;
    if (size > LARGEST) throw new HistoryError('tooLarge');
    yield bytes;
    chunk = '';
  }
}

/** @returns whether a file is complete: no part of it ends like the whole */
export const isComplete = (bytes: Uint8Array): boolean => decoder.decode(bytes.subarray(-END.length)) === END;

/** @returns the metadata at the start of a file; undefined if it is invalid or continues after the start */
export function readMeta(start: Uint8Array, id: string): StoredMeta | undefined {
  const json = decoder.decode(start);
  const { meta } = fieldsOf(parsed(`${json.slice(0, Math.max(0, json.indexOf(',\n')))}}`));
  return isMeta(meta) ? { ...meta, id } : undefined;
}

/** A thread, undefined if nothing in its file is readable, and whether a part of the file is not. */
export interface DecodedFile {
  stored?: StoredThread;
  isDamaged: boolean;
}

/** @param bytes of a thread file, or of a log of the first version */
export function decodeThread(id: string, bytes: Uint8Array): DecodedFile {
  const json = decoder.decode(bytes);
  const whole = fieldsOf(parsed(json));
  const isIntact = Array.isArray(whole.turns) && isMeta(whole.meta);
  const document = isIntact ? whole : /^\s*\{"kind":/.test(json) ? readThreadLog(json) : readableLines(json);
  const { meta } = document;
  const all = document.turns as readonly unknown[];
  const turns = all.filter(isTurn);
  const isDamaged = !isIntact || turns.length < all.length;
  const before = isMeta(meta) ? meta : undefined;
  if (before === undefined && turns.length === 0) return { isDamaged };
  const fields = fieldsOf(document.state);
  const names = Object.keys(state).filter((name) => state[name]?.(fields[name]));
  const { draft = emptyDraft, ...valid } = Object.fromEntries(names.map((name) => [name, fields[name]]));
  const chatId = before?.chatId === undefined ? {} : { chatId: before.chatId };
  const thread = settled({ ...emptyThread(id), ...valid, turns, ...chatId });
  return { stored: { thread, meta: metaOf(thread, before), draft: draft as Draft }, isDamaged };
}

/** @returns the members of a damaged document; of its turns, each unreadable line is undefined */
function readableLines(json: string): Fields {
  let members: Fields = {};
  const turns: unknown[] = [];
  for (const line of json.split(/,?\r?(?:\n|$)/)) {
    if (line === '' || line === ']}') continue;
    const value = [line, `${line}}`, `{${line}]}`].map(parsed).find(isFields);
    if (value && ('meta' in value || 'turns' in value)) members = { ...members, ...value };
    else turns.push(value);
  }
  return { ...members, turns };
}

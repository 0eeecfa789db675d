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
import { emptyThread, type Thread, type Turn } from '../../shared/thread/model.ts';
import { each, isTurn } from '../../shared/thread/turnChecks.ts';
import { slices } from './files/files.ts';
import { metaOf, settled, type StoredMeta, type StoredThread } from './storedThread.ts';

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
  status: oneOf('ready', 'submitted', 'streaming', 'error'),
  messageId: text,
  error: isThreadError,
  unknownLines: number,
  queue: listOf(shape({ ...each(text, 'id', 'text'), images: listOf(image), context: maybe(questionContext) })),
};

export const isMeta = (value: unknown): value is StoredMeta => meta(value);

/** @returns a thread with the valid parts of its saved state */
export function threadFrom(id: string, saved: unknown, turns: readonly Turn[], chatId: unknown): Thread {
  const fields = fieldsOf(saved);
  const names = Object.keys(state).filter((name) => state[name]?.(fields[name]));
  const valid = Object.fromEntries(names.map((name) => [name, fields[name]]));
  return settled({ ...emptyThread(id), ...valid, turns, ...(text(chatId) ? { chatId: String(chatId) } : {}) });
}

export const draftFrom = (value: unknown): Draft => (draft(value) ? (value as Draft) : emptyDraft);

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const END = '\n]}\n';
/** Characters that are written at once: more would take more memory, less more time. */
const CHUNK = 256 * 1024;

/** @returns the lines before the turns */
export function headOf({ thread, meta, draft, others }: StoredThread): string {
  const { status, messageId, error, unknownLines, queue } = thread;
  const rest = JSON.stringify({ ...others, state: { status, messageId, error, unknownLines, queue, draft } });
  return `{"version":${VERSION},"meta":${JSON.stringify(meta)},\n${rest.slice(1, -1)},"turns":[\n`;
}

/**
 * @param redact redacts credentials in JSON
 * @returns the parts of the file
 */
export async function* encodeThread(
  stored: StoredThread,
  redact: (json: string) => string,
): AsyncGenerator<Uint8Array> {
  const pause = slices();
  let chunk = redact(headOf(stored));
  for (const [at, turn] of stored.thread.turns.entries()) {
    await pause();
    const items = turn.items.map((item) => ({ ...item, exact: undefined }));
    chunk += (at > 0 ? ',\n' : '') + redact(JSON.stringify({ ...turn, items }));
    if (chunk.length < CHUNK) continue;
    yield encoder.encode(chunk);
    chunk = '';
  }
  yield encoder.encode(chunk + END);
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

/** @param mtime Unix milliseconds, the default for missing times */
export function decodeThread(id: string, bytes: Uint8Array, mtime: number): DecodedFile {
  const json = decoder.decode(bytes);
  const document = fieldsOf(parsed(json));
  const isIntact = Array.isArray(document.turns) && isMeta(document.meta);
  const { version: _version, meta, state, turns: saved, ...others } = isIntact ? document : readableLines(json);
  const all = saved as readonly unknown[];
  const turns = all.filter(isTurn);
  const isDamaged = !isIntact || turns.length < all.length;
  const before = isMeta(meta) ? meta : undefined;
  if (before === undefined && turns.length === 0) return { isDamaged };
  const thread = threadFrom(id, state, turns, before?.chatId);
  const stored = { thread, meta: metaOf(thread, mtime, before), draft: draftFrom(fieldsOf(state).draft) };
  return { stored: Object.keys(others).length > 0 ? { ...stored, others } : stored, isDamaged };
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

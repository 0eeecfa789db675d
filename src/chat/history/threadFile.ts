/**
 * The file of a thread: one JSON document, with the metadata in the first line and each turn in a line of its own. So the
 * list reads only the start of a file, a save copies the lines of unchanged turns, and a damaged line costs one turn.
 *
 *     {"version":3,"meta":{…},
 *     "state":{…},"turns":[
 *     {…},
 *     {…}
 *     ]}
 */
import { emptyDraft, type Draft } from '../../shared/protocol/chat.ts';
import {
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
import { emptyThread, type Item, type Thread, type Turn } from '../../shared/thread/model.ts';
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
const draft = shape({ text, images: listOf(image) });
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
const [BETWEEN, END] = [encoder.encode(',\n'), encoder.encode('\n]}\n')];

/** @returns the lines before the turns */
export function headOf({ thread, meta, draft, others }: StoredThread): string {
  const { status, messageId, error, unknownLines, queue } = thread;
  const rest = JSON.stringify({ ...others, state: { status, messageId, error, unknownLines, queue, draft } });
  return `{"version":${VERSION},"meta":${JSON.stringify(meta)},\n${rest.slice(1, -1)},"turns":[\n`;
}

/**
 * @param lines the lines of turns that need not be encoded again
 * @param redact redacts credentials in JSON
 */
export async function encodeThread(
  stored: StoredThread,
  lines: ReadonlyMap<Turn, Uint8Array>,
  redact: (json: string) => string,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [encoder.encode(redact(headOf(stored)))];
  const pause = slices();
  for (const turn of stored.thread.turns) {
    await pause();
    if (parts.length > 1) parts.push(BETWEEN);
    const items = (): Item[] => turn.items.map((item) => ({ ...item, exact: undefined }));
    parts.push(lines.get(turn) ?? encoder.encode(redact(JSON.stringify({ ...turn, items: items() }))));
  }
  parts.push(END);
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    await pause();
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** @returns whether a file is complete: no part of it ends like the whole */
export const isComplete = (bytes: Uint8Array): boolean =>
  decoder.decode(bytes.subarray(-END.length)) === decoder.decode(END);

/** @returns the lines of a file, without their newlines and the commas between turns */
export function splitLines(bytes: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (let from = 0; from < bytes.length;) {
    const at = bytes.indexOf(10, from);
    const end = at < 0 ? bytes.length : at;
    lines.push(bytes.subarray(from, bytes[end - 1] === BETWEEN[0] ? end - 1 : end));
    from = end + 1;
  }
  return lines;
}

/** @returns the line of each turn of a file with these turns; none if another program has formatted the file */
export function turnLines(bytes: Uint8Array, turns: readonly Turn[]): Map<Turn, Uint8Array> {
  const lines = splitLines(bytes);
  if (lines.length !== turns.length + 3) return new Map();
  return new Map(turns.map((turn, at) => [turn, lines[at + 2] as Uint8Array]));
}

/** @returns the value of JSON; undefined if it is invalid */
export function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** @returns the metadata at the start of a file; undefined if it is invalid or continues after the start */
export function readMeta(start: Uint8Array, id: string): StoredMeta | undefined {
  const { meta } = fieldsOf(parsed(`${decoder.decode(start.subarray(0, Math.max(0, start.indexOf(10) - 1)))}}`));
  return isMeta(meta) ? { ...meta, id } : undefined;
}

export interface DecodedFile {
  /** Undefined if nothing in the file is readable. */
  stored: StoredThread | undefined;
  lines: ReadonlyMap<Turn, Uint8Array>;
  /** Number of lines, or of turns, that are not readable. */
  lost: number;
}

/** @param mtime Unix milliseconds, the default for missing times */
export async function decodeThread(id: string, bytes: Uint8Array, mtime: number): Promise<DecodedFile> {
  const pause = slices();
  const lines = new Map<Turn, Uint8Array>();
  let fields: Fields = {};
  let lost = isComplete(bytes) ? 0 : 1;
  for (const line of splitLines(bytes)) {
    await pause();
    const json = decoder.decode(line);
    if (json === ']}' || json === '') continue;
    const value = parsed(json.endsWith('[') ? `{${json}]}` : json.startsWith('{"version"') ? `${json}}` : json);
    if (isTurn(value)) lines.set(value, line);
    else if (isFields(value) && (isMeta(value.meta) || 'turns' in value)) fields = { ...fields, ...value };
    else lost += 1;
  }
  if (lost === 0 && 'meta' in fields && 'turns' in fields) return decoded(fields, [...lines.keys()]);
  // Another program may have formatted the document.
  const whole = fieldsOf(parsed(decoder.decode(bytes)));
  if (!Array.isArray(whole.turns)) return decoded(fields, [...lines.keys()]);
  lines.clear();
  const turns = whole.turns.filter(isTurn);
  lost = whole.turns.length - turns.length;
  return decoded(whole, turns);

  function decoded({ version: _version, turns: _turns, meta, state, ...others }: Fields, turns: Turn[]): DecodedFile {
    const before = isMeta(meta) ? meta : undefined;
    if (before === undefined) lost = Math.max(1, lost);
    if (before === undefined && turns.length === 0) return { stored: undefined, lines, lost };
    const thread = threadFrom(id, state, turns, before?.chatId);
    const stored = { thread, meta: metaOf(thread, mtime, before), draft: draftFrom(fieldsOf(state).draft) };
    return { stored: Object.keys(others).length > 0 ? { ...stored, others } : stored, lines, lost };
  }
}

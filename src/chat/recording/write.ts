/**
 * Writes a recording: the existing thread, then its further events. A recording holds the lines of a thread's stream as
 * the service sent them, interleaved with metadata lines. Metadata lines have a reserved id, so that every reader of
 * streams can read a recording, and a plain stream is a valid recording.
 *
 *     {"id":"__recording__","version":1,"start":1767225600000}     start time in Unix milliseconds
 *     {"id":"__recording__","at":0,"event":{"type":"sent",…}}      an event that is not in the stream, such as a question
 *     {"id":"__recording__","at":812}                              milliseconds since the start, for the lines that follow
 *     {"id":"f43d…","role":"assistant","content":"Revenue ",…}     a line of the service
 */
import type { Item, Question, QuestionContext, Thread, ThreadEvent, Turn } from '../../shared/thread/model.ts';
import { turnsOf } from '../../shared/thread/turns.ts';
import type { StreamLine } from '../../shared/wire/streamLines.ts';
import {
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
} from '../../shared/text/checks.ts';

export const MARK = '__recording__';
const VERSION = 1;

/**
 * Events written as metadata lines. Lines of the stream are written as the service sent them, queue events not at all.
 */
export type NotedEvent = Exclude<ThreadEvent, { type: 'line' | 'queued' | 'unqueued' }>;

const services = oneOf('pending', 'stopped', 'forbidden', 'notFound', 'unreachable', 'byService');

const events: Record<NotedEvent['type'], Check> = {
  sent: shape({ id: text, text, images: listOf(image), context: questionContext, time: isTimestamp }),
  loading: isFields,
  resumed: shape({ messageId: text }),
  attached: isFields,
  named: shape({ chatId: text }),
  reconnecting: shape({ attempt: number, until: maybe(isTimestamp) }),
  finished: isFields,
  stopped: shape({ messageId: maybe(text), service: services }),
  failed: shape({ error: isThreadError }),
  unsent: shape({ id: text, error: isThreadError }),
};

/** @returns whether the value, such as one read from a file, is a valid event of a recording */
export function isNoted(value: unknown): value is NotedEvent {
  if (!isFields(value) || typeof value.type !== 'string' || !Object.hasOwn(events, value.type)) return false;
  return events[value.type as NotedEvent['type']](value);
}

/** Maximum number of characters; larger recordings could not be opened. */
export const MOST_CHARACTERS = 32 * 1024 * 1024;

export class RecordingWriter {
  readonly #start: number;
  readonly #textOf: (line: StreamLine) => string | undefined;
  readonly #lines: string[] = [];
  #at = -1;
  #length = 0;

  /**
   * @param thread the thread at the start of the recording, with no answer in progress
   * @param now Unix milliseconds
   * @param textOf returns a line as the service sent it, if known
   */
  constructor(thread: Thread, now: number, textOf: (line: StreamLine) => string | undefined) {
    this.#textOf = textOf;
    this.#start = beginOf(turnsOf(thread)[0]) ?? now;
    this.#write({ version: VERSION, start: this.#start });
    this.#writeThread(thread);
  }

  /** Whether the maximum size is reached; further events are ignored. */
  get isFull(): boolean {
    return this.#length > MOST_CHARACTERS;
  }

  get text(): string {
    return `${this.#lines.join('\n')}\n`;
  }

  /** @param now Unix milliseconds */
  add(events: readonly ThreadEvent[], now: number): void {
    if (this.isFull) return;
    for (const event of events) {
      if (event.type === 'line') this.#line(event.line, event.time);
      else if (isNoted(event)) this.#note(event, now);
    }
  }

  #note(event: NotedEvent, time: number): void {
    this.#at = this.#after(time);
    this.#write({ at: this.#at, event });
  }

  #line(line: StreamLine, time: number): void {
    // The state of the thread is opaque and large, and players ignore it: write an empty one.
    const written = line.kind === 'state' ? undefined : this.#textOf(line);
    const text = written ?? encodeLine(line);
    // Skip lines that contain the reserved id: they would be read as metadata.
    if (text === undefined || (line.kind === 'unknown' && text.includes(MARK))) return;
    const at = this.#after(time);
    if (at !== this.#at) this.#write({ at });
    this.#at = at;
    this.#push(text);
  }

  /** Milliseconds since the start; never less than the last written time. */
  #after(time: number): number {
    return Math.max(this.#at, 0, time - this.#start);
  }

  #write(fields: Record<string, unknown>): void {
    this.#push(JSON.stringify({ id: MARK, ...fields }));
  }

  #push(text: string): void {
    this.#lines.push(text);
    this.#length += text.length + 1;
  }

  #writeThread(thread: Thread): void {
    for (const turn of turnsOf(thread)) {
      const { question, items, usage } = turn;
      const begin = beginOf(turn) ?? this.#start;
      const end = items.at(-1)?.updated ?? begin;
      if (question?.context) this.#note(asSent(question, question.context), begin);
      else {
        this.#note({ type: 'loading' }, begin);
        if (question) this.#line(asEcho(question), begin);
      }
      for (const item of items) this.#line(asLine(item), item.time);
      if (usage) this.#line({ kind: 'usage', usage }, end);
      this.#note(endOf(turn), end);
    }
    if (thread.chatId !== undefined) this.#note({ type: 'named', chatId: thread.chatId }, this.#start);
  }
}

const beginOf = (turn: Turn | undefined): number | undefined => turn?.question?.time ?? turn?.items[0]?.time;

const asSent = ({ id, content, images = [], time }: Question, context: QuestionContext): NotedEvent => ({
  type: 'sent',
  id,
  text: content,
  images,
  context,
  time,
});

const asEcho = ({ id, content }: Question): StreamLine => ({
  kind: 'message',
  id,
  role: 'user',
  content,
  graphPath: [],
  isDelta: false,
  isInProcess: false,
});

function asLine({ id, content, thinking, toolCall, graphPath, sort }: Item): StreamLine {
  const fields = {
    id,
    role: 'assistant',
    content,
    thinking,
    graphPath,
    sort,
    isDelta: false,
    isInProcess: false,
  } as const;
  return toolCall ? { kind: 'toolCall', ...fields, toolCall } : { kind: 'message', ...fields };
}

function endOf({ id, outcome }: Turn): NotedEvent {
  if (outcome?.state === 'stopped') return { type: 'stopped', messageId: id, service: outcome.service };
  return outcome?.state === 'failed' ? { type: 'failed', error: outcome.error } : { type: 'finished' };
}

/** @returns the line in the service's format; undefined for an unknown line */
function encodeLine(line: StreamLine): string | undefined {
  switch (line.kind) {
    case 'message':
    case 'toolCall':
      return JSON.stringify({ ...line, kind: undefined });
    case 'cutoff':
      return JSON.stringify({ id: '__cutoff__', state: { chatId: line.chatId, isStreaming: line.isStreaming } });
    case 'state':
      return JSON.stringify({ id: '__state__', state: {} });
    case 'usage':
      return JSON.stringify({ id: '__usage__', usage: line.usage });
    case 'aborted':
      return JSON.stringify({ id: '__aborted__', error: line.reason });
    case 'suspended':
      return JSON.stringify({ id: '__suspended__', error: line.reason, retryable: line.retryable });
    case 'unknown':
      return undefined;
  }
}

/** Writes a recording: the thread so far, then all that happens in it. */
import type { Item, Thread, ThreadEvent } from '../../shared/thread/model.ts';
import type { StreamLine } from '../../shared/wire.ts';
import { isNoted, MARK, VERSION, type NotedEvent } from './format.ts';

/** Characters after which a recording takes nothing more: what is larger could not be opened again. */
export const MOST = 32 * 1024 * 1024;

export class RecordingWriter {
  readonly #start: number;
  readonly #textOf: (line: StreamLine) => string | undefined;
  readonly #lines: string[] = [];
  #at = -1;
  #length = 0;

  /**
   * @param thread as it is when the recording begins; nothing runs in it
   * @param now Unix milliseconds
   * @param textOf gives a line as the service wrote it, where that is known
   */
  constructor(thread: Thread, now: number, textOf: (line: StreamLine) => string | undefined) {
    this.#textOf = textOf;
    this.#start = thread.items[0]?.time ?? now;
    this.#write({ version: VERSION, start: this.#start });
    this.#writeThread(thread);
  }

  /** Whether there is no room for more. */
  get isFull(): boolean {
    return this.#length > MOST;
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
    // The thread's whole state is nobody's to read, and only makes the recording long.
    const written = line.kind === 'state' ? undefined : this.#textOf(line);
    const text = written ?? encodeLine(line);
    // A line with our own id would be taken for ours.
    if (text === undefined || (line.kind === 'unknown' && text.includes(MARK))) return;
    const at = this.#after(time);
    if (at !== this.#at) this.#write({ at });
    this.#at = at;
    this.#push(text);
  }

  /** Milliseconds after the beginning; never before what is already written. */
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

  #writeThread({ items, chatId }: Thread): void {
    let turn: Item[] = [];
    const close = (): void => {
      const last = turn.at(-1);
      if (last) this.#note(endOf(turn), last.updated);
      turn = [];
    };
    for (const item of items) {
      const isAsked = item.role === 'user' && item.stamp !== undefined;
      // Two windows that asked at once have given their runs the same number.
      if (isAsked || item.run !== turn.at(-1)?.run) close();
      if (isAsked) this.#note(asSent(item), item.time);
      else {
        if (turn.length === 0) this.#note({ type: 'loading' }, item.time);
        this.#line(asLine(item), item.time);
      }
      turn.push(item);
    }
    close();
    if (chatId !== undefined) this.#note({ type: 'named', chatId }, this.#start);
  }
}

function asSent({ id, content, images = [], stamp, time }: Item): NotedEvent {
  return { type: 'sent', id, text: content, images, stamp: stamp as NonNullable<Item['stamp']>, time };
}

const asLine = ({ id, role, content, thinking, toolCall, graphPath, sort }: Item): StreamLine => {
  const fields = { id, role, content, thinking, graphPath, isDelta: false, isInProcess: false, sort };
  return toolCall ? { kind: 'toolCall', ...fields, toolCall } : { kind: 'message', ...fields };
};

/** How a run ended, as its question says. */
function endOf(turn: readonly Item[]): NotedEvent {
  const question = turn.find((item) => item.outcome);
  const outcome = question?.outcome;
  if (outcome?.state === 'stopped') return { type: 'stopped', messageId: question?.id, service: outcome.service };
  return outcome?.state === 'failed' ? { type: 'failed', error: outcome.error } : { type: 'finished' };
}

/** @returns the line as the service would write it; undefined for one that was not understood */
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

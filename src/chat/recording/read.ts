/** Parses a recording, or a plain stream saved to a file, into timed events, and plays them in real time. */
import { decodeLine } from '../../api/decode.ts';
import { ChatError } from '../../api/errors.ts';
import { NdjsonParser, type ParsedLine } from '../../api/ndjson.ts';
import { checkImages } from '../../shared/protocol/images.ts';
import type { ThreadEvent } from '../../shared/thread/model.ts';
import { isItemLine, type StreamLine } from '../../shared/wire/streamLines.ts';
import { t } from '../../shared/text/l10n.ts';
import { isFields, isTimestamp, LATEST, type Fields } from '../../shared/text/checks.ts';
import { describeError } from '../connection/errorMessages.ts';
import { MOST_CHARACTERS, isNoted, MARK, type NotedEvent } from './write.ts';
import type { Clock } from '../session/clock.ts';

/** Maximum file size in bytes; a character of a recording can take three. */
export const MOST_BYTES = 3 * MOST_CHARACTERS;
/** Maximum number of messages in a recording. */
const MOST_MESSAGES = 5000;
/** Milliseconds between lines without timestamps: roughly the rate of an agent. */
const PACE = 20;

/** A timed event of a recorded thread. */
export interface Moment {
  /** Milliseconds since the start. */
  at: number;
  event: ThreadEvent;
}

/** Thrown for a file that can't be played, with a message for the user. */
class RecordingError extends Error {
  override readonly name = 'RecordingError';
}

export const recordingTooLarge = (): RecordingError => new RecordingError(t('This recording is too large to open.'));

/**
 * @param now Unix milliseconds, the start time of a recording that has none
 * @param onProblem called with the reason why an image was left out
 * @returns the events in order; the lines of each response are between its start and end events
 * @throws RecordingError if the file contains no conversation, or one that is too large
 */
export function readRecording(bytes: Uint8Array, now: number, onProblem?: (problem: string) => void): Moment[] {
  if (bytes.length > MOST_BYTES) throw recordingTooLarge();
  const parser = new NdjsonParser();
  const reader = new Reader(now, onProblem);
  for (const line of parser.push(bytes)) reader.add(line);
  for (const line of parser.flush()) reader.add(line);
  return reader.end();
}

const BEGINNINGS: readonly ThreadEvent['type'][] = ['sent', 'loading', 'resumed', 'attached'];
const ENDS: readonly ThreadEvent['type'][] = ['finished', 'failed', 'unsent'];

class Reader {
  readonly #moments: Moment[] = [];
  readonly #messages = new Set<string>();
  readonly #onProblem: ((problem: string) => void) | undefined;
  #start: number;
  #at = 0;
  /** Whether the recording has timestamps. */
  #isTimed = false;
  /** The response being read: `noted` if a recorded event began it, `bare` if a line without such an event did. */
  #run: 'none' | 'noted' | 'bare' = 'none';
  /** The `messageId` of the question being answered. */
  #messageId: string | undefined;

  constructor(now: number, onProblem: ((problem: string) => void) | undefined) {
    this.#start = now;
    this.#onProblem = onProblem;
  }

  add(parsed: ParsedLine): void {
    if ('value' in parsed && isFields(parsed.value) && parsed.value.id === MARK) return this.#mark(parsed.value);
    if (!this.#isTimed && this.#moments.length > 0) this.#at += PACE;
    const line = decodeLine(parsed);
    if (line instanceof ChatError) this.#add({ type: 'failed', error: { ...describeError(line), actions: [] } });
    else this.#line(line);
  }

  end(): Moment[] {
    if (this.#messages.size === 0) throw new RecordingError(t('This file doesn’t contain a recorded chat.'));
    if (this.#run !== 'none') this.#add({ type: 'finished' });
    return this.#moments;
  }

  #mark({ at, start, event }: Fields): void {
    if (isTimestamp(start)) this.#start = start;
    if (isTimestamp(at)) {
      this.#isTimed = true;
      this.#at = Math.max(this.#at, at);
    }
    if (isNoted(event)) this.#add(this.#withCheckedImages(harmless(event)));
  }

  #withCheckedImages(event: NotedEvent): NotedEvent {
    if (event.type !== 'sent') return event;
    const { images, problems } = checkImages(event.images);
    for (const problem of problems) this.#onProblem?.(problem);
    return { ...event, images };
  }

  #line(line: StreamLine): void {
    if (line.kind === 'unknown') return;
    if (isItemLine(line)) this.#count(line.id);
    if (this.#run === 'none' && line.kind !== 'usage') {
      this.#add({ type: 'loading' });
      this.#run = 'bare';
    }
    this.#add({ type: 'line', line, time: Math.min(this.#start + this.#at, LATEST) });
    // Without recorded events, the last line of the stream ends the response.
    if (this.#run === 'bare' && line.kind === 'state') this.#add({ type: 'finished' });
    else if (this.#run === 'bare' && line.kind === 'aborted')
      this.#add({ type: 'stopped', messageId: undefined, service: 'byService' });
  }

  #add(event: ThreadEvent): void {
    if (event.type === 'sent') this.#count(event.id);
    if (BEGINNINGS.includes(event.type)) this.#run = 'noted';
    else if (ENDS.includes(event.type) || this.#isStopped(event)) this.#run = 'none';
    if (event.type === 'sent') this.#messageId = event.id;
    else if (event.type === 'resumed') this.#messageId = event.messageId;
    else if (event.type === 'loading') this.#messageId = undefined;
    this.#moments.push({ at: this.#at, event });
  }

  /** Whether an event stops the current answer. A stop can arrive after the next question, which it does not stop. */
  #isStopped(event: ThreadEvent): boolean {
    if (event.type !== 'stopped') return false;
    return event.messageId === undefined || event.messageId === this.#messageId;
  }

  #count(id: string): void {
    this.#messages.add(id);
    if (this.#messages.size > MOST_MESSAGES) throw recordingTooLarge();
  }
}

/** Removes the actions of errors, which have no effect in a recording. */
function harmless(event: NotedEvent): NotedEvent {
  return event.type === 'failed' || event.type === 'unsent'
    ? { ...event, error: { ...event.error, actions: [] } }
    : event;
}

/** Milliseconds; longer pauses are shortened to this. */
const LONGEST_PAUSE = 2000;
/** Maximum number of events per dispatch. */
const SLICE = 500;

/**
 * @param dispatch called with the events that are due
 * @param signal when aborted, the remaining events are dispatched without delay
 * @returns a promise that resolves when all events have been dispatched
 */
export async function play(
  moments: readonly Moment[],
  dispatch: (events: readonly ThreadEvent[]) => void,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const begun = clock.now();
  let due = 0;
  for (let from = 0; from < moments.length;) {
    const at = moments[from]?.at ?? 0;
    due += Math.min(LONGEST_PAUSE, at - (moments[from - 1]?.at ?? at));
    const wait = begun + due - clock.now();
    if (wait > 0) await clock.sleep(wait, signal);
    let to = from;
    const isDue = (moment: Moment | undefined): boolean =>
      moment?.at === at || (signal.aborted && moment !== undefined);
    while (isDue(moments[to]) && to - from < SLICE) to += 1;
    dispatch(moments.slice(from, to).map(({ event }) => event));
    from = to;
    // Yield to the views between slices.
    if (signal.aborted) await clock.sleep(0, new AbortController().signal);
  }
}

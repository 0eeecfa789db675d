/**
 * The format of recordings: the lines of a thread's stream as the service sent them, interleaved with metadata lines.
 * Metadata lines have a reserved id, so that every reader of streams can read a recording, and a plain stream is a
 * valid recording.
 *
 *     {"id":"__recording__","version":1,"start":1767225600000}     start time in Unix milliseconds
 *     {"id":"__recording__","at":0,"event":{"type":"sent",…}}      an event that is not in the stream, such as a question
 *     {"id":"__recording__","at":812}                              milliseconds since the start, for the lines that follow
 *     {"id":"f43d…","role":"assistant","content":"Revenue ",…}     a line of the service
 */
import type { ThreadEvent } from '../../shared/thread/model.ts';
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
export const VERSION = 1;

/** Events that are recorded as such. Lines are recorded as the service's own; queue events are not recorded. */
export type NotedEvent = Exclude<ThreadEvent, { type: 'line' | 'queued' | 'unqueued' }>;

const failure: Check = (value) => isFields(value) && isThreadError(value.error);
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
  failed: failure,
  unsent: (value) => shape({ id: text })(value) && failure(value),
  errorCleared: isFields,
};

/** @returns whether the value is a valid event of a recording; also checks values read from files */
export function isNoted(value: unknown): value is NotedEvent {
  if (!isFields(value) || typeof value.type !== 'string' || !Object.hasOwn(events, value.type)) return false;
  return events[value.type as NotedEvent['type']](value);
}

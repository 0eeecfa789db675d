/**
 * A recording: the lines of a thread's stream as the service sent them, with lines of our own between them. These
 * have a reserved id, so that whatever reads the stream reads a recording too, and a bare stream is a recording.
 *
 *     {"id":"__recording__","version":1,"start":1767225600000}     Unix milliseconds of the beginning
 *     {"id":"__recording__","at":0,"event":{"type":"sent",…}}      what happened beside the stream, such as a question
 *     {"id":"__recording__","at":812}                              milliseconds after the beginning, for what follows
 *     {"id":"f43d…","role":"assistant","content":"Revenue ",…}     a line of the service
 */
import type { ThreadEvent } from '../../shared/thread/model.ts';
import {
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

export const MARK = '__recording__';
export const VERSION = 1;

/** Events that are written as they are; lines are the service's own, and what waits in the queue has not happened. */
export type NotedEvent = Exclude<ThreadEvent, { type: 'line' | 'queued' | 'unqueued' }>;

const failure: Check = (value) => isFields(value) && isThreadError(value.error);
const services = oneOf('pending', 'stopped', 'forbidden', 'notFound', 'unreachable', 'byService');

const events: Record<NotedEvent['type'], Check> = {
  sent: shape({ id: text, text, images: listOf(image), stamp, time: isTime }),
  loading: isFields,
  resumed: shape({ messageId: text }),
  attached: isFields,
  named: shape({ chatId: text }),
  reconnecting: shape({ attempt: number, until: maybe(isTime) }),
  finished: isFields,
  stopped: shape({ messageId: maybe(text), service: services }),
  failed: failure,
  unsent: (value) => shape({ id: text })(value) && failure(value),
  errorCleared: isFields,
};

/** @returns whether an event is noted in recordings; also for what a file says is one */
export function isNoted(value: unknown): value is NotedEvent {
  if (!isFields(value) || typeof value.type !== 'string' || !Object.hasOwn(events, value.type)) return false;
  return events[value.type as NotedEvent['type']](value);
}

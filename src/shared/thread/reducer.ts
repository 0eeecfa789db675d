/** The one reducer over threads. The host and the webview run it on the same events and hold the same thread. */
import { closeTexts } from './assembly.ts';
import { inBatch, insertItem, replaceItem } from './items.ts';
import { UNECHOED } from './questions.ts';
import type { Item, Thread, ThreadEvent, TurnOutcome } from './model.ts';
import { takeLine, takeMore, type LineEvent } from './takeLine.ts';
import { isItemLine, type StreamLine } from '../wire.ts';

/**
 * @param thread a thread; it is not changed
 * @param event what happened: an act of the user, a line of the stream, or the fate of a request
 * @returns the thread after it; the same object when nothing changed
 */
export function reduce(thread: Thread, event: ThreadEvent): Thread {
  switch (event.type) {
    case 'sent':
      return send(thread, event);
    case 'loading':
      return {
        ...thread,
        status: 'submitted',
        run: thread.run + 1,
        connection: thread.connection + 1,
        messageId: undefined,
        error: undefined,
      };
    case 'resumed':
      return reopen({ ...thread, messageId: event.messageId, status: 'submitted' });
    case 'attached': {
      const next = reopen(thread);
      const { connection, run } = next;
      return event.numbering === 'thread' ? { ...next, sortOffset: { connection, run, by: 0, agrees: true } } : next;
    }
    case 'named':
      return { ...thread, chatId: event.chatId };
    case 'line':
      return takeLine(thread, event.line, event.time);
    case 'reconnecting': {
      const { attempt, until } = event;
      return { ...thread, reconnecting: until === undefined ? { attempt } : { attempt, until } };
    }
    case 'finished':
      return end(thread, { state: 'done' }, 'ready');
    case 'stopped':
      return event.messageId === undefined || event.messageId === thread.messageId
        ? end(thread, { state: 'stopped', service: event.service }, 'ready')
        : withOutcome(thread, event.messageId, { state: 'stopped', service: event.service });
    case 'failed':
      return end(thread, { state: 'failed', error: event.error }, 'error');
    case 'unsent':
      return {
        ...thread,
        items: thread.items.filter(({ id }) => id !== event.id),
        messageId: undefined,
        status: 'error',
        reconnecting: undefined,
        error: event.error,
      };
    case 'errorCleared':
      return { ...thread, error: undefined, status: thread.status === 'error' ? 'ready' : thread.status };
    case 'queued':
      return { ...thread, queue: [...thread.queue, event.message] };
    case 'unqueued':
      return { ...thread, queue: thread.queue.filter(({ id }) => id !== event.id) };
  }
}

/** As `reduce` for each event in turn; lines of one item that come together cost little more than one. */
export const reduceAll = (thread: Thread, events: readonly ThreadEvent[]): Thread =>
  inBatch(() => reduceBatch(thread, events));

function reduceBatch(thread: Thread, events: readonly ThreadEvent[]): Thread {
  let next = thread;
  for (let from = 0; from < events.length;) {
    const event = events[from] as ThreadEvent;
    next = reduce(next, event);
    from += 1;
    if (event.type !== 'line') continue;
    const together = sameItem(events, from, event.line);
    if (together > from) next = takeMore(next, events.slice(from, together) as LineEvent[]);
    from = together;
  }
  return next;
}

/** @returns the index after the last event in a row that is a line of the same item */
function sameItem(events: readonly ThreadEvent[], from: number, line: StreamLine): number {
  let at = from;
  if (!isItemLine(line) || line.role === 'user') return at;
  for (let event = events[at]; event?.type === 'line'; event = events[at]) {
    if (!isItemLine(event.line) || event.line.id !== line.id || event.line.role !== line.role) break;
    at += 1;
  }
  return at;
}

function send(thread: Thread, event: Extract<ThreadEvent, { type: 'sent' }>): Thread {
  const run = thread.run + 1;
  const question: Item = {
    id: event.id,
    role: 'user',
    content: event.text,
    thinking: '',
    graphPath: [],
    inProcess: false,
    run,
    sort: UNECHOED,
    time: event.time,
    updated: event.time,
    stamp: event.stamp,
    ...(event.images.length > 0 ? { images: event.images } : {}),
  };
  return {
    ...thread,
    items: insertItem(thread.items, question),
    status: 'submitted',
    run,
    connection: thread.connection + 1,
    messageId: event.id,
    reconnecting: undefined,
    error: undefined,
  };
}

/** A further connection for the question that is already there: its outcome is open again. */
function reopen(thread: Thread): Thread {
  const next: Thread = {
    ...thread,
    connection: thread.connection + 1,
    status: thread.status === 'streaming' ? 'streaming' : 'submitted',
    error: undefined,
  };
  return thread.messageId === undefined ? next : withOutcome(next, thread.messageId, undefined);
}

function withOutcome(thread: Thread, messageId: string, outcome: TurnOutcome | undefined): Thread {
  const at = thread.items.findLastIndex(({ id }) => id === messageId);
  const question = thread.items[at];
  return question === undefined
    ? thread
    : { ...thread, items: replaceItem(thread.items, at, { ...question, outcome }) };
}

/** Ends the running request. Whatever was still being generated stays as it is, no longer in process. */
function end(thread: Thread, outcome: TurnOutcome, status: 'ready' | 'error'): Thread {
  const closed = (item: Item): Partial<Item> =>
    outcome.state === 'done' ? closeTexts(item, thread.connection) : item.inProcess ? { partial: true } : {};
  const items = thread.items.map((item) =>
    item.inProcess || item.assembly ? { ...item, ...closed(item), inProcess: false, assembly: undefined } : item,
  );
  const ended: Thread = { ...thread, items, status, reconnecting: undefined };
  if (thread.messageId !== undefined) return withOutcome(ended, thread.messageId, outcome);
  return outcome.state === 'failed' ? { ...ended, error: outcome.error } : ended;
}

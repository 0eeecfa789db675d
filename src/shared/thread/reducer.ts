/** The reducer over threads. The host and the webview run it on the same events and hold equal threads. */
import { isItemLine, type StreamLine } from '../wire/streamLines.ts';
import type { Item, Question, Thread, ThreadEvent, Transcript, Turn, TurnOutcome } from './model.ts';
import { TranscriptWriter } from './transcript.ts';
import { turnsOf } from './turns.ts';

export const reduce = (thread: Thread, event: ThreadEvent): Thread => reduceAll(thread, [event]);

/**
 * @param thread not modified
 * @param events user actions, lines of the stream, ends of requests
 * @returns the thread after the events
 */
export function reduceAll(thread: Thread, events: readonly ThreadEvent[]): Thread {
  let next = thread;
  let writer: TranscriptWriter | undefined;
  const close = (): void => {
    if (writer) next = { ...next, response: writer.done() };
    writer = undefined;
  };
  for (const event of events) {
    if (event.type === 'line') {
      const { line, time } = event;
      if (line.kind !== 'unknown') writer ??= new TranscriptWriter(next.response ?? openResponse(next));
      if (isItemLine(line)) writer?.add(line, time);
      else if (line.kind === 'cutoff') writer?.mark();
      else if (line.kind === 'usage') writer?.usage(line.usage);
      next = noteLine(next, line);
    } else {
      close();
      next = apply(next, event);
    }
  }
  close();
  return next;
}

function noteLine(thread: Thread, line: StreamLine): Thread {
  if (line.kind === 'unknown') return { ...thread, unknownLines: thread.unknownLines + 1 };
  // Usage may follow the end of an answer, so it does not change the status.
  if (line.kind === 'usage') return thread;
  const { chatId = thread.chatId } = line.kind === 'cutoff' ? line : {};
  if (thread.status === 'streaming' && !thread.reconnecting && chatId === thread.chatId) return thread;
  return { ...thread, ...(chatId === undefined ? {} : { chatId }), status: 'streaming', reconnecting: undefined };
}

function apply(thread: Thread, event: Exclude<ThreadEvent, { type: 'line' }>): Thread {
  switch (event.type) {
    case 'sent': {
      const { id, text, images, context, time } = event;
      const question: Question = { id, content: text, time, context, ...(images.length > 0 ? { images } : {}) };
      const held = turnsOf(thread);
      // A question that seemed lost is in a thread that has been read since.
      const at = held.findIndex((turn) => turn.id === id);
      const turns =
        at < 0 ? [...held, { id, question, items: [] }] : held.with(at, { ...held[at]!, question, outcome: undefined });
      return request({ ...thread, turns, messageId: id, status: 'submitted', reconnecting: undefined });
    }
    case 'loading':
      return request({ ...thread, turns: turnsOf(thread), messageId: undefined, status: 'submitted' });
    case 'resumed':
    case 'attached': {
      const { messageId } = event.type === 'resumed' ? event : thread;
      const status = thread.status === 'streaming' ? 'streaming' : 'submitted';
      const turns = withOutcome(turnsOf(thread), messageId, undefined);
      return request({ ...thread, turns, status, messageId });
    }
    case 'named':
      return { ...thread, chatId: event.chatId };
    case 'reconnecting': {
      const { attempt, until } = event;
      return { ...thread, reconnecting: until === undefined ? { attempt } : { attempt, until } };
    }
    case 'finished':
      return end(thread, { state: 'done' }, 'ready');
    case 'stopped': {
      const outcome: TurnOutcome = { state: 'stopped', service: event.service };
      if (event.messageId === undefined || event.messageId === thread.messageId) return end(thread, outcome, 'ready');
      return { ...thread, turns: withOutcome(thread.turns, event.messageId, outcome) };
    }
    case 'failed':
      return end(thread, { state: 'failed', error: event.error }, 'error');
    case 'unsent': {
      const failed = end({ ...thread, messageId: undefined }, { state: 'failed', error: event.error }, 'error');
      return { ...failed, turns: failed.turns.filter(({ id }) => id !== event.id) };
    }
    case 'queued':
      return { ...thread, queue: [...thread.queue, event.message] };
    case 'unqueued':
      return { ...thread, queue: thread.queue.filter(({ id }) => id !== event.id) };
  }
}

function openResponse({ turns, messageId }: Thread): Transcript {
  const question = turns.findLast(({ id }) => id === messageId)?.question;
  return { ...(question ? { asked: { id: question.id, content: question.content } } : {}), turns: [], marked: false };
}

const request = (thread: Thread): Thread => ({ ...thread, response: openResponse(thread), error: undefined });

function withOutcome(turns: readonly Turn[], id?: string, outcome?: TurnOutcome): readonly Turn[] {
  const at = turns.findLastIndex((turn) => turn.id === id);
  const turn = turns[at];
  return turn?.question === undefined || turn.outcome === outcome ? turns : turns.with(at, { ...turn, outcome });
}

/** Ends the running request; its unfinished items are kept as partial, unless the answer is done. */
function end(thread: Thread, outcome: TurnOutcome, status: 'ready' | 'error'): Thread {
  const closed = (item: Item): Item =>
    item.inProcess ? { ...item, inProcess: false, ...(outcome.state === 'done' ? {} : { partial: true }) } : item;
  const turns = turnsOf(thread).map((turn) =>
    turn.items.some(({ inProcess }) => inProcess) ? { ...turn, items: turn.items.map(closed) } : turn,
  );
  const { messageId } = thread;
  const ended: Thread = { ...thread, response: undefined, status, reconnecting: undefined };
  if (messageId === undefined && outcome.state === 'failed') return { ...ended, turns, error: outcome.error };
  return { ...ended, turns: withOutcome(turns, messageId, outcome) };
}

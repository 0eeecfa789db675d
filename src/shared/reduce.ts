/** The one reducer over threads. The host and the webview run it on the same events and hold the same thread. */
import { addDelta, settle } from './assembly.ts';
import { insertItem, replaceItem } from './items.ts';
import type { Item, Thread, ThreadEvent, TurnOutcome } from './thread.ts';
import type { MessageLine, StreamLine, ToolCall, ToolCallLine } from './wire.ts';

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
    case 'attached':
      return reopen(thread);
    case 'named':
      return { ...thread, chatId: event.chatId };
    case 'line':
      return takeLine(thread, event.line, event.time);
    case 'reconnecting':
      return { ...thread, reconnecting: { attempt: event.attempt } };
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
        status: 'error',
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
    // Ahead of all lines of its run until the echo brings the service's own number.
    sort: -1,
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
  const items = thread.items.map((item) =>
    item.inProcess || item.assembly ? { ...item, inProcess: false, assembly: undefined } : item,
  );
  const ended: Thread = { ...thread, items, status, reconnecting: undefined };
  if (thread.messageId !== undefined) return withOutcome(ended, thread.messageId, outcome);
  return outcome.state === 'failed' ? { ...ended, error: outcome.error } : ended;
}

function takeLine(thread: Thread, line: StreamLine, time: number): Thread {
  const going: Thread =
    thread.status === 'streaming' && !thread.reconnecting
      ? thread
      : { ...thread, status: 'streaming', reconnecting: undefined };
  switch (line.kind) {
    case 'cutoff':
      return line.chatId === undefined || line.chatId === going.chatId ? going : { ...going, chatId: line.chatId };
    case 'message':
    case 'toolCall':
      return takeMessage(going, line, time);
    case 'usage': {
      // Comes after the end as well, so it says nothing about the state of the run.
      const at = thread.items.findLastIndex(({ id }) => id === thread.messageId);
      const question = thread.items[at];
      return question === undefined
        ? thread
        : { ...thread, items: replaceItem(thread.items, at, { ...question, usage: line.usage }) };
    }
    case 'unknown':
      return { ...going, unknownLines: going.unknownLines + 1 };
    case 'state':
    case 'aborted':
    case 'suspended':
      // What follows from these is the session's to decide; it says so with an event of its own.
      return going;
  }
}

function takeMessage(thread: Thread, line: MessageLine | ToolCallLine, time: number): Thread {
  const at = findItem(thread, line);
  const known = thread.items[at];
  if (known === undefined) return { ...thread, items: insertItem(thread.items, firstOf(thread, line, time)) };
  if (known.role === 'user') return takeEcho(thread, at, known, line);
  const item = updated(known, line, thread.connection, time);
  return { ...thread, items: replaceItem(thread.items, at, item) };
}

function findItem(thread: Thread, line: MessageLine | ToolCallLine): number {
  const at = thread.items.findLastIndex(({ id }) => id === line.id);
  if (at >= 0 || line.role !== 'user') return at;
  // A service that echoes the question under an id of its own: still the same question.
  return thread.items.findLastIndex(
    (item) => item.id === thread.messageId && item.sort === -1 && item.content === line.content,
  );
}

/** The echo of a question settles its place; the text and images stay as they were sent. */
function takeEcho(thread: Thread, at: number, known: Item, line: MessageLine | ToolCallLine): Thread {
  if (known.run !== thread.run || known.sort >= 0 || line.sort === undefined) return thread;
  const others = thread.items.toSpliced(at, 1);
  return { ...thread, items: insertItem(others, { ...known, sort: line.sort }) };
}

function firstOf(thread: Thread, line: MessageLine | ToolCallLine, time: number): Item {
  const blank: Item = {
    id: line.id,
    role: line.role,
    content: '',
    thinking: '',
    graphPath: line.graphPath,
    inProcess: line.isInProcess,
    run: thread.run,
    sort: line.sort ?? thread.items.findLast(({ run }) => run === thread.run)?.sort ?? 0,
    time,
    updated: time,
  };
  return line.role === 'user'
    ? { ...blank, content: line.content ?? '' }
    : updated(blank, line, thread.connection, time);
}

function updated(item: Item, line: MessageLine | ToolCallLine, connection: number, time: number): Item {
  const toolCall = line.kind === 'toolCall' ? mergeToolCall(item.toolCall, line.toolCall) : item.toolCall;
  const finished = toolCall?.result !== undefined;
  const base: Item = {
    ...item,
    ...(toolCall ? { toolCall } : {}),
    graphPath: line.graphPath.length > 0 ? line.graphPath : item.graphPath,
    updated: time,
  };
  if (line.isDelta) {
    const { content, thinking, assembly } = addDelta(item, line, connection);
    // A replay of a message that is complete does not make it incomplete again.
    const repeats = content === item.content && thinking === item.thinking;
    const inProcess = !finished && line.isInProcess && (!repeats || item.inProcess);
    return { ...base, content, thinking, assembly, inProcess };
  }
  const content =
    line.content === undefined || (line.content === '' && line.kind === 'toolCall') ? item.content : line.content;
  return {
    ...base,
    content,
    thinking: line.thinking ? line.thinking : item.thinking,
    inProcess: !finished && line.isInProcess,
    assembly: settle(line, connection),
  };
}

/** A result, once there, is not taken back by a repeated start line. */
function mergeToolCall(known: ToolCall | undefined, line: ToolCall): ToolCall {
  if (known === undefined) return line;
  return { name: line.name || known.name, input: line.input ?? known.input, result: line.result ?? known.result };
}

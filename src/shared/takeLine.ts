/** What a line of the stream does to a thread (3.1–3.3). */
import { addDelta, addLate, isOvertaken, settle } from './assembly.ts';
import { insertItem, replaceItem } from './items.ts';
import type { Item, Thread, ThreadEvent } from './thread.ts';
import type { ItemLine, StreamLine, ToolCall } from './wire.ts';

export type LineEvent = Extract<ThreadEvent, { type: 'line' }>;

/** @returns the thread after one line of its stream; the same object when the line changes nothing */
export function takeLine(thread: Thread, line: StreamLine, time: number): Thread {
  if (line.kind === 'unknown') return { ...thread, unknownLines: thread.unknownLines + 1 };
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
    case 'state':
    case 'aborted':
    case 'suspended':
      // What follows from these is the session's to decide; it says so with an event of its own.
      return going;
  }
}

function takeMessage(thread: Thread, line: ItemLine, time: number): Thread {
  const at = findItem(thread, line);
  const known = thread.items[at];
  if (known === undefined) return takeFirst(thread, line, time);
  if (known.role === 'user') return takeEcho(thread, at, known, line);
  if (isUsedAgain(thread, known, line)) return takeFirst(thread, { ...line, id: idOfRun(thread, line) }, time);
  const item = updated(known, line, thread, time);
  const agreed = agreement(thread, known, line);
  const items = placed(thread.items, at, item);
  return agreed ? { ...thread, items, sortOffset: agreed } : { ...thread, items };
}

/** The items with a new version of the one at `at`, which may have moved up. */
function placed(items: readonly Item[], at: number, item: Item): readonly Item[] {
  return items[at]?.sort === item.sort ? replaceItem(items, at, item) : insertItem(items.toSpliced(at, 1), item);
}

/** An id for what a service has given the id of an item of an earlier run. */
const idOfRun = ({ run }: Thread, { id }: ItemLine): string => `${id} of run ${run}`;

/**
 * @param known an item with the id of the line
 * @returns whether the line is of this run and the item is not, so that the service uses its id again; what only
 * repeats the thread does not write anything, and says the same
 */
function isUsedAgain({ run, echoed, connection }: Thread, known: Item, line: ItemLine): boolean {
  if (known.run === run || echoed !== connection) return false;
  if (line.isDelta || line.isInProcess) return true;
  const result = line.kind === 'toolCall' ? line.toolCall.result : undefined;
  return (
    (Boolean(line.content) && line.content !== known.content) ||
    (result !== undefined && JSON.stringify(result) !== JSON.stringify(known.toolCall?.result))
  );
}

function findItem(thread: Thread, line: ItemLine): number {
  const isOfRun = thread.echoed === thread.connection || line.isDelta || line.isInProcess;
  const at = thread.items.findLastIndex(
    ({ id, run }) =>
      id === line.id || (isOfRun && run === thread.run && id.startsWith(line.id) && id === idOfRun(thread, line)),
  );
  if (at >= 0 || line.role !== 'user') return at;
  // A service that echoes the question under an id of its own: still the same question.
  return thread.items.findLastIndex(
    (item) => item.id === thread.messageId && item.sort === -1 && item.content === line.content,
  );
}

/** The echo of a question settles its place; the text and images stay as they were sent. */
function takeEcho(before: Thread, at: number, known: Item, line: ItemLine): Thread {
  const isAsked = known.id === before.messageId && before.echoed !== before.connection;
  const thread = isAsked ? { ...before, echoed: before.connection } : before;
  if (known.run !== thread.run || known.sort >= 0 || line.sort === undefined) return thread;
  const others = thread.items.toSpliced(at, 1);
  return { ...thread, items: insertItem(others, { ...known, sort: line.sort }) };
}

/**
 * A connection may number its lines anew. What it brings for the first time still comes after what was there, and
 * keeps its order among itself.
 */
function offsetOf(thread: Thread, sort: number): { connection: number; by: number } {
  const { connection, run, sortOffset } = thread;
  if (sortOffset?.connection === connection) return sortOffset;
  const newest = thread.items.at(-1);
  return { connection, by: newest?.run === run && sort <= newest.sort ? newest.sort - sort + 1 : 0 };
}

/** A connection that repeats an item under its own first number counts as the one before it did. */
function agreement({ connection, sortOffset }: Thread, known: Item, line: ItemLine): Thread['sortOffset'] {
  const isFirst = known.assembly?.connection !== connection && sortOffset?.connection !== connection;
  return isFirst && line.sort === known.sort ? { connection, by: 0 } : undefined;
}

function takeFirst(thread: Thread, line: ItemLine, time: number): Thread {
  const { run } = thread;
  const offset = line.sort === undefined ? thread.sortOffset : offsetOf(thread, line.sort);
  const newest = thread.items.at(-1);
  const item: Item = {
    id: line.id,
    role: line.role,
    content: '',
    thinking: '',
    graphPath: line.graphPath,
    inProcess: line.isInProcess,
    run,
    sort: line.sort === undefined ? Math.max(0, newest?.run === run ? newest.sort : 0) : line.sort + (offset?.by ?? 0),
    time,
    updated: time,
  };
  const first = line.role === 'user' ? { ...item, content: line.content ?? '' } : updated(item, line, thread, time);
  return { ...thread, items: insertItem(thread.items, first), ...(offset ? { sortOffset: offset } : {}) };
}

/** The first `sort` of an item; where lines overtake each other it is not that of the first line to come. */
function firstSort({ sort, assembly }: Item, line: ItemLine, { connection, sortOffset }: Thread): number {
  const isNew = assembly?.connection === connection && assembly.fresh;
  if (!isNew || line.sort === undefined || sortOffset?.connection !== connection) return sort;
  return Math.min(sort, line.sort + sortOffset.by);
}

function updated(item: Item, line: ItemLine, thread: Thread, time: number): Item {
  const { connection } = thread;
  const toolCall = line.kind === 'toolCall' ? mergeToolCall(item.toolCall, line.toolCall) : item.toolCall;
  const finished = toolCall?.result !== undefined;
  const known: Item = toolCall === item.toolCall ? item : { ...item, toolCall };
  if (isOvertaken(item, line, connection)) {
    const late: Item = { ...known, ...addLate(item, line, connection), sort: firstSort(item, line, thread) };
    return finished ? { ...late, inProcess: false } : late;
  }
  const { content, thinking, assembly } = (line.isDelta ? addDelta : settle)(item, line, connection);
  // A replay of a message that is complete does not make it incomplete again.
  const repeats = content === item.content && thinking === item.thinking;
  const inProcess = !finished && line.isInProcess && (!repeats || item.inProcess);
  const settled = known.partial && !line.isDelta && !inProcess;
  return {
    ...(settled ? { ...known, partial: false } : known),
    content,
    thinking,
    assembly,
    graphPath: line.graphPath.length > 0 ? line.graphPath : item.graphPath,
    inProcess,
    sort: firstSort(item, line, thread),
    updated: time,
  };
}

/** A result, once there, is not taken back by a repeated start line. */
function mergeToolCall(known: ToolCall | undefined, line: ToolCall): ToolCall {
  if (known === undefined) return line;
  return { name: line.name || known.name, input: line.input ?? known.input, result: line.result ?? known.result };
}

/** @param events further lines of an item that the thread has */
export function takeMore(thread: Thread, events: readonly LineEvent[]): Thread {
  const [first] = events;
  const at = first ? findItem(thread, first.line as ItemLine) : -1;
  let item = thread.items[at];
  if (item === undefined || item.role === 'user') return thread;
  for (const { line, time } of events) item = updated(item, line as ItemLine, thread, time);
  return { ...thread, items: placed(thread.items, at, item) };
}

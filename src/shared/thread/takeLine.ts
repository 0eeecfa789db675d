/** What a line of the stream does to a thread (3.1–3.3). */
import { addDelta, addLate, isOvertaken, settle } from './assembly.ts';
import { insertItem, lastNamed, moveItem, newestOf, newId, replaceItem } from './items.ts';
import { agreeing, firstSort, offsetOf } from './numbering.ts';
import { endOlder, mayBeOf, shownRun, takeMarker, takeQuestion } from './questions.ts';
import type { Item, Thread, ThreadEvent } from './model.ts';
import type { ItemLine, StreamLine, ToolCall } from '../wire.ts';

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
      return takeMarker(going, line);
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

function takeMessage(before: Thread, line: ItemLine, time: number): Thread {
  if (line.role === 'user') return takeQuestion(before, line, time);
  const thread = endOlder(before, line);
  const at = findItem(thread, line);
  const known = thread.items[at];
  if (known === undefined) return isRepeated(thread, line) ? thread : takeFirst(thread, line, time);
  const next = { ...thread, items: placed(thread.items, at, updated(known, line, thread, time)) };
  return agreeing(next, at, known, line);
}

/** A service may use an id again: what is not being generated is looked for in the answer that the line is of. */
function findItem(thread: Thread, { id, role }: ItemLine): number {
  const { connection, items } = thread;
  const isGoing = ({ inProcess, assembly }: Item): boolean => inProcess && assembly?.connection === connection;
  return lastNamed(items, id, (item) => item.role === role && (mayBeOf(thread, item.run) || isGoing(item)));
}

/** @returns whether a line of the thread's history only says what another answer has under the same id */
function isRepeated(thread: Thread, line: ItemLine): boolean {
  if (line.isDelta || line.isInProcess || !thread.shown?.isHistory) return false;
  const { content = '', id, role } = line;
  const result = JSON.stringify(line.kind === 'toolCall' ? line.toolCall.result : undefined);
  const isSaid = (item: Item): boolean =>
    item.role === role && item.content === content && JSON.stringify(item.toolCall?.result) === result;
  return lastNamed(thread.items, id, isSaid) >= 0;
}

/** @returns the items with a new version of the one at `at`, which may have moved up */
const placed = (items: readonly Item[], at: number, item: Item): readonly Item[] =>
  (items[at]?.sort === item.sort ? replaceItem : moveItem)(items, at, item);

/** What has no number comes after what was there, and leaves room for what may be found between them. */
const STEP = 2 ** -10;

function takeFirst(thread: Thread, line: ItemLine, time: number): Thread {
  const { items } = thread;
  const run = shownRun(thread) ?? thread.run;
  const offset = offsetOf(thread, run, line.sort);
  const item: Item = {
    id: newId(items, line.id, run),
    role: line.role,
    content: '',
    thinking: '',
    graphPath: line.graphPath,
    inProcess: line.isInProcess,
    run,
    sort: line.sort === undefined ? Math.max(0, newestOf(items, run)?.sort ?? 0) + STEP : line.sort + (offset?.by ?? 0),
    time,
    updated: time,
  };
  const next = { ...thread, items: insertItem(items, updated(item, line, thread, time)) };
  return offset ? { ...next, sortOffset: offset } : next;
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
  const first = lowest(item, line, connection);
  // A replay of a message that is complete does not make it incomplete again.
  const repeats = content === item.content && thinking === item.thinking;
  const inProcess = !finished && line.isInProcess && (!repeats || item.inProcess);
  const settled = known.partial && !line.isDelta && !inProcess;
  return {
    ...(settled ? { ...known, partial: false } : known),
    content,
    thinking,
    assembly: first === assembly.first ? assembly : { ...assembly, first },
    graphPath: line.graphPath.length > 0 ? line.graphPath : item.graphPath,
    inProcess,
    sort: firstSort(item, line, thread),
    // A clock that is set back does not make what came last the older.
    updated: Math.max(time, item.updated),
  };
}

function lowest({ assembly }: Item, { sort }: ItemLine, connection: number): number | undefined {
  const { first } = assembly?.connection === connection ? assembly : {};
  return first === undefined || (sort ?? first) < first ? sort : first;
}

/** A result, once there, is not taken back by a repeated start line. */
function mergeToolCall(known: ToolCall | undefined, line: ToolCall): ToolCall {
  if (known === undefined) return line;
  return { name: line.name || known.name, input: line.input ?? known.input, result: line.result ?? known.result };
}

/** @param events further lines of the item that the line before them was of */
export function takeMore(thread: Thread, events: readonly LineEvent[]): Thread {
  const [first] = events;
  const at = first ? findItem(thread, first.line as ItemLine) : -1;
  let item = thread.items[at];
  // What was only repeated has made no item, and an older turn or that of another answer may end with each line.
  if (item === undefined || thread.shown?.isHistory || !mayBeOf(thread, item.run))
    return events.reduce((next, { line, time }) => takeLine(next, line, time), thread);
  for (const { line, time } of events) item = updated(item, line as ItemLine, thread, time);
  return { ...thread, items: placed(thread.items, at, item) };
}

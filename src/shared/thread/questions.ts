/** Whose answer the lines of a connection are of: that to the question which it has shown last. */
import { inOrder, insertItem, lastNamed, newId, replaceItem } from './items.ts';
import type { Item, Thread } from './model.ts';
import { MESSAGE_ID, type CutoffLine, type ItemLine } from '../wire.ts';

/** Number of a question that no line has repeated yet: ahead of all lines of its run. */
export const UNECHOED = -1;

/** @returns the run of the question that this connection has shown last; undefined before one, and after the marker */
export const shownRun = ({ shown, connection }: Thread): number | undefined =>
  shown?.connection === connection ? shown.run : undefined;

/** @returns whether what this connection sends now may be of that run */
export function mayBeOf({ shown, connection }: Thread, run: number): boolean {
  if (shown?.connection !== connection) return true;
  return shown.run === undefined ? run >= (shown.from ?? 0) : run === shown.run;
}

const runningQuestion = ({ items, messageId }: Thread): number =>
  messageId === undefined ? -1 : lastNamed(items, messageId, ({ id }) => id === messageId);

/** The marker ends what is repeated of the thread: what follows is new. */
export function takeMarker(thread: Thread, { chatId = thread.chatId }: CutoffLine): Thread {
  const named = chatId === thread.chatId ? thread : { ...thread, chatId };
  const next = behindOthers(named);
  const from = next.items[runningQuestion(next)]?.run;
  return { ...next, shown: { connection: thread.connection, from } };
}

/** What stays known of the connection when it shows another question: where its marker stood. */
const markedBy = ({ shown, connection }: Thread): NonNullable<Thread['shown']> =>
  shown?.connection === connection ? { connection, from: shown.from } : { connection };

/** A question that the thread has tells whose answer follows; any other begins a run of its own. */
export function takeQuestion(thread: Thread, line: ItemLine, time: number): Thread {
  const { connection, items, messageId } = thread;
  const at = findQuestion(thread, line);
  const known = items[at];
  if (known === undefined) return takeNew(thread, line, time);
  const isNew = known.sort === UNECHOED || !(known.id === line.id || known.echo === line.id);
  const isHistory = known.id !== messageId;
  const echo = { sort: 0, ...(line.id === known.id ? {} : { echo: line.id }) };
  if (isHistory || !isNew) {
    const named = known.sort === UNECHOED ? replaceItem(items, at, { ...known, ...echo }) : items;
    return { ...thread, items: named, shown: { ...markedBy(thread), run: known.run, isHistory } };
  }
  const next = behindOthers(thread, echo);
  return { ...next, shown: { connection, run: known.sort === UNECHOED ? next.run : known.run } };
}

function findQuestion({ items, messageId, shown, connection }: Thread, { id, content }: ItemLine): number {
  const named = lastNamed(items, id, (item) => item.role === 'user');
  const here = shown?.connection === connection ? shown : undefined;
  if (named >= 0 || (here?.run !== undefined && !here.isHistory)) return named;
  // After the marker comes the echo; some services give it an id of its own.
  const isSame = (item: Item): boolean => item.id === messageId && item.content === content;
  const running = here?.from === undefined ? -1 : items.findLastIndex(isSame);
  if (here?.run === undefined && running >= 0) return running;
  if (MESSAGE_ID.test(id)) return -1;
  // They do so in what they repeat of the thread, too: what was stopped before its echo is known by its words there.
  const before = here ? items.findLastIndex(({ run }) => run === here.run) : -1;
  const isUnnamed = (item: Item): boolean => item.sort === UNECHOED && item.content === content;
  const at = items.slice(before + 1).findIndex((item) => isUnnamed(item) && item.id !== messageId);
  if (at >= 0) return before + 1 + at;
  const last = items[running];
  return last && isUnnamed(last) ? running : -1;
}

/** Room for as many turns between two others; a number of runs. */
const STEP = 2 ** -20;

/** What others have asked comes after the turn that is repeated ahead of it, and so before those that follow that here. */
function newRun(thread: Thread): number {
  const { items } = thread;
  const before = shownRun(thread) ?? thread.run;
  const after = items[items.findLastIndex(({ run }) => run <= before) + 1]?.run;
  return after === undefined ? thread.run + 1 : before + Math.min(STEP, (after - before) / 2);
}

function takeNew(thread: Thread, line: ItemLine, time: number): Thread {
  const { items } = thread;
  const run = newRun(thread);
  const question: Item = {
    id: newId(items, line.id, run),
    role: 'user',
    content: line.content ?? '',
    thinking: '',
    graphPath: line.graphPath,
    inProcess: false,
    run,
    sort: 0,
    time,
    updated: time,
  };
  const shown = { ...markedBy(thread), run, isHistory: true };
  return { ...thread, run: Math.max(run, thread.run), items: insertItem(items, question), shown };
}

/**
 * Some services repeat older turns and never the running question: what is being written, and what another connection
 * has brought of its answer, ends them.
 */
export function endOlder(thread: Thread, { id, role, isDelta, isInProcess }: ItemLine): Thread {
  const { connection, items, shown } = thread;
  if (shown?.connection !== connection || !shown.isHistory) return thread;
  const question = items[runningQuestion(thread)];
  if (question === undefined) return thread;
  const isOf = (run: number | undefined, without: (item: Item) => boolean): boolean =>
    lastNamed(items, id, (item) => item.role === role && item.run === run && !without(item)) >= 0;
  const isFrom = ({ assembly }: Item): boolean => assembly?.connection === connection;
  const isMissing = question.sort === UNECHOED || shown.from !== undefined;
  const isWritten = isMissing && (isDelta || isInProcess);
  // What has come whole as a part of an older turn is not written any more: another message has the same id.
  if (isOf(shown.run, (item) => isWritten && isFrom(item) && !item.inProcess)) return thread;
  if (!isWritten && !isOf(question.run, isFrom)) return thread;
  const next = behindOthers(thread);
  return { ...next, shown: { connection, run: next.items[runningQuestion(next)]?.run ?? next.run } };
}

/** What others have asked is shown before the running question: until that is repeated, it comes after them with its answer. */
function behindOthers(thread: Thread, echo?: Pick<Item, 'sort' | 'echo'>): Thread {
  const { items } = thread;
  const at = runningQuestion(thread);
  const question = items[at];
  if (question === undefined) return thread;
  if (question.sort === UNECHOED && question.run < thread.run) {
    const run = thread.run + 1;
    const behind = (item: Item): Item =>
      item.run === question.run ? { ...item, ...(item === question ? echo : {}), run } : item;
    return { ...thread, run, items: items.map(behind).sort(inOrder) };
  }
  return echo ? { ...thread, items: replaceItem(items, at, { ...question, ...echo }) } : thread;
}

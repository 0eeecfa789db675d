/** Reads a thread as turns: a question, the steps the agent took, and the final answer (3.4). */
import { isNamed } from './items.ts';
import { readToolPayload, type SqlQueryPayload, type ToolPayload } from '../wire/toolPayloads.ts';
import type { Item, Thread } from './model.ts';

export interface Turn {
  /** Stable over the life of the turn. */
  key: string;
  question?: Item;
  /** Everything between question and answer, in order: reasoning, tool calls, remarks on the way. */
  steps: readonly Item[];
  answer?: Item;
}

/** 3.4: role assistant, `graphPath[0]` is `final`, at most two nodes. */
const isFinal = (item: Item): boolean =>
  item.role === 'assistant' && item.graphPath[0] === 'final' && item.graphPath.length <= 2;

const isText = (item: Item): boolean =>
  item.role === 'assistant' && item.toolCall === undefined && item.content.trim() !== '';

/** While an answer is being consolidated it repeats what an earlier message says, from its start. */
function repeats(step: Item, answer: Item): boolean {
  const said = step.content.trim();
  const final = answer.content.trim();
  return step.toolCall === undefined && final !== '' && (answer.inProcess ? said.startsWith(final) : said === final);
}

function readTurn(question: Item | undefined, items: readonly Item[], running: boolean): Turn {
  const final = items.findLast((item) => isFinal(item) && item.content.trim() !== '');
  const fallback = (): Item | undefined => {
    const last = items.findLast(isText);
    // Text that is followed by a tool call was a remark on the way, unless nothing better ever comes.
    return running && last !== items.at(-1) ? undefined : last;
  };
  let answer = final ?? fallback();
  if (final !== undefined && answer !== undefined) {
    const said = items.find((item) => item !== final && isText(item) && repeats(item, final));
    // The same text twice: the earlier one stays where it is being read until the final one says more.
    if (said !== undefined && final.inProcess) answer = said;
  }
  const shown = answer;
  const steps = items.filter(
    (item) =>
      item !== shown &&
      !(shown !== undefined && isText(item) && (item === final || repeats(item, shown)) && item.thinking === ''),
  );
  const first = question ?? items[0];
  return { key: first?.id ?? '', ...(question ? { question } : {}), steps, ...(answer ? { answer } : {}) };
}

const known = new WeakMap<Item, { items: readonly Item[]; running: boolean; turn: Turn }>();

/** The same items give the same turn object, so that a view redraws only what changed. */
function turnOf(question: Item | undefined, items: readonly Item[], running: boolean): Turn {
  const holder = question ?? items[0];
  if (holder === undefined) return readTurn(question, items, running);
  const before = known.get(holder);
  const same =
    before !== undefined &&
    before.running === running &&
    before.items.length === items.length &&
    before.items.every((item, index) => item === items[index]);
  if (same) return before.turn;
  const turn = readTurn(question, items, running);
  known.set(holder, { items, running, turn });
  return turn;
}

/** @returns the turns of a thread in order; items that no question precedes form a turn without one */
export function turnsOf(thread: Thread): Turn[] {
  const turns: Turn[] = [];
  let question: Item | undefined;
  let items: Item[] = [];
  const busy = isRunning(thread);
  const close = (last: boolean): void => {
    if (question !== undefined || items.length > 0) turns.push(turnOf(question, items, busy && last));
  };
  for (const item of thread.items) {
    if (item.role === 'user') {
      close(false);
      question = item;
      items = [];
    } else items.push(item);
  }
  close(true);
  return turns;
}

/**
 * @returns `whole` when the last question has its final answer, `plausible` when it has some answer and nothing is
 * still being generated, else `open`
 */
export function completenessOf(thread: Thread): 'whole' | 'plausible' | 'open' {
  const last = turnsOf(thread).at(-1);
  const isOpen = ({ inProcess, partial, run }: Item): boolean => inProcess || (partial === true && run === thread.run);
  if (last?.answer === undefined || thread.items.some(isOpen)) return 'open';
  return isFinal(last.answer) ? 'whole' : 'plausible';
}

/** @returns a number that grows with everything that the thread's last run brings, and with nothing else */
export function measureOf(thread: Thread): number {
  let size = 0;
  for (let at = thread.items.length - 1; at >= 0; at -= 1) {
    const item = thread.items[at];
    if (item === undefined || item.run !== thread.run) break;
    size += 1 + item.content.length + item.thinking.length;
    if (!item.inProcess) size += 1;
    if (item.toolCall?.result !== undefined) size += 1;
  }
  return size;
}

/**
 * @param name as the service calls an item
 * @returns where it stands in the answer to the thread's last question; `none` while there is no answer at all
 */
export function placeOf({ items }: Thread, name: string): 'first' | 'later' | 'unknown' | 'none' {
  const answer = items.slice(items.findLastIndex(({ role }) => role === 'user') + 1);
  if (answer.length === 0) return 'none';
  const at = answer.findIndex((item) => isNamed(item, name));
  return at < 0 ? 'unknown' : at === 0 ? 'first' : 'later';
}

export const isRunning = (thread: Thread): boolean => thread.status === 'submitted' || thread.status === 'streaming';

const payloads = new WeakMap<object, ToolPayload>();

/** @returns the payload of an item's tool call, read once for each version of it */
export function payloadOf(item: Item): ToolPayload | undefined {
  if (item.toolCall === undefined) return undefined;
  let payload = payloads.get(item.toolCall);
  if (payload === undefined) payloads.set(item.toolCall, (payload = readToolPayload(item.toolCall)));
  return payload;
}

/** A query of the thread that has SQL to give. */
export interface GeneratedSql {
  toolCallId: string;
  payload: SqlQueryPayload;
  question?: Item;
}

/** @returns the queries among the steps of a turn, in order */
export const queriesOf = (steps: readonly Item[]): GeneratedSql[] =>
  steps.flatMap((item) => {
    const payload = payloadOf(item);
    return payload?.kind === 'sqlQuery' && payload.sqlQuery !== '' ? [{ toolCallId: item.id, payload }] : [];
  });

/** @returns all generated SQL of the thread, oldest first */
export function generatedSql(thread: Thread): GeneratedSql[] {
  const found: GeneratedSql[] = [];
  let question: Item | undefined;
  for (const item of thread.items) {
    if (item.role === 'user') question = item;
    for (const query of queriesOf([item])) found.push({ ...query, ...(question ? { question } : {}) });
  }
  return found;
}

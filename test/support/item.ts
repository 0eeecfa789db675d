import type { Item, Question, Thread, Turn } from '../../src/shared/thread/model.ts';
import { turnsOf } from '../../src/shared/thread/turns.ts';

/** Makes an item of a turn; by default it is complete and without text. */
export const makeItem = (id: string, fields: Partial<Item> = {}): Item => ({
  id,
  content: '',
  thinking: '',
  graphPath: [],
  inProcess: false,
  sort: 1,
  time: 0,
  updated: 0,
  ...fields,
});

/** Makes a turn with a question. */
export const makeTurn = (question: Partial<Question> & { id: string }, items: readonly Item[] = []): Turn => ({
  id: question.id,
  question: { ...{ id: question.id, content: '', time: 0 }, ...question },
  items,
});

/** Adds items to the last turn of a thread, or to a new turn if there is none. */
export function withItems(thread: Thread, ...items: readonly Item[]): Thread {
  const last = thread.turns.at(-1) ?? { id: '', items: [] };
  return { ...thread, turns: [...thread.turns.slice(0, -1), { ...last, items: [...last.items, ...items] }] };
}

/** A question or an item in a flat list. */
export interface Message extends Item, Pick<Question, 'images' | 'context' | 'echo'>, Pick<Turn, 'outcome' | 'usage'> {
  role: 'user' | 'assistant';
}

/** The questions and items of a thread in display order; a question has the outcome and usage of its turn. */
export const flat = (thread: Thread): Message[] =>
  turnsOf(thread).flatMap(({ question, items, outcome, usage }) => [
    ...(question
      ? [{ ...makeItem(question.id, { updated: question.time }), ...question, outcome, usage, role: 'user' as const }]
      : []),
    ...items.map((item) => ({ ...item, role: 'assistant' as const })),
  ]);

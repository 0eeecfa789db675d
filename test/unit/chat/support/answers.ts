/** Lines of an answer as the service writes them. */
import type { Asked } from '../../api/support/service.ts';

export const cutoff = (chatId = 'c1', isStreaming = false): object => ({
  id: '__cutoff__',
  role: 'assistant',
  sort: 0,
  state: { chatId, isStreaming },
});
export const echo = ({ body }: Asked): object => ({
  id: body.messageId,
  role: 'user',
  content: body.input,
  isDelta: false,
  isInProcess: false,
  sort: 1,
});
export const delta = (content: string, sort: number, id = 'f'): object => ({
  id,
  role: 'assistant',
  content,
  graphPath: ['final'],
  isDelta: true,
  isInProcess: true,
  sort,
});
export const final = (content: string, sort = 99, id = 'f'): object => ({
  ...delta(content, sort, id),
  isDelta: false,
  isInProcess: false,
});
export const state = { id: '__state__', role: 'assistant', isDelta: false, state: { messages: [] } };

/** A complete answer of one text, in deltas of one word each. */
export function answer(asked: Asked, text: string, { chatId = 'c1', settles = true } = {}): object[] {
  const id = `f-${String(asked.body.messageId)}`;
  const words = text.split(/(?<= )/);
  return [
    cutoff(chatId),
    echo(asked),
    ...words.map((word, at) => delta(word, at + 2, id)),
    ...(settles ? [final(text, words.length + 2, id)] : []),
    state,
  ];
}

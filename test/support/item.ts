import type { Item } from '../../src/shared/thread/model.ts';

/** An item of a thread: the assistant's, finished and without words, except for what is given. */
export const makeItem = (id: string, fields: Partial<Item> = {}): Item => ({
  id,
  role: 'assistant',
  content: '',
  thinking: '',
  graphPath: [],
  inProcess: false,
  run: 1,
  sort: 1,
  time: 0,
  updated: 0,
  ...fields,
});

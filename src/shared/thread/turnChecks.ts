/** Checks of turns from a file. */
import {
  flag,
  image,
  isFields,
  isThreadError,
  isTimestamp,
  listOf,
  maybe,
  number,
  shape,
  questionContext,
  text,
  type Check,
} from '../text/checks.ts';
import { TOKEN_COUNTS } from '../wire/streamLines.ts';
import type { Item, Turn } from './model.ts';

/** @returns the same check for several fields */
export const each = (check: Check, ...names: string[]): Record<string, Check> =>
  Object.fromEntries(names.map((name) => [name, check]));

const question = shape({
  ...each(text, 'id', 'content'),
  time: isTimestamp,
  images: maybe(listOf(image)),
  context: maybe(questionContext),
  echo: maybe(text),
});
const outcome: Check = (value) =>
  isFields(value) &&
  (value.state === 'done' ||
    (value.state === 'stopped' && text(value.service)) ||
    (value.state === 'failed' && isThreadError(value.error)));
const usage = shape(each(maybe(number), ...TOKEN_COUNTS, 'totalTokens'));
const item = shape({
  ...each(text, 'id', 'content', 'thinking'),
  toolCall: maybe(shape({ name: text })),
  graphPath: listOf(text),
  inProcess: flag,
  partial: maybe(flag),
  sort: number,
  ...each(isTimestamp, 'time', 'updated'),
});
const turn = shape({
  ...{ id: text, question: maybe(question), outcome: maybe(outcome), usage: maybe(usage) },
  items: listOf(item),
});

export const isItem = (value: unknown): value is Item => item(value);
export const isTurn = (value: unknown): value is Turn => turn(value);

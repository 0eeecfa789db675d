/** The checks of items and turns in every version of the files, and the choice between two versions of an item. */
import {
  flag,
  isFields,
  isThreadError,
  isTimestamp,
  listOf,
  maybe,
  number,
  shape,
  text,
  type Check,
} from '../../../shared/text/checks.ts';
import type { Item } from '../../../shared/thread/model.ts';

export const outcome: Check = (value) =>
  isFields(value) &&
  (value.state === 'done' ||
    (value.state === 'stopped' && text(value.service)) ||
    (value.state === 'failed' && isThreadError(value.error)));
const tokens = maybe(number);
export const usage = shape({ inputTokens: tokens, outputTokens: tokens, totalTokens: tokens });
export const itemFields: Record<string, Check> = {
  id: text,
  content: text,
  thinking: text,
  toolCall: maybe(shape({ name: text })),
  graphPath: listOf(text),
  inProcess: flag,
  partial: maybe(flag),
  sort: number,
  time: isTimestamp,
  updated: isTimestamp,
};

/** Whether an item replaces an earlier version of it in the file. */
export function supersedes(item: Item, known: Item): boolean {
  // A closing host may write a partial item after another host has written the complete one.
  if (item.inProcess !== known.inProcess) {
    const [open, settled] = item.inProcess ? [item, known] : [known, item];
    if (lengthOf(open) < lengthOf(settled)) return settled === item;
  }
  return item.updated >= known.updated;
}

const lengthOf = ({ content, thinking }: Item): number => content.length + thinking.length;

/** Whether a connection has brought an answer on. */
import type { Item, Thread } from '../../shared/thread/model.ts';
import { measureOf } from '../../shared/thread/turns.ts';

const hasGrown = (item: Item, before: Item): boolean =>
  item.content.length > before.content.length ||
  item.thinking.length > before.thinking.length ||
  (before.inProcess && !item.inProcess) ||
  (item.toolCall?.result !== undefined && before.toolCall?.result === undefined);

/** @returns whether all that an item says stands in the other one already */
const repeats = ({ role, content, thinking, toolCall }: Item, other: Item): boolean =>
  role === other.role &&
  other.content.startsWith(content) &&
  other.thinking.startsWith(thinking) &&
  toolCall?.name === other.toolCall?.name &&
  JSON.stringify(toolCall?.input) === JSON.stringify(other.toolCall?.input) &&
  (toolCall?.result === undefined || other.toolCall?.result !== undefined);

/**
 * @param before the thread as it was before the connection
 * @returns whether its last run has more than it had; the same once more under other ids is nothing more
 */
export function hasProgressed(before: Thread, after: Thread): boolean {
  if (measureOf(after) <= measureOf(before)) return false;
  const known = before.items.filter(({ run }) => run === after.run);
  const byId = new Map(known.map((item) => [item.id, item]));
  return after.items.some((item) => {
    if (item.run !== after.run) return false;
    const same = byId.get(item.id);
    return same ? hasGrown(item, same) : !known.some((other) => repeats(item, other));
  });
}

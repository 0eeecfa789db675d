/** A thread as it travels to a replica. */
import type { Item, Thread } from './thread.ts';

/**
 * @returns the thread with the chains of deltas cut off: they can be thousands of links long, and a replica that
 * begins with the text so far only needs to know what the next delta follows
 */
export function portableThread(thread: Thread): Thread {
  if (thread.items.every(({ assembly }) => assembly === undefined)) return thread;
  return { ...thread, items: thread.items.map(portableItem) };
}

function portableItem(item: Item): Item {
  const { assembly } = item;
  if (assembly === undefined) return item;
  return {
    ...item,
    assembly: {
      ...assembly,
      heldContent: item.content,
      heldThinking: item.thinking,
      repeatable: false,
      last: undefined,
    },
  };
}

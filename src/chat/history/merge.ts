/**
 * Merges a thread that another window, or a program that synchronizes files, has saved since this process last read or
 * saved it. Of two versions of an item the one with the later `updated` wins, but a partial item never replaces a
 * complete one.
 */
import type { Item, Thread, Turn } from '../../shared/thread/model.ts';
import { timeOf } from './storedThread.ts';

/** The parts of a thread that its session last read or saved; unchanged parts are the same objects. */
export type Known = Pick<Thread, 'turns' | 'queue'>;

export const nothing: Known = { turns: [], queue: [] };

/**
 * @param theirs the thread in the file
 * @param ours the thread of the session
 */
export function mergeThreads(theirs: Thread, ours: Thread, known: Known): Thread {
  // The window that asked last knows the state of the answer.
  const last = lastAsked(theirs) > lastAsked(ours) ? theirs : ours;
  const chatId = last.chatId ?? theirs.chatId ?? ours.chatId;
  return {
    ...last,
    ...(chatId === undefined ? {} : { chatId }),
    turns: mergeTurns(theirs.turns, ours.turns, known.turns),
    queue: ours.queue === known.queue ? theirs.queue : ours.queue,
  };
}

const lastAsked = ({ turns }: Thread): number => turns.reduce((last, turn) => Math.max(last, timeOf(turn)), 0);

/** Turns that two windows have added after the same turn are ordered by time. */
function mergeTurns(theirs: readonly Turn[], ours: readonly Turn[], known: readonly Turn[]): readonly Turn[] {
  const before = new Map(known.map((turn) => [turn.id, turn]));
  const mine = new Map(ours.map((turn) => [turn.id, turn]));
  const merged = theirs.flatMap((turn) => {
    const [own, base] = [mine.get(turn.id), before.get(turn.id)];
    // A turn that was known here, and no longer is, was removed here.
    if (own === undefined) return base ? [] : [turn];
    if (turn === base) return [own];
    return [own === base ? turn : mergeTurn(turn, own)];
  });
  let at = 0;
  for (const turn of ours) {
    const place = merged[at]?.id === turn.id ? at : merged.findIndex(({ id }) => id === turn.id);
    if (place >= 0) at = place + 1;
    // A turn that is unchanged here, and no longer in the file, was removed in another window.
    else if (before.get(turn.id) !== turn) {
      for (let next = merged[at]; next && !mine.has(next.id) && timeOf(next) <= timeOf(turn); next = merged[at])
        at += 1;
      merged.splice(at, 0, turn);
      at += 1;
    }
  }
  return merged;
}

function mergeTurn(theirs: Turn, ours: Turn): Turn {
  const items = new Map(ours.items.map((item) => [item.id, item]));
  for (const item of theirs.items) {
    const own = items.get(item.id);
    if (own === undefined || !supersedes(own, item)) items.set(item.id, item);
  }
  const given = Object.fromEntries(Object.entries(ours).filter(([, value]) => value !== undefined)) as Partial<Turn>;
  return { ...theirs, ...given, items: [...items.values()] };
}

/** Whether an item replaces an earlier saved version of it. */
export function supersedes(item: Item, saved: Item): boolean {
  // A closing host may save a partial item after another host has saved the complete one.
  if (item.inProcess !== saved.inProcess) {
    const [open, settled] = item.inProcess ? [item, saved] : [saved, item];
    if (lengthOf(open) < lengthOf(settled)) return settled === item;
  }
  return item.updated >= saved.updated;
}

const lengthOf = ({ content, thinking }: Item): number => content.length + thinking.length;

/** Rebuilds turns from their records, and restores their order. */
import type { Item, Turn } from '../../../shared/thread/model.ts';
import type { StoredTurn } from './records.ts';

export const storedTurn = (turn: Turn, after: string | undefined): StoredTurn => ({
  ...turn,
  after,
  items: turn.items.map(({ id }) => id),
});

export const timeOf = ({ question }: Pick<Turn, 'question'>): number => question?.time ?? 0;

/**
 * @param stored turns without their items, by id
 * @param items the newest version of each item, by turn id and item id
 */
export function turnsFrom(
  stored: ReadonlyMap<string, StoredTurn>,
  items: ReadonlyMap<string, ReadonlyMap<string, { item: Item }>>,
): Map<string, Turn> {
  const turns = new Map<string, Turn>();
  for (const id of new Set([...stored.keys(), ...items.keys()])) {
    const turn: Omit<StoredTurn, 'items'> = stored.get(id) ?? { id };
    const places = new Map(stored.get(id)?.items.map((item, at) => [item, at]));
    const placeOf = (item: Item): number => places.get(item.id) ?? places.size;
    const { question, outcome, usage } = turn;
    const all = [...(items.get(id)?.values() ?? [])].map(({ item }) => item);
    const sorted = all.sort((a, b) => placeOf(a) - placeOf(b));
    turns.set(id, plain({ id, question, items: sorted, outcome, usage }));
  }
  return turns;
}

/**
 * Orders turns by the links to their predecessors. Turns with the same predecessor, asked in two windows at once, are
 * ordered by time.
 */
export function chained(turns: ReadonlyMap<string, Turn>, links: ReadonlyMap<string, string | undefined>): Turn[] {
  const followers = Map.groupBy(
    [...turns.values()].sort((a, b) => timeOf(a) - timeOf(b)),
    ({ id }) => {
      const after = links.get(id);
      return after !== undefined && turns.has(after) ? after : undefined;
    },
  );
  const result = new Map<string, Turn>();
  const waiting = (followers.get(undefined) ?? []).toReversed();
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    result.set(next.id, next);
    waiting.push(...(followers.get(next.id) ?? []).toReversed());
  }
  // Append turns whose links form a cycle.
  return [...new Map([...result, ...turns]).values()];
}

/** Omits undefined fields, so that a turn equals the one that is read from JSON. */
const plain = ({ question, outcome, usage, ...turn }: Turn): Turn => ({
  ...turn,
  ...(question ? { question } : {}),
  ...(outcome ? { outcome } : {}),
  ...(usage ? { usage } : {}),
});

/** Choices that look random: the same seed gives the same shop on every machine. */
import { seeded } from '../../support/random.ts';

export interface Random {
  /** @returns a number from 0 to below 1 */
  next(): number;
  /** @returns a whole number from `low` to `high`, both included */
  between(low: number, high: number): number;
  /** @returns one of the entries, each as likely as its weight says */
  pick<T>(entries: readonly (readonly [T, number])[]): T;
  /** @returns one of the entries, all equally likely */
  any<T>(entries: readonly T[]): T;
}

export function createRandom(seed: number): Random {
  const next = seeded(seed);
  const at = <T>(entries: readonly T[], index: number): T => {
    const entry = entries[index];
    if (entry === undefined) throw new RangeError('nothing to pick from');
    return entry;
  };
  return {
    next,
    between: (low, high) => low + Math.floor(next() * (high - low + 1)),
    any: (entries) => at(entries, Math.floor(next() * entries.length)),
    pick: (entries) => {
      let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [value, weight] of entries) {
        left -= weight;
        if (left < 0) return value;
      }
      return at(entries, entries.length - 1)[0];
    },
  };
}

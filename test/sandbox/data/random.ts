/** Pseudorandom choices: the same seed gives the same data on every machine. */
import { seeded } from '../../support/random.ts';

export interface Random {
  /** @returns a number in `[0, 1)` */
  next(): number;
  /** @returns an integer from `low` to `high`, both included */
  between(low: number, high: number): number;
  /** @returns one of the entries, with a probability proportional to its weight */
  pick<T>(entries: readonly (readonly [T, number])[]): T;
  /** @returns one of the entries, with equal probability */
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

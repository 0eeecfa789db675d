/** A small generator of pseudo-random numbers: the same seed gives the same shop on every machine. */
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

/** Mulberry32: 32 bits of state, good enough for a shop. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
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

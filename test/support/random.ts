/** @returns a generator of pseudorandom numbers in `[0, 1)`, identical for the same seed on every machine */
export function seeded(seed: number): () => number {
  // Mulberry32: 32 bits of state are enough for tests and for demo data.
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

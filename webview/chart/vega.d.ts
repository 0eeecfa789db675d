import 'vega';

/** Exported by Vega, absent from its types. */
declare module 'vega' {
  /** Replaces the source of all random numbers. */
  export function setRandom(random: () => number): void;
  /** @returns numbers from 0 to 1 that are the same for the same seed */
  export function randomLCG(seed: number): () => number;
}

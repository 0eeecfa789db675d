/** @returns a generator of pseudo-random integers below the given bound, the same for the same seed */
export function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** @returns the number of runs, from an environment variable, or a small default */
export function repetitions(variable: string, few: number): number {
  return Number(process.env[variable] ?? few);
}

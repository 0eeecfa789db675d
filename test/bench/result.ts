/** What a benchmark hands back. */
export interface Result {
  /** What was measured, and on which workload. */
  name: string;
  value: number;
  unit: string;
  /** To the one thing that the benchmark names as its measure. */
  ratio?: number;
  /** The value divided by that of each peer, or of the limit, in the same run. */
  ratios?: Record<string, number>;
}

export interface Bench {
  row: string;
  results: Result[];
}

/** @returns the value that so large a part of all values does not exceed */
export function quantile(values: readonly number[], part: number): number {
  return values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) * part)] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** @returns the median of `ours`, beside the medians of the others */
export function compared(name: string, unit: string, samples: Record<string, readonly number[]>): Result {
  const { ours = [], ...others } = samples;
  const value = median(ours);
  const ratios = Object.fromEntries(Object.entries(others).map(([peer, values]) => [peer, value / median(values)]));
  return { name, value, unit, ratios };
}

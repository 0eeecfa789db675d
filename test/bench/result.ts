/** The result of a benchmark. */
export interface Result {
  /** The metric and its workload. */
  name: string;
  value: number;
  unit: string;
  /** Compared with the reference that the benchmark names. */
  ratio?: number;
  /** The value divided by that of each peer, or of the limit, in the same run. */
  ratios?: Record<string, number>;
  /** Shown if the result misses its goal. */
  profile?: Profile;
}

/**
 * A benchmark, in its own process. What it reports before its end is kept if it is stopped for its time, or fails.
 * @returns the results that it has not reported
 */
export type Bench = (report: (results: readonly Result[]) => void) => Promise<readonly Result[]>;

/** Breakdown of the value, for ours and for the peers that explain it. */
export interface Profile {
  unit: string;
  of: Record<string, Parts>;
}

export type Parts = Readonly<Record<string, number>>;

/** @returns the median of each part over several measurements */
export function profileOf(unit: string, samples: Readonly<Record<string, readonly Parts[]>>): Profile {
  return { unit, of: mapped(samples, medians) };
}

function medians(samples: readonly Parts[]): Parts {
  return mapped(samples[0] ?? {}, (_, part) => median(samples.map((each) => each[part] ?? Number.NaN)));
}

/** @returns a record with the same keys */
export function mapped<V, W>(
  record: Readonly<Record<string, V>>,
  to: (value: V, name: string) => W,
): Record<string, W> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, to(value, name)]));
}

/** @returns the quantile: the value that this share of all values does not exceed */
export function quantile(values: readonly number[], part: number): number {
  return values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) * part)] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** @returns the median or another quantile of `ours`, with those of the others */
export function compared(name: string, unit: string, samples: Record<string, readonly number[]>, part = 0.5): Result {
  const { ours = [], ...others } = samples;
  const value = quantile(ours, part);
  const ratios = Object.entries(others).map(([peer, values]) => [peer, value / quantile(values, part)]);
  return { name, value, unit, ratios: Object.fromEntries(ratios) as Record<string, number> };
}

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
  /** Shown where the result misses its goal. */
  profile?: Profile;
}

/** Where it goes: what is measured, in parts, of ours and of those that explain it. */
export interface Profile {
  unit: string;
  of: Record<string, Parts>;
}

export type Parts = Readonly<Record<string, number>>;

/** @returns the median of each part, of each that was measured several times */
export function profileOf(unit: string, samples: Readonly<Record<string, readonly Parts[]>>): Profile {
  return { unit, of: mapped(samples, medians) };
}

function medians(samples: readonly Parts[]): Parts {
  return mapped(samples[0] ?? {}, (_, part) => median(samples.map((each) => each[part] ?? Number.NaN)));
}

/** @returns a record of the same names */
export function mapped<V, W>(
  record: Readonly<Record<string, V>>,
  to: (value: V, name: string) => W,
): Record<string, W> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, to(value, name)]));
}

/** @returns the value that so large a part of all values does not exceed */
export function quantile(values: readonly number[], part: number): number {
  return values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) * part)] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** @returns the median of `ours`, or another of its quantiles, beside those of the others */
export function compared(name: string, unit: string, samples: Record<string, readonly number[]>, part = 0.5): Result {
  const { ours = [], ...others } = samples;
  const value = quantile(ours, part);
  const ratios = Object.entries(others).map(([peer, values]) => [peer, value / quantile(values, part)]);
  return { name, value, unit, ratios: Object.fromEntries(ratios) as Record<string, number> };
}

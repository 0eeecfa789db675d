import { isFields } from '../json.ts';

/** What is known of a value before anything is computed. */
export interface Bounds {
  /** Range as a number; infinite where unknown. */
  low: number;
  high: number;
  /** Most characters as text; 0 for numbers and dates, which are short. */
  text: number;
  /** Most elements of a list. */
  items: number;
  /** Number of different values. */
  distinct: number;
  /** Number of bins, for the value that a bin transform hands to a scale. */
  bins?: number;
  /** An event or a scene item: the page can be reached from it, so only safe members may be read. */
  opaque?: boolean;
  /** A row of data, whose members are known by name. */
  row?: boolean;
}

export const scalar: Bounds = { low: -Infinity, high: Infinity, text: 0, items: 0, distinct: 1 };
export const row: Bounds = { ...scalar, row: true };
export const opaque: Bounds = { ...scalar, opaque: true };
export const unbounded = { low: -Infinity, high: Infinity, distinct: Infinity };
/** The neutral element of `either`. */
export const none: Bounds = { ...scalar, low: Infinity, high: -Infinity, distinct: 0 };

/** Bounds of a value that is one of several. */
export const either = (...all: readonly Bounds[]): Bounds => ({
  low: Math.min(...all.map(({ low }) => low)),
  high: Math.max(...all.map(({ high }) => high)),
  text: Math.max(0, ...all.map(({ text }) => text)),
  items: Math.max(0, ...all.map(({ items }) => items)),
  distinct: all.reduce((sum, { distinct }) => sum + distinct, 0),
  opaque: all.some(({ opaque }) => opaque),
});

/** Bounds of values that are at hand: the cells of a column, inline data, a literal. */
export function boundsOf(values: readonly unknown[]): Bounds {
  const bounds = { ...none };
  const seen = new Set<unknown>();
  for (const value of values) {
    const plain = typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
    if (seen.has(plain)) continue;
    seen.add(plain);
    if (typeof plain === 'string') bounds.text = Math.max(bounds.text, plain.length);
    if (typeof value === 'object') bounds.items = Math.max(bounds.items, longestList(value));
    for (const one of Array.isArray(value) ? (value as unknown[]) : [value]) {
      const number = numberOf(one);
      bounds.low = Math.min(bounds.low, number ?? -Infinity);
      bounds.high = Math.max(bounds.high, number ?? Infinity);
    }
  }
  return { ...bounds, distinct: seen.size };
}

function numberOf(value: unknown): number | undefined {
  if (typeof value === 'object' && value !== null) return undefined;
  const number = typeof value === 'string' && Number.isNaN(Number(value)) ? Date.parse(value) : Number(value);
  return Number.isFinite(number) ? number : undefined;
}

function longestList(value: unknown): number {
  const own = Array.isArray(value) ? value.length : 0;
  const members: unknown[] = isFields(value) ? Object.values(value) : Array.isArray(value) ? value : [];
  return members.reduce<number>((most, one) => Math.max(most, longestList(one)), own);
}

import { isFields } from '../json.ts';

/** What is known of a value before anything is computed. */
export interface Bounds {
  /** Range as a number; infinite where unknown. */
  low: number;
  high: number;
  /** Characters as text, at most; 0 for numbers, dates and the like, which are short. */
  text: number;
  /** Elements, if it is a list. */
  items: number;
  /** How many different values there are. */
  distinct: number;
  /** Number of bins, for the description of bins that a bin transform makes. */
  bins?: number;
  /** An event or a scene item, from which the page could be reached: only safe members may be read. */
  opaque?: boolean;
  /** Bounds of the members, where they are known one by one. */
  member?: (name: string) => Bounds;
}

/** Characters of a number or date as text. */
export const scalarText = 32;

export const scalar: Bounds = { low: -Infinity, high: Infinity, text: 0, items: 0, distinct: 1 };

/** Of no value at all: the neutral element of `either`. */
export const none: Bounds = { ...scalar, low: Infinity, high: -Infinity, distinct: 0 };

/** Bounds of a value that is one of several. */
export function either(...all: readonly Bounds[]): Bounds {
  const most = (key: 'high' | 'text' | 'items'): number => Math.max(...all.map((one) => one[key]));
  return {
    low: Math.min(...all.map(({ low }) => low)),
    high: most('high'),
    text: most('text'),
    items: most('items'),
    distinct: all.reduce((sum, { distinct }) => sum + distinct, 0),
    ...(all.some(({ member }) => member)
      ? { member: (name: string) => either(...all.map((one) => one.member?.(name) ?? one)) }
      : {}),
    ...(all.some(({ opaque }) => opaque) ? { opaque: true } : {}),
  };
}

/** Bounds of the values that are at hand: cells of a column, members of inline data, a literal. */
export function boundsOf(values: readonly unknown[]): Bounds {
  const seen = new Set<unknown>();
  const bounds = { ...scalar, low: Infinity, high: -Infinity };
  for (const value of values) {
    const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
    if (seen.has(text)) continue;
    seen.add(text);
    if (typeof text === 'string') bounds.text = Math.max(bounds.text, text.length);
    bounds.items = Math.max(bounds.items, longestList(value));
    for (const one of Array.isArray(value) && value.length > 0 ? (value as unknown[]) : [value]) {
      const number = one === null ? 0 : numberOrTime(one);
      bounds.low = Math.min(bounds.low, number ?? -Infinity);
      bounds.high = Math.max(bounds.high, number ?? Infinity);
    }
  }
  if (seen.size === 0) return { ...scalar };
  bounds.distinct = seen.size;
  return bounds;
}

function numberOrTime(value: unknown): number | undefined {
  if (typeof value === 'object') return undefined;
  const number = typeof value === 'string' && Number.isNaN(Number(value)) ? Date.parse(value) : Number(value);
  return Number.isFinite(number) ? number : undefined;
}

function longestList(value: unknown): number {
  if (Array.isArray(value)) return Math.max(value.length, ...value.slice(0, 1_000).map(longestList));
  return isFields(value) ? Math.max(0, ...Object.values(value).slice(0, 1_000).map(longestList)) : 0;
}

/** Radix sort of numbers: no comparisons, so a hundred thousand rows take a few milliseconds. */
import { countUpTo } from './countUpTo.ts';
import { mergeSort } from './mergeSort.ts';
import type { Sliced } from './slices.ts';

const BUCKETS = 65_536;
/** Fewer items are compared: going through all buckets would take longer. */
const FEW = 2048;
const SIGN = 0x8000_0000;

/** Which half of a double comes first in memory. */
const HIGH = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1 ? 1 : 0;

/**
 * Sorts items by the doubles that belong to them; equal ones keep their order, in both directions.
 * @param items indices into `values`, none of which is NaN
 * @returns the sorted items
 */
export function* radixSort(items: Uint32Array, values: Float64Array, descending: boolean): Sliced<Uint32Array> {
  if (items.length < FEW) {
    const sign = descending ? -1 : 1;
    return yield* mergeSort(items.slice(), (a, b) => sign * (values[a]! - values[b]! || 0));
  }
  const [low, high] = orderedBits(items, values, descending);
  yield;
  let from = countUpTo(items.length);
  let to = new Uint32Array(items.length);
  for (const [words, shift] of [
    [low, 0],
    [low, 16],
    [high, 0],
    [high, 16],
  ] as const) {
    if (scatter(from, to, words, shift)) [from, to] = [to, from];
    yield;
  }
  return from.map((at) => items[at]!);
}

/** The doubles as two words each that order like unsigned integers: negative ones inverted, the others above them. */
function orderedBits(items: Uint32Array, values: Float64Array, descending: boolean): [Uint32Array, Uint32Array] {
  const double = new Float64Array(1);
  const words = new Uint32Array(double.buffer);
  const low = new Uint32Array(items.length);
  const high = new Uint32Array(items.length);
  for (let at = 0; at < items.length; at++) {
    double[0] = values[items[at]!]! + 0;
    const negative = words[HIGH]! >= SIGN;
    const mask = negative === descending ? 0 : 0xffff_ffff;
    high[at] = words[HIGH]! ^ mask ^ (negative ? 0 : SIGN);
    low[at] = words[1 - HIGH]! ^ mask;
  }
  return [low, high];
}

/** Orders items by sixteen bits of their words. @returns whether there was anything to order */
function scatter(from: Uint32Array, to: Uint32Array, words: Uint32Array, shift: number): boolean {
  const next = new Uint32Array(BUCKETS + 1);
  for (let at = 0; at < words.length; at++) next[((words[at]! >>> shift) & 0xffff) + 1]!++;
  if (next.includes(words.length)) return false;
  for (let bucket = 1; bucket <= BUCKETS; bucket++) next[bucket]! += next[bucket - 1]!;
  for (let at = 0; at < from.length; at++) {
    const item = from[at]!;
    const bucket = (words[item]! >>> shift) & 0xffff;
    to[next[bucket]!++] = item;
  }
  return true;
}

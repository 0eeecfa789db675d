/** A stable sort by comparison that gives way between chunks; `Array.sort` on a large array would not. */
import type { Sliced } from './slices.ts';

/** Compares two items, as `Array.sort` wants it. */
export type Compare = (a: number, b: number) => number;

/** Items sorted natively in one go, before they are merged. */
const CHUNK = 2048;

/** @returns the sorted numbers; `items` is used as scratch space */
export function* mergeSort(items: Uint32Array, compare: Compare): Sliced<Uint32Array> {
  for (let start = 0; start < items.length; start += CHUNK) {
    items.subarray(start, start + CHUNK).sort(compare);
    yield;
  }
  let from: Uint32Array = items;
  let to: Uint32Array = new Uint32Array(items.length);
  for (let width = CHUNK; width < items.length; width *= 2) {
    for (let start = 0; start < items.length; start += 2 * width) {
      yield* merge(from, to, start, Math.min(start + width, items.length), compare);
    }
    [from, to] = [to, from];
  }
  return from;
}

/** Merges the sorted runs `[start, middle)` and `[middle, …)` of equal width from one array into another. */
function* merge(from: Uint32Array, to: Uint32Array, start: number, middle: number, compare: Compare): Sliced<void> {
  const end = Math.min(middle + (middle - start), from.length);
  let left = start;
  let right = middle;
  for (let at = start; at < end; at++) {
    if (at % (2 * CHUNK) === 0) yield;
    const takeLeft = left < middle && (right >= end || compare(from[left]!, from[right]!) <= 0);
    to[at] = takeLeft ? from[left++]! : from[right++]!;
  }
}

/** @returns the numbers from 0 up to `count`, without it; a plain loop, for iterators take several times as long */
export function countUpTo(count: number): Uint32Array<ArrayBuffer> {
  const numbers = new Uint32Array(count);
  for (let at = 0; at < count; at++) numbers[at] = at;
  return numbers;
}

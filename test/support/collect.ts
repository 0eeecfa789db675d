/** @returns all values of an iterable */
export async function collect<T>(all: AsyncIterable<T> | readonly T[]): Promise<T[]> {
  const found: T[] = [];
  for await (const one of all) found.push(one);
  return found;
}

/**
 * Calls `work` for each item, `concurrency` at a time. After the signal aborts, no more items are started.
 * @returns when every started item is done; rejects as soon as one rejects
 */
export async function pool<T>(
  items: Iterable<T>,
  concurrency: number,
  signal: AbortSignal,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let next = queue.next(); !next.done && !signal.aborted; next = queue.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: Math.max(1, concurrency) }, worker));
}

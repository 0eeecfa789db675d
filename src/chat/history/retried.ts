/** Retries file operations that fail because a virus scanner or search indexer holds the file for a moment. */
import { historyError } from './files/errors.ts';

const held = new Set(['EPERM', 'EACCES', 'EBUSY', 'EMFILE', 'ENFILE']);

/**
 * @returns the result of `work`, which is retried for about 300 ms while the file is in use
 * @throws HistoryError
 */
export async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let wait = 10; ; wait *= 2) {
    try {
      return await work();
    } catch (failure) {
      if (wait > 160 || !held.has(String((failure as { code?: unknown }).code))) throw historyError(failure);
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}

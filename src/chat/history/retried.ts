/** Virus scanners and search indexers hold files for a moment; what they refuse is tried again. */
import { historyError } from './errors.ts';

const held = new Set(['EPERM', 'EACCES', 'EBUSY', 'EMFILE', 'ENFILE']);

/**
 * @returns what `work` returns, tried again for about 300 ms while a file is held by someone
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

import { t } from '../../src/shared/l10n.ts';
import type { LoadState } from '../../src/shared/protocol.ts';

/**
 * @param here rows that are here
 * @param total rows that there are on the service
 * @param load how far a load of all rows is, where one was begun
 * @returns the count line under a table
 */
export function rowCount(here: number, total: number, load: LoadState | undefined): string {
  const shown = here.toLocaleString();
  if (load === 'done') return t('All {0} rows', shown);
  if (load !== undefined || total > here) {
    const count = t('{0} of {1} rows', shown, Math.max(total, here).toLocaleString());
    return load === 'limited' ? t('{0}; export to get all', count) : count;
  }
  return here === 1 ? t('1 row') : t('{0} rows', shown);
}

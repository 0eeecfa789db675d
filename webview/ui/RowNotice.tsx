/** Texts about the rows of a table: the count line under it, and a notice above rows that differ from the answer's. */
import { Icon } from './Icon.tsx';
import { useEffect } from 'preact/hooks';
import type { LoadState } from '../../src/shared/protocol/chat.ts';
import { plural, t } from '../../src/shared/text/l10n.ts';
import { announce } from '../app/mounted.ts';

/** Notice above loaded rows that differ from those of the answer; also announced to screen readers. */
export const RowNotice = ({ text }: { text: string | undefined }) => {
  useEffect(() => {
    if (text !== undefined) announce(text);
  }, [text]);
  return text === undefined ? null : (
    <div class="notice row-notice" role="note">
      <Icon icon="warning" />
      <span class="notice-text">{text}</span>
    </div>
  );
};

/**
 * @param here number of loaded rows
 * @param total number of rows in the service's result
 * @param load progress of loading all rows, if it was started
 * @returns the count line under a table
 */
export function rowCount(here: number, total: number, load: LoadState | undefined): string {
  const all = Math.max(total, here);
  if (load === 'done') return plural(here, 'All {0} row|All {0} rows');
  if (load !== undefined || total > here) {
    const count = plural(all, '{0} of {1} row|{0} of {1} rows', here.toLocaleString(), all.toLocaleString());
    return load === 'limited' ? t('{0}; export to get all', count) : count;
  }
  return plural(here, '{0} row|{0} rows');
}

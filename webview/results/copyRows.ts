/** Menu items that copy all rows, as displayed, in a format. */
import { t } from '../../src/shared/text/l10n.ts';
import type { ResultFormat } from '../../src/shared/results/encode.ts';
import { runInSlices } from '../../src/shared/results/slices.ts';
import type { GridHandle } from '../grid/createGrid.ts';
import type { MenuItem } from '../menu/menu.ts';
import { postResults } from './resultsState.ts';

/** Whether to include column names; kept for the next copy. */
let headers = true;

/** @returns the items of the menu that copies all rows */
export function copyItems(grid: GridHandle): MenuItem[] {
  const copy = (label: string, format: ResultFormat): MenuItem => ({
    label,
    run: () => void runInSlices(grid.encode(format, headers), (text) => postResults({ type: 'copy', text })),
  });
  return [
    copy(t('Copy as TSV'), 'tsv'),
    copy(t('Copy as CSV'), 'csv'),
    copy(t('Copy as JSON'), 'json'),
    copy(t('Copy as Markdown'), 'markdown'),
    copy(t('Copy as SQL IN List'), 'sqlIn'),
    { label: t('With Headers'), group: true, checked: headers, run: () => (headers = !headers) },
  ];
}

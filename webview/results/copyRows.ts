/** All rows of the tab onto the clipboard, in the format that is chosen. */
import { t } from '../../src/shared/l10n.ts';
import { typeColumns } from '../../src/shared/results/cells.ts';
import { createEncoder, type ResultFormat } from '../../src/shared/results/encode.ts';
import { runInSlices, STRIDE, type Sliced } from '../../src/shared/results/slices.ts';
import type { MenuItem } from '../grid/menu.ts';
import { postResults, type ResultsState } from './state.ts';

/** Whether column names come first; as it was chosen last. */
let headers = true;

/** @returns the items of the menu that copies everything */
export function copyItems(state: ResultsState): MenuItem[] {
  const copy = (label: string, format: ResultFormat): MenuItem => ({
    label,
    run: () => void runInSlices(encode(state, format), (text) => postResults({ type: 'copy', text })),
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

function* encode({ table, rows, guardFormulas }: ResultsState, format: ResultFormat): Sliced<string> {
  const encoder = createEncoder(format, typeColumns(table.columns, rows), { headers, guardFormulas });
  const parts = [encoder.encodeHeader()];
  for (let row = 0; row < rows.length; row++) {
    if (row % STRIDE === 0) yield;
    parts.push(encoder.encodeRow(rows[row]!));
  }
  return parts.join('') + encoder.encodeEnd();
}

/** Shows the full value of a cell in a dialog, with JSON formatted. */
import { laidOut } from '../../../src/shared/wire/toolPayloads.ts';
import { cellText, isNull } from '../../../src/shared/results/cells.ts';
import { t } from '../../../src/shared/text/l10n.ts';
import { element } from '../../ui/dom.ts';
import { iconButton } from '../columns/headerElements.ts';

/**
 * Opens a modal dialog.
 * @param title accessible name and heading
 * @param copy called with the exact text of the cell
 * @param closed called after the dialog has closed
 */
export function openDetails(
  host: HTMLElement,
  title: string,
  cell: unknown,
  copy: (text: string) => void,
  closed: () => void,
): void {
  const dialog = element('dialog', 'grid-details');
  dialog.ariaLabel = title;
  const bar = element('div', 'grid-details-bar');
  const copyButton = iconButton('copy', t('Copy value'));
  copyButton.addEventListener('click', () => copy(cellText(cell)));
  const closeButton = iconButton('close', t('Close'));
  closeButton.addEventListener('click', () => dialog.close());
  bar.append(element('span', 'grid-details-title', title), copyButton, closeButton);
  const value = element('pre', 'grid-details-value', isNull(cell) ? 'NULL' : laidOut(cellText(cell)));
  value.classList.toggle('is-null', isNull(cell));
  value.tabIndex = 0;
  value.role = 'region';
  value.ariaLabel = title;
  dialog.append(bar, value);
  dialog.addEventListener('keydown', (event) => event.stopPropagation());
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog) dialog.close();
  });
  dialog.addEventListener('close', () => {
    dialog.remove();
    closed();
  });
  host.append(dialog);
  dialog.showModal();
  value.focus();
}

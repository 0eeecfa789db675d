/** Shows the full value of a cell in a dialog, with JSON formatted. */
import { laidOut } from '../../../src/shared/wire/toolPayloads.ts';
import { cellText, isNull } from '../../../src/shared/results/cells.ts';
import { element } from '../../ui/dom.ts';
import { iconButton } from '../columns/headerElements.ts';
import type { GridWords } from '../words.ts';

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
  words: GridWords,
  copy: (text: string) => void,
  closed: () => void,
): void {
  const dialog = element('dialog', 'grid-details');
  dialog.ariaLabel = title;
  const bar = element('div', 'grid-details-bar');
  const copyButton = iconButton('copy', words.copyValue);
  copyButton.addEventListener('click', () => copy(cellText(cell)));
  const closeButton = iconButton('close', words.close);
  closeButton.addEventListener('click', () => dialog.close());
  bar.append(element('span', 'grid-details-title', title), copyButton, closeButton);
  const value = element('pre', 'grid-details-value', isNull(cell) ? words.nullValue : laidOut(cellText(cell)));
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

/** The whole value of one cell, JSON laid out over lines. */
import { cellText, isNull, type CellKind } from '../../src/shared/results/cells.ts';
import { element, iconButton } from './elements.ts';
import type { GridWords } from './words.ts';

const compact = (text: string): string => text.replace(/\s+/g, '');

/** @returns the value as people read it: JSON over several lines, unless that would change more than white space */
export function detailText(cell: unknown, kind: CellKind): string {
  const text = cellText(cell);
  if (kind !== 'json' && !/^\s*[[{]/.test(text)) return text;
  try {
    const laidOut = JSON.stringify(JSON.parse(text), null, 2);
    return compact(laidOut) === compact(text) ? laidOut : text;
  } catch {
    return text;
  }
}

/**
 * Opens a modal dialog.
 * @param title names the column and the row
 * @param copy is called with the exact text of the cell
 * @param closed is called once the dialog has gone
 */
export function openDetails(
  host: HTMLElement,
  title: string,
  cell: unknown,
  kind: CellKind,
  words: GridWords,
  copy: (text: string) => void,
  closed: () => void,
): void {
  const dialog = element('dialog', 'grid-details');
  dialog.ariaLabel = title;
  const bar = element('div', 'grid-details-bar');
  bar.append(
    element('span', 'grid-details-title', title),
    iconButton('copy', words.copyValue, () => copy(cellText(cell))),
    iconButton('close', words.close, () => dialog.close()),
  );
  const value = element('pre', 'grid-details-value', isNull(cell) ? words.nullValue : detailText(cell, kind));
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

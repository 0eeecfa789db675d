/** How the cells of a row line up: frozen ones stick to the left, gaps stand for the columns out of sight. */
import type { Item } from './viewport.ts';

/** Where the cells of every row are at the moment; a new object whenever they move. */
export interface Columns {
  /** Shown columns that stick to the left, with their distance from it. */
  frozen: readonly Item[];
  /** Shown columns in sight behind them. */
  scrolling: readonly Item[];
  frozenWidth: number;
  /** Width of each shown column. */
  widths: readonly number[];
}

/**
 * Puts the cells of a row in order. Cells that stay are not touched, so that one of them may keep the focus.
 * @param first what comes before all cells
 * @param cells the cells by shown column; those out of sight are removed
 * @param cellAt finds or makes the cell of a shown column
 */
export function placeCells<T extends { element: HTMLElement }>(
  first: Element,
  cells: Map<number, T>,
  columns: Columns,
  cellAt: (position: number) => T,
): void {
  const { frozen, scrolling, widths } = columns;
  const wanted = new Set([...frozen, ...scrolling].map(({ index }) => index));
  for (const [position, { element }] of cells) {
    if (wanted.has(position)) continue;
    element.remove();
    cells.delete(position);
  }
  let before = first;
  const put = (position: number, isFrozen: boolean, left: string, gap: number): void => {
    const cell = cellAt(position);
    cells.set(position, cell);
    const { element } = cell;
    element.classList.toggle('is-frozen', isFrozen);
    element.classList.toggle('is-frozen-edge', isFrozen && position === frozen.length - 1);
    element.style.left = left;
    element.style.marginLeft = gap === 0 ? '' : `${gap}px`;
    element.style.width = `${widths[position]}px`;
    if (before.nextSibling !== element) before.after(element);
    before = element;
  };
  for (const { index, start } of frozen) put(index, true, `${start}px`, 0);
  let edge = columns.frozenWidth;
  for (const { index, start } of scrolling) {
    put(index, false, '', start - edge);
    edge = start + widths[index]!;
  }
}

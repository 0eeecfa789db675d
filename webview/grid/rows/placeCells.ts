/** Positions the cells of a row: frozen cells stick to the left, margins stand in for off-screen columns. */
import type { VirtualItem } from './viewport.ts';

/** Positions of the cells of every row; a new object whenever they change. */
export interface Columns {
  /** Frozen columns; `start` is the distance from the left edge. */
  frozen: readonly VirtualItem[];
  /** Scrolling columns in view. */
  scrolling: readonly VirtualItem[];
  frozenWidth: number;
  /** Width of each visible column, in pixels. */
  widths: readonly number[];
}

/**
 * Inserts, removes and positions the cells of a row. Cells that stay are not inserted again, so that they keep the
 * focus.
 * @param first the element before all cells
 * @param cells the cells by visible position; those off-screen are removed
 * @param cellAt returns the cell at a visible position, creating it if necessary
 */
export function placeCells<T extends { element: HTMLElement; frozen: boolean }>(
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
    // Access `classList` only for frozen cells: it creates an object that stays with the element.
    if (isFrozen || cell.frozen) {
      element.classList.toggle('is-frozen', isFrozen);
      element.classList.toggle('is-frozen-edge', isFrozen && position === frozen.length - 1);
      element.style.left = left;
      cell.frozen = isFrozen;
    }
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

/** Computes the rows and columns in view, with one TanStack virtualizer per axis of the scroller. */
import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type VirtualizerOptions,
} from '@tanstack/virtual-core';
import type { CellPosition } from '../selection.ts';

export const ROW_HEIGHT = 22;
const HEADER_HEIGHT = 24;

/** Rows and columns rendered beyond the edges, so that scrolling shows no blank area. */
const ROWS_AROUND = 1;
const COLUMNS_AROUND = 1;

/** Size of the scrolled content. */
export interface Extent {
  rows: number;
  /** Width of the row numbers and frozen columns, in pixels. */
  frozenWidth: number;
  /** Widths of the scrolling columns, in pixels. */
  widths: readonly number[];
}

/** A row or column in view; `start` is its distance in pixels from the top of the first row, or from the left edge. */
export interface VirtualItem {
  index: number;
  start: number;
}

type Options = VirtualizerOptions<HTMLElement, HTMLElement>;

export class Viewport {
  readonly #scroller: HTMLElement;
  readonly #rows: Virtualizer<HTMLElement, HTMLElement>;
  readonly #columns: Virtualizer<HTMLElement, HTMLElement>;
  readonly #resized: ResizeObserver;
  readonly #unmount: readonly (() => void)[];

  /** @param changed called when other rows or columns may have come into view */
  constructor(scroller: HTMLElement, extent: Extent, changed: () => void) {
    this.#scroller = scroller;
    this.#rows = new Virtualizer(this.#rowOptions(extent));
    this.#columns = new Virtualizer(this.#columnOptions(extent));
    this.#unmount = [this.#rows._didMount(), this.#columns._didMount()];
    this.#rows._willUpdate();
    this.#columns._willUpdate();
    // Runs after the listeners of both virtualizers: rendering between them would force another layout.
    scroller.addEventListener('scroll', changed, { passive: true });
    this.#resized = new ResizeObserver(changed);
    this.#resized.observe(scroller);
  }

  #common(): Pick<Options, 'getScrollElement' | 'observeElementRect' | 'observeElementOffset' | 'scrollToFn'> {
    return {
      getScrollElement: () => this.#scroller,
      observeElementRect,
      observeElementOffset,
      scrollToFn: elementScroll,
    };
  }

  #rowOptions(extent: Extent): Options {
    return {
      ...this.#common(),
      count: extent.rows,
      estimateSize: () => ROW_HEIGHT,
      overscan: ROWS_AROUND,
      paddingStart: HEADER_HEIGHT,
      scrollPaddingStart: HEADER_HEIGHT,
    };
  }

  #columnOptions(extent: Extent): Options {
    return {
      ...this.#common(),
      horizontal: true,
      count: extent.widths.length,
      estimateSize: (index) => extent.widths[index]!,
      overscan: COLUMNS_AROUND,
      paddingStart: extent.frozenWidth,
      scrollPaddingStart: extent.frozenWidth,
    };
  }

  resize(extent: Extent): void {
    this.#rows.setOptions(this.#rowOptions(extent));
    this.#columns.setOptions(this.#columnOptions(extent));
    this.#columns.measure();
  }

  /** The rows in view, and the row with the cursor (`kept`), which must stay rendered. */
  rows(kept: number): VirtualItem[] {
    const items = this.#rows.getVirtualItems().map(({ index }) => ({ index, start: index * ROW_HEIGHT }));
    return withItem(items, kept < this.#rows.options.count ? { index: kept, start: kept * ROW_HEIGHT } : undefined);
  }

  /**
   * The scrolling columns in view, counted from the first one, and the one with the cursor, which must stay rendered.
   */
  columns(kept: number): VirtualItem[] {
    const items = this.#columns.getVirtualItems().map(({ index, start }) => ({ index, start }));
    const start = this.#columns.measurementsCache[kept]?.start;
    return withItem(items, start === undefined ? undefined : { index: kept, start });
  }

  /** Scrolls as little as necessary to bring a cell into view; `column` is counted from the first scrolling column. */
  reveal({ row, column }: CellPosition): void {
    if (!isInView(this.#rows, row)) this.#rows.scrollToIndex(row);
    if (!isInView(this.#columns, column)) this.#columns.scrollToIndex(column);
  }

  dispose(): void {
    this.#resized.disconnect();
    for (const unmount of this.#unmount) unmount();
  }
}

/** Whether an item is completely in view, or doesn't exist; scrolling forces a layout even if nothing moves. */
function isInView(axis: Virtualizer<HTMLElement, HTMLElement>, index: number): boolean {
  const item = axis.measurementsCache[index];
  if (!item) return true;
  const { scrollOffset, scrollRect, options } = axis;
  if (scrollOffset === null || scrollRect === null) return false;
  const size = options.horizontal ? scrollRect.width : scrollRect.height;
  return item.start >= scrollOffset + options.scrollPaddingStart && item.end <= scrollOffset + size;
}

/** Inserts an item in order, unless it is already there or its index is negative. */
function withItem(items: VirtualItem[], item: VirtualItem | undefined): VirtualItem[] {
  if (!item || item.index < 0 || items.some(({ index }) => index === item.index)) return items;
  const at = items.findIndex(({ index }) => index > item.index);
  return at === -1 ? [...items, item] : [...items.slice(0, at), item, ...items.slice(at)];
}

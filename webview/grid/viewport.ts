/** Which rows and columns are in sight: TanStack's virtualiser, once for each direction of one scroller. */
import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type VirtualizerOptions,
} from '@tanstack/virtual-core';
import type { Place } from './selection.ts';

export const ROW_HEIGHT = 22;
const HEADER_HEIGHT = 24;

/** Rows and columns drawn beyond the edges, so that scrolling does not show blanks. */
const ROWS_AROUND = 4;
const COLUMNS_AROUND = 1;

/** What is scrolled over. */
export interface Extent {
  rows: number;
  /** Width of the frozen part at the left: row numbers and frozen columns. */
  frozenWidth: number;
  /** Widths of the columns that scroll. */
  widths: readonly number[];
}

/** A row or column in sight; `start` is its distance from the top of the first row, or from the left edge. */
export interface Item {
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

  /** @param changed is called when other rows or columns may have come into sight */
  constructor(scroller: HTMLElement, extent: Extent, changed: () => void) {
    this.#scroller = scroller;
    this.#rows = new Virtualizer(this.#rowOptions(extent));
    this.#columns = new Virtualizer(this.#columnOptions(extent));
    this.#unmount = [this.#rows._didMount(), this.#columns._didMount()];
    this.#rows._willUpdate();
    this.#columns._willUpdate();
    // Both have listened before: drawing waits until both know, for one would have to lay out what the other drew.
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

  /** Takes a new extent. */
  resize(extent: Extent): void {
    this.#rows.setOptions(this.#rowOptions(extent));
    this.#columns.setOptions(this.#columnOptions(extent));
    this.#columns.measure();
  }

  /** Rows in sight, and the row that must stay drawn because it has the cursor. */
  rows(kept: number): Item[] {
    const items = this.#rows.getVirtualItems().map(({ index }) => ({ index, start: index * ROW_HEIGHT }));
    return withItem(items, kept < this.#rows.options.count ? { index: kept, start: kept * ROW_HEIGHT } : undefined);
  }

  /** Scrolling columns in sight, counted from the first that scrolls, and the one that must stay drawn. */
  columns(kept: number): Item[] {
    const items = this.#columns.getVirtualItems().map(({ index, start }) => ({ index, start }));
    const start = this.#columns.measurementsCache[kept]?.start;
    return withItem(items, start === undefined ? undefined : { index: kept, start });
  }

  /** Scrolls as little as needed to bring a cell into sight; column counted from the first that scrolls. */
  reveal({ row, column }: Place): void {
    if (row >= 0) this.#rows.scrollToIndex(row);
    if (column >= 0) this.#columns.scrollToIndex(column);
  }

  dispose(): void {
    this.#resized.disconnect();
    for (const unmount of this.#unmount) unmount();
  }
}

/** Adds an item in its place, unless it is there or must not be. */
function withItem(items: Item[], item: Item | undefined): Item[] {
  if (!item || item.index < 0 || items.some(({ index }) => index === item.index)) return items;
  const at = items.findIndex(({ index }) => index > item.index);
  return at === -1 ? [...items, item] : [...items.slice(0, at), item, ...items.slice(at)];
}

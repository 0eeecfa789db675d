/** Computes the rows and columns in view. */
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

/** A part of the content: the distance of its beginning and of its end from that of the content, in pixels. */
interface Span {
  start: number;
  end: number;
}

export class Viewport {
  readonly #scroller: HTMLElement;
  #extent: Extent;
  /** The scrolling columns, from the left edge. */
  #columns: readonly Span[];
  /** What the scroller shows, cached because reading it forces a layout. */
  #inView = { top: 0, left: 0, width: 0, height: 0 };
  readonly #resized: ResizeObserver;

  /** @param changed called when other rows or columns may have come into view */
  constructor(scroller: HTMLElement, extent: Extent, changed: () => void) {
    this.#scroller = scroller;
    this.#extent = extent;
    this.#columns = spansOf(extent);
    this.#read();
    const moved = (): void => {
      this.#read();
      changed();
    };
    scroller.addEventListener('scroll', moved, { passive: true });
    this.#resized = new ResizeObserver(moved);
    this.#resized.observe(scroller);
  }

  resize(extent: Extent): void {
    this.#extent = extent;
    this.#columns = spansOf(extent);
    const { top, left, width, height } = this.#inView;
    // Less content moves the scroller back, but not before its next layout.
    const lowest = Math.max(HEADER_HEIGHT + extent.rows * ROW_HEIGHT - height, 0);
    const rightmost = Math.max((this.#columns.at(-1)?.end ?? extent.frozenWidth) - width, 0);
    this.#inView = { top: Math.min(top, lowest), left: Math.min(left, rightmost), width, height };
  }

  /** The rows in view, and the row with the cursor (`kept`), which must stay rendered. */
  rows(kept: number): VirtualItem[] {
    const { top, height } = this.#inView;
    const first = Math.floor(top / ROW_HEIGHT);
    const end = height > 0 ? Math.ceil((top + height - HEADER_HEIGHT) / ROW_HEIGHT) : first;
    const rows = around(first, end, ROWS_AROUND, this.#extent.rows);
    return withIndex(rows, kept, this.#extent.rows).map((index) => ({ index, start: index * ROW_HEIGHT }));
  }

  /**
   * The scrolling columns in view, counted from the first one, and the one with the cursor, which must stay rendered.
   */
  columns(kept: number): VirtualItem[] {
    const { left, width } = this.#inView;
    const spans = this.#columns;
    const first = spans.findIndex(({ end }) => end > left + this.#extent.frozenWidth);
    const end = spans.findLastIndex(({ start }) => width > 0 && start < left + width) + 1;
    const columns = first === -1 ? [] : around(first, end, COLUMNS_AROUND, spans.length);
    return withIndex(columns, kept, spans.length).map((index) => ({ index, start: spans[index]!.start }));
  }

  /** Scrolls as little as necessary to bring a cell into view; `column` is counted from the first scrolling column. */
  reveal({ row, column }: CellPosition): void {
    const { top, left, width, height } = this.#inView;
    const start = HEADER_HEIGHT + row * ROW_HEIGHT;
    const lines = row < 0 ? undefined : { start, end: start + ROW_HEIGHT };
    const down = scrollFor(lines, { start: top + HEADER_HEIGHT, end: top + height });
    const right = scrollFor(this.#columns[column], { start: left + this.#extent.frozenWidth, end: left + width });
    // Scrolling forces a layout even if nothing moves.
    if (down === 0 && right === 0) return;
    this.#scroller.scrollBy(right, down);
    this.#read();
  }

  dispose(): void {
    this.#resized.disconnect();
  }

  #read(): void {
    const { scrollTop, scrollLeft, clientWidth, clientHeight } = this.#scroller;
    this.#inView = { top: scrollTop, left: scrollLeft, width: clientWidth, height: clientHeight };
  }
}

/** @returns the scrolling columns, beside the frozen ones */
function spansOf({ frozenWidth, widths }: Extent): Span[] {
  let end = frozenWidth;
  return widths.map((width) => ({ start: end, end: (end += width) }));
}

/** @returns the numbers from `first` to `end` (exclusive), and some around them; none if there are none in between */
function around(first: number, end: number, more: number, count: number): number[] {
  if (end <= first) return [];
  const from = Math.max(first - more, 0);
  return Array.from({ length: Math.max(Math.min(end + more, count) - from, 0) }, (_, at) => from + at);
}

/** Inserts a number in order, unless it is already there, negative or too large. */
function withIndex(indexes: readonly number[], index: number, count: number): readonly number[] {
  if (index < 0 || index >= count || indexes.includes(index)) return indexes;
  return [...indexes, index].sort((a, b) => a - b);
}

/** @returns by how many pixels to scroll so that `item` is in `view`, or its beginning if it is larger; 0 without one */
function scrollFor(item: Span | undefined, view: Span): number {
  if (!item || (item.start >= view.start && item.end <= view.end)) return 0;
  return item.end > view.end && item.end - item.start <= view.end - view.start
    ? item.end - view.end
    : item.start - view.start;
}

/** Renders the grid: a scroller with a sticky header that contains only the rows and columns in view. */
import { element } from '../ui/dom.ts';
import { HeaderElements } from './columns/headerElements.ts';
import type { Columns } from './rows/placeCells.ts';
import { RowElements } from './rows/rowElements.ts';
import type { CellPosition } from './selection.ts';
import type { GridState } from './gridState.ts';
import { ROW_HEIGHT, Viewport, type Extent, type VirtualItem } from './rows/viewport.ts';

/** Number of rows whose height is reserved even if a filter leaves fewer, to avoid a layout shift. */
const ROOM_KEPT = 13;

/** Maximum share of the width for frozen columns; any others scroll. */
const FROZEN_SHARE = 0.6;

export class GridView {
  /** Element around the scroller, the summary line and the popups. */
  readonly frame: HTMLElement;
  /** The element with the role `grid`. */
  readonly scroller: HTMLElement;
  readonly #content = element('div', 'grid-content');
  readonly #body = element('div', 'grid-body');
  readonly #state: GridState;
  readonly #header: HeaderElements;
  readonly #rows: RowElements;
  readonly #viewport: Viewport;
  /** Approximate width of a digit, in pixels. */
  readonly #digit: number;
  #columns: Columns = { frozen: [], scrolling: [], frozenWidth: 0, widths: [] };
  /** Incremented whenever every cell must be rendered again. */
  #version = 0;

  constructor(container: HTMLElement, name: string, state: GridState) {
    this.#state = state;
    this.frame = element('div', 'grid-frame');
    this.scroller = element('div', 'grid-scroller');
    this.scroller.role = 'grid';
    this.scroller.ariaLabel = name;
    this.scroller.ariaMultiSelectable = 'true';
    this.#header = new HeaderElements(state);
    this.#rows = new RowElements(this.#body, state);
    const head = element('div', 'grid-head');
    head.role = this.#body.role = 'rowgroup';
    head.append(this.#header.row);
    this.#content.append(head, this.#body);
    this.scroller.append(this.#content);
    this.frame.append(this.scroller);
    container.append(this.frame);
    this.#digit = 0.62 * Number.parseFloat(getComputedStyle(this.frame).fontSize);
    const extent = this.#measure();
    this.#viewport = new Viewport(this.scroller, extent, () => this.#draw());
    this.refresh();
  }

  /** Renders everything again, after a change of rows, columns or widths. */
  refresh(): void {
    this.#viewport.resize(this.#measure());
    this.#version++;
    this.#draw();
  }

  /** Updates the selection and the cursor. */
  markSelection(): void {
    this.#draw();
    this.#rows.markSelection();
    this.#header.markCursor();
  }

  /** Scrolls the cursor into view after it has moved, and optionally focuses it. */
  reveal(focus: boolean): void {
    this.#scrollToCursor();
    this.markSelection();
    if (focus) this.#focusCursor();
  }

  /** Scrolls the cursor into view and focuses it. */
  focus(): void {
    this.#scrollToCursor();
    this.#focusCursor();
  }

  /** @returns the element of a cell or a header, if it is rendered */
  element({ row, column }: CellPosition): HTMLElement | undefined {
    return row < 0 ? this.#header.cell(column) : this.#rows.cell(row, column);
  }

  /** Whether a cell or a header has the focus. */
  get hasFocus(): boolean {
    return this.scroller.contains(document.activeElement);
  }

  /** Number of rows that PageUp and PageDown move by. */
  get pageRows(): number {
    return Math.max(1, Math.floor(this.scroller.clientHeight / ROW_HEIGHT) - 2);
  }

  dispose(): void {
    this.#viewport.dispose();
    this.frame.remove();
  }

  /**
   * Sets the size of the scrolled content and computes which columns are frozen. Reads `clientWidth`, which forces a
   * layout, only if there are frozen columns.
   */
  #measure(): Extent {
    const { layout, view } = this.#state;
    const widths = layout.visible.map((column) => layout.width(column));
    const numberWidth = Math.ceil(20 + this.#digit * Math.max(2, String(view.total).length));
    const frozen: VirtualItem[] = [];
    let frozenWidth = numberWidth;
    const room = layout.frozenCount > 0 ? Math.max(this.scroller.clientWidth * FROZEN_SHARE, numberWidth) : 0;
    for (let index = 0; index < layout.frozenCount && frozenWidth + widths[index]! <= room; index++) {
      frozen.push({ index, start: frozenWidth });
      frozenWidth += widths[index]!;
    }
    const known = this.#columns;
    if (frozen.length !== known.frozen.length || frozenWidth !== known.frozenWidth || !isSame(widths, known.widths))
      this.#columns = { frozen, scrolling: [], frozenWidth, widths };
    const scrolling = widths.slice(frozen.length);
    const rows = view.count;
    this.#content.style.width = `${scrolling.reduce((sum, width) => sum + width, frozenWidth)}px`;
    this.#content.style.setProperty('--grid-number-width', `${numberWidth}px`);
    this.#body.style.height = `${Math.max(rows, Math.min(view.total, ROOM_KEPT)) * ROW_HEIGHT}px`;
    this.scroller.classList.toggle('is-short', view.total < ROOM_KEPT);
    this.scroller.ariaRowCount = String(rows + 1);
    this.scroller.ariaColCount = String(widths.length + 1);
    return { rows, frozenWidth, widths: scrolling };
  }

  #scrollToCursor(): void {
    const { row, column } = this.#state.selection.cursor;
    this.#viewport.reveal({ row, column: column - this.#columns.frozen.length });
  }

  #focusCursor(): void {
    this.element(this.#state.selection.cursor)?.focus({ preventScroll: true });
  }

  #draw(): void {
    const { cursor } = this.#state.selection;
    const first = this.#columns.frozen.length;
    const scrolling = this.#viewport
      .columns(cursor.column - first)
      .map(({ index, start }) => ({ index: index + first, start }));
    const places = (items: readonly VirtualItem[]): string => items.map(({ index }) => index).join();
    if (places(scrolling) !== places(this.#columns.scrolling)) this.#columns = { ...this.#columns, scrolling };
    this.#header.draw(this.#columns, this.#version);
    this.#rows.draw(this.#viewport.rows(cursor.row), this.#columns, this.#version);
  }
}

const isSame = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((width, at) => width === b[at]);

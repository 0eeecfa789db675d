/**
 * Pointer input. In the body: drag over cells or row numbers to select; the grid scrolls while the pointer is beyond an
 * edge. In the header: click to sort or to open the menu, drag to move a column, drag its edge to resize it.
 */
import type { GridController } from './controller.ts';
import { openGridMenu } from './menus.ts';
import { contains, type CellPosition } from './selection.ts';

/** Pixels per frame that the grid scrolls while the pointer is beyond an edge. */
const SCROLL_STEP = 12;

/** @returns the position of the cell that contains an element; column -1 is the row number, row -1 the header */
function placeOf(target: EventTarget | null): CellPosition | undefined {
  if (!(target instanceof Element)) return undefined;
  const cell = target.closest('[aria-colindex]');
  const row = cell?.closest('[aria-rowindex]');
  if (!cell || !row) return undefined;
  return { row: Number(row.ariaRowIndex) - 2, column: Number(cell.ariaColIndex) - 2 };
}

/** The element under the pointer; the target of a double-click is the scroller, which captures the pointer. */
const elementUnder = ({ clientX, clientY }: MouseEvent): Element | null => document.elementFromPoint(clientX, clientY);

/** Focuses the cell under the cursor, without scrolling. */
const focusCursor = (scroller: HTMLElement): void =>
  scroller.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true });

/** Adds the listeners to the scroller of a grid. */
export function selectByPointer(scroller: HTMLElement, grid: GridController): void {
  const goTo = (place: CellPosition, extend: boolean, focus: boolean): void => {
    const wholeRow = place.column < 0;
    grid.moveTo(
      wholeRow ? { row: place.row, column: grid.selection.cursor.column } : place,
      extend,
      focus && !wholeRow,
    );
    if (wholeRow) grid.select('rows');
  };

  scroller.addEventListener('pointerdown', (event) => {
    const place = placeOf(event.target);
    if (!place || place.row < 0 || event.button !== 0) return;
    goTo(place, event.shiftKey, true);
    if (place.column < 0) focusCursor(scroller);
    event.preventDefault();
    followPointer(scroller, event, (x, y) => {
      const over = placeOf(document.elementFromPoint(x, y));
      if (!over || over.row < 0) return;
      goTo({ row: over.row, column: place.column < 0 ? -1 : Math.max(0, over.column) }, true, false);
      // The focused cell is removed once it is out of view.
      focusCursor(scroller);
    });
  });

  scroller.addEventListener('dblclick', (event) => {
    const place = placeOf(elementUnder(event));
    if (place && place.row >= 0 && place.column >= 0) grid.openCell();
  });

  scroller.addEventListener('contextmenu', (event) => {
    const place = placeOf(event.target);
    if (!place) return;
    event.preventDefault();
    const column = Math.max(0, place.column);
    if (!contains(grid.state.range, place.row, column)) grid.moveTo({ row: place.row, column }, false, true);
    const open = (): void => openGridMenu(grid, { x: event.clientX, y: event.clientY });
    // If the button is still down, wait: its release would close the menu.
    if (event.buttons === 0) open();
    else window.addEventListener('mouseup', open, { once: true });
  });
}

/**
 * Reports the position of the pointer until it is released. While it is beyond an edge of the cells, the position at that
 * edge is reported, and the grid scrolls; only sideways if the drag began in the header.
 */
function followPointer(
  scroller: HTMLElement,
  start: PointerEvent,
  moved: (x: number, y: number) => void,
  released: (canceled: boolean) => void = () => undefined,
): void {
  const header = scroller.querySelector('.grid-header')!;
  const isHeader = header.contains(start.target as Element);
  let { clientX: x, clientY: y } = start;
  let frame = 0;
  const follow = (step: number): void => {
    const box = scroller.getBoundingClientRect();
    const left = isHeader ? header.firstElementChild!.getBoundingClientRect().right : box.left;
    const right = Math.min(box.left + scroller.clientWidth, header.lastElementChild!.getBoundingClientRect().right);
    const [top, bottom] = isHeader ? [-Infinity, Infinity] : [box.top + 24, box.top + scroller.clientHeight];
    const beyond = (at: number, low: number, high: number): number => (at < low ? -step : at > high ? step : 0);
    scroller.scrollBy(beyond(x, left, right), beyond(y, top, bottom));
    const inside = (at: number, low: number, high: number): number => Math.max(low + 1, Math.min(at, high - 2));
    moved(inside(x, left, right), inside(y, top, bottom));
  };
  const scroll = (): void => {
    follow(SCROLL_STEP);
    frame = requestAnimationFrame(scroll);
  };
  drag(
    scroller,
    start,
    (event) => {
      ({ clientX: x, clientY: y } = event);
      if (frame === 0) scroll();
      else follow(0);
    },
    (canceled) => {
      cancelAnimationFrame(frame);
      released(canceled);
    },
  );
}

/** Pixels that the pointer can move before a click becomes a drag. */
const SLOP = 5;

/** Adds the listeners to the scroller of a grid. */
export function handleHeaderPointer(scroller: HTMLElement, grid: GridController): void {
  scroller.addEventListener('pointerdown', (event) => {
    const target = event.target as Element;
    const place = placeOf(target);
    if (!place || place.row >= 0 || event.button !== 0 || target.closest('button')) return;
    event.preventDefault();
    if (place.column < 0) {
      grid.select('all');
      focusCursor(scroller);
      return;
    }
    // Scrolling would move the edge away from the pointer.
    const isEdge = target.closest('.grid-handle') !== null;
    grid.moveTo({ row: -1, column: place.column }, event.shiftKey, !isEdge);
    focusCursor(scroller);
    if (isEdge) resizeByDragging(scroller, event, grid);
    else if (event.shiftKey || event.ctrlKey || event.metaKey) grid.select('columns');
    else moveByDragging(scroller, event, grid);
  });

  scroller.addEventListener('click', ({ target }) => {
    const place = placeOf(target);
    if (!place || !(target instanceof HTMLButtonElement)) return;
    grid.moveTo({ row: -1, column: place.column }, false, true);
    openGridMenu(grid, target);
  });

  scroller.addEventListener('dblclick', (event) => {
    if (elementUnder(event)?.closest('.grid-handle')) grid.columns.widen(undefined);
  });
}

/** Tracks the pointer until it is released or its capture is lost, which cancels the drag. */
function drag(
  scroller: HTMLElement,
  start: PointerEvent,
  moved: (event: PointerEvent) => void,
  released: (canceled: boolean) => void,
): void {
  const ended = new AbortController();
  const { signal } = ended;
  scroller.setPointerCapture(start.pointerId);
  const end = (canceled: boolean): void => {
    ended.abort();
    released(canceled);
  };
  scroller.addEventListener('pointermove', moved, { signal });
  scroller.addEventListener('pointerup', () => end(false), { signal });
  scroller.addEventListener('lostpointercapture', () => end(true), { signal });
}

function resizeByDragging(scroller: HTMLElement, start: PointerEvent, grid: GridController): void {
  const { cursorColumn: column, layout } = grid.state;
  const width = layout.width(column);
  drag(
    scroller,
    start,
    ({ clientX }) => grid.columns.resize(column, width + clientX - start.clientX),
    () => undefined,
  );
}

function moveByDragging(scroller: HTMLElement, start: PointerEvent, grid: GridController): void {
  const column = grid.state.cursorColumn;
  let over: HTMLElement | undefined;
  let after = false;
  let dragged = false;
  const unmark = (): void => over?.classList.remove('is-drop-before', 'is-drop-after');
  followPointer(
    scroller,
    start,
    (x, y) => {
      dragged ||= Math.abs(x - start.clientX) > SLOP;
      if (!dragged) return;
      unmark();
      const target = document.elementFromPoint(x, y)?.closest<HTMLElement>('.grid-heading');
      over = target && scroller.contains(target) ? target : undefined;
      if (!over) return;
      const box = over.getBoundingClientRect();
      after = x > box.left + box.width / 2;
      over.classList.add(after ? 'is-drop-after' : 'is-drop-before');
    },
    (canceled) => {
      unmark();
      if (canceled) return;
      if (!dragged) grid.toggleSort();
      const position = over ? placeOf(over)?.column : undefined;
      if (position === undefined || position < 0) return;
      const target = position + (after ? 1 : 0);
      const from = grid.selection.cursor.column;
      if (target !== from && target !== from + 1) grid.columns.drop(column, target > from ? target - 1 : target);
    },
  );
}

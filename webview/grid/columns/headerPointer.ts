/** Pointer input in the header: click to sort, drag to move a column, drag its edge to resize it. */
import type { GridController } from '../controller.ts';
import { placeOf } from '../pointer.ts';

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
      return;
    }
    grid.moveTo({ row: -1, column: place.column }, event.shiftKey, true);
    if (target.closest('.grid-handle')) resizeByDragging(scroller, event, grid);
    else if (event.shiftKey || event.ctrlKey || event.metaKey) grid.select('columns');
    else moveByDragging(scroller, event, grid);
  });

  scroller.addEventListener('dblclick', ({ target }) => {
    if (target instanceof Element && target.closest('.grid-handle')) grid.columns.widen(undefined);
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
  const column = grid.columns.current;
  const width = grid.columns.width(column);
  drag(
    scroller,
    start,
    ({ clientX }) => grid.columns.resize(column, width + clientX - start.clientX),
    () => undefined,
  );
}

function moveByDragging(scroller: HTMLElement, start: PointerEvent, grid: GridController): void {
  const column = grid.columns.current;
  let over: HTMLElement | undefined;
  let after = false;
  let dragged = false;
  const unmark = (): void => over?.classList.remove('is-drop-before', 'is-drop-after');
  drag(
    scroller,
    start,
    ({ clientX, clientY }) => {
      dragged ||= Math.abs(clientX - start.clientX) > SLOP;
      if (!dragged) return;
      unmark();
      const target = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('.grid-heading');
      over = target && scroller.contains(target) ? target : undefined;
      if (!over) return;
      const box = over.getBoundingClientRect();
      after = clientX > box.left + box.width / 2;
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
      grid.columns.drop(column, target > from ? target - 1 : target);
    },
  );
}

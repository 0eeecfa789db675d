/** Keyboard input of the grid, as in the ARIA grid pattern. */
import { WIDTH_STEP } from './columns/columnCommands.ts';
import type { GridController } from './controller.ts';
import { openGridMenu } from './menus.ts';
import type { CellPosition } from './selection.ts';

/** Handles a key pressed inside the grid. @returns whether the key was handled */
export function handleKey(event: KeyboardEvent, grid: GridController): boolean {
  const modified = event.ctrlKey || event.metaKey;
  const { key, shiftKey } = event;
  const { cursor } = grid.selection;
  if (cursor.row < 0 && handleHeaderKey(event, grid, modified)) return true;
  // The editor has commands for these keys.
  if (cursor.row < 0 && modified && key.startsWith('Arrow')) return false;
  const target = targetOf(key, modified, cursor, grid);
  if (target && !event.altKey) {
    grid.moveTo(target, shiftKey, true);
    return true;
  }
  switch (key) {
    case ' ':
      if (!modified && !shiftKey) return false;
      grid.select(modified ? (shiftKey ? 'all' : 'columns') : 'rows');
      return true;
    case 'a':
      if (!modified) return false;
      grid.select('all');
      return true;
    case 'c':
      if (!modified || shiftKey || event.altKey) return false;
      grid.copy('tsv');
      return true;
    case 'Enter':
    case 'F2':
      if (cursor.row >= 0) grid.openCell();
      return cursor.row >= 0;
    case 'Escape':
      return grid.collapse();
    case 'ContextMenu':
      openGridMenu(grid);
      return true;
    case 'F10':
      if (shiftKey) openGridMenu(grid);
      return shiftKey;
    default:
      return false;
  }
}

function handleHeaderKey({ key, shiftKey, altKey }: KeyboardEvent, grid: GridController, modified: boolean): boolean {
  const step = key === 'ArrowLeft' ? -1 : key === 'ArrowRight' ? 1 : 0;
  if (step !== 0 && modified && shiftKey) grid.columns.move(step);
  else if (step !== 0 && altKey && shiftKey) grid.columns.widen(step * WIDTH_STEP);
  else if (key === 'ArrowDown' && altKey && !modified) openGridMenu(grid);
  else if ((key === 'Enter' || key === ' ') && !modified && !shiftKey) grid.toggleSort();
  else return false;
  return true;
}

function targetOf(
  key: string,
  modified: boolean,
  { row, column }: CellPosition,
  grid: GridController,
): CellPosition | undefined {
  const lastRow = grid.rowCount - 1;
  const lastColumn = grid.columnCount - 1;
  switch (key) {
    case 'ArrowUp':
      return { row: modified ? Math.min(row, 0) : row - 1, column };
    case 'ArrowDown':
      return { row: modified ? lastRow : row + 1, column };
    case 'ArrowLeft':
      return { row, column: modified ? 0 : column - 1 };
    case 'ArrowRight':
      return { row, column: modified ? lastColumn : column + 1 };
    case 'Home':
      return { row: modified ? 0 : row, column: 0 };
    case 'End':
      return { row: modified ? lastRow : row, column: lastColumn };
    case 'PageUp':
      return { row: row < 0 ? row : Math.max(0, row - grid.view.pageRows), column };
    case 'PageDown':
      return { row: row + grid.view.pageRows, column };
    default:
      return undefined;
  }
}

/** The menu items of headers and cells. */
import { isMac } from '../ui/dom.ts';
import type { GridActions } from './actions.ts';
import { WIDTH_STEP } from './keyboard.ts';
import type { MenuItem } from '../menu/menu.ts';
import type { GridState } from './gridState.ts';
import type { GridWords } from './words.ts';

const ctrl = (key: string): string => (isMac ? `⌘${key}` : `Ctrl+${key}`);
const moveKeys = (arrow: string): string => (isMac ? `⇧⌘${arrow}` : `Ctrl+Shift+${arrow}`);
const widthKeys = (arrow: string): string => (isMac ? `⌥⇧${arrow}` : `Shift+Alt+${arrow}`);

/** @returns the items for the column under the cursor */
export function headerItems(grid: GridActions, state: GridState, words: GridWords): MenuItem[] {
  const column = state.cursorColumn;
  const { layout, view } = state;
  const isSorted = view.sorting?.column === column;
  const isFrozen = layout.isFrozen(column);
  return [
    { label: words.sortAscending, run: () => grid.sort('ascending') },
    { label: words.sortDescending, run: () => grid.sort('descending') },
    ...(isSorted ? [{ label: words.sortNone, run: () => grid.sort(undefined) }] : []),
    { label: words.filter, group: true, run: () => grid.openFilter() },
    ...(view.filters.has(column) ? [{ label: words.filterClear, run: () => grid.filter(undefined) }] : []),
    { label: isFrozen ? words.unfreeze : words.freeze, group: true, run: () => grid.columns.freeze(!isFrozen) },
    ...(grid.columnCount > 1 ? [{ label: words.hide, run: () => grid.columns.hide(column, true) }] : []),
    { label: words.columns, run: () => grid.openColumns() },
    { label: words.moveLeft, keys: moveKeys('←'), group: true, run: () => grid.columns.move(-1) },
    { label: words.moveRight, keys: moveKeys('→'), run: () => grid.columns.move(1) },
    { label: words.wider, keys: widthKeys('→'), run: () => grid.columns.widen(WIDTH_STEP) },
    { label: words.narrower, keys: widthKeys('←'), run: () => grid.columns.widen(-WIDTH_STEP) },
    { label: words.fit, run: () => grid.columns.widen(undefined) },
    { label: words.selectColumn, group: true, keys: ctrl('Space'), run: () => grid.select('columns') },
  ];
}

/** @returns the items for the selected cells */
export function cellItems(grid: GridActions, words: GridWords): MenuItem[] {
  return [
    { label: words.details, keys: 'Enter', run: () => grid.openCell() },
    { label: words.copy, keys: ctrl('C'), group: true, run: () => grid.copy('tsv', undefined) },
    { label: words.copyWithHeaders, run: () => grid.copy('tsv', true) },
    { label: words.copyAsCsv, run: () => grid.copy('csv', true) },
    { label: words.copyAsJson, run: () => grid.copy('json', true) },
    { label: words.copyAsMarkdown, run: () => grid.copy('markdown', true) },
    { label: words.copyAsSqlIn, run: () => grid.copy('sqlIn', false) },
    { label: words.filterByValue, group: true, run: () => grid.filterByValue() },
    { label: words.selectAll, keys: ctrl('A'), group: true, run: () => grid.select('all') },
  ];
}

/** @returns one item per column, checked if the column is visible */
export function columnItems(grid: GridActions, state: GridState): MenuItem[] {
  return state.columns.map(({ name }, column) => ({
    label: name,
    checked: !state.layout.isHidden(column),
    run: () => grid.columns.hide(column, !state.layout.isHidden(column)),
  }));
}

/** The menu items of headers and cells. */
import { t } from '../../src/shared/text/l10n.ts';
import { isMac } from '../ui/dom.ts';
import type { GridActions } from './actions.ts';
import { WIDTH_STEP } from './keyboard.ts';
import type { MenuItem } from '../menu/menu.ts';
import type { GridState } from './gridState.ts';

const ctrl = (key: string): string => (isMac ? `⌘${key}` : `Ctrl+${key}`);
const moveKeys = (arrow: string): string => (isMac ? `⇧⌘${arrow}` : `Ctrl+Shift+${arrow}`);
const widthKeys = (arrow: string): string => (isMac ? `⌥⇧${arrow}` : `Shift+Alt+${arrow}`);

/** @returns the items for the column under the cursor */
export function headerItems(grid: GridActions, state: GridState): MenuItem[] {
  const column = state.cursorColumn;
  const { layout, view } = state;
  const isSorted = view.sorting?.column === column;
  const isFrozen = layout.isFrozen(column);
  return [
    { label: t('Sort Ascending'), run: () => grid.sort('ascending') },
    { label: t('Sort Descending'), run: () => grid.sort('descending') },
    ...(isSorted ? [{ label: t('Remove Sort'), run: () => grid.sort(undefined) }] : []),
    { label: t('Filter…'), group: true, run: () => grid.openFilter() },
    ...(view.filters.has(column) ? [{ label: t('Remove Filter'), run: () => grid.filter(undefined) }] : []),
    {
      label: isFrozen ? t('Unfreeze Column') : t('Freeze Column'),
      group: true,
      run: () => grid.columns.freeze(!isFrozen),
    },
    ...(grid.columnCount > 1 ? [{ label: t('Hide Column'), run: () => grid.columns.hide(column, true) }] : []),
    { label: t('Show and Hide Columns…'), run: () => grid.openColumns() },
    { label: t('Move Left'), keys: moveKeys('←'), group: true, run: () => grid.columns.move(-1) },
    { label: t('Move Right'), keys: moveKeys('→'), run: () => grid.columns.move(1) },
    { label: t('Make Wider'), keys: widthKeys('→'), run: () => grid.columns.widen(WIDTH_STEP) },
    { label: t('Make Narrower'), keys: widthKeys('←'), run: () => grid.columns.widen(-WIDTH_STEP) },
    { label: t('Fit to Content'), run: () => grid.columns.widen(undefined) },
    { label: t('Select Column'), group: true, keys: ctrl('Space'), run: () => grid.select('columns') },
  ];
}

/** @returns the items for the selected cells */
export function cellItems(grid: GridActions): MenuItem[] {
  return [
    { label: t('Show Value'), keys: 'Enter', run: () => grid.openCell() },
    { label: t('Copy'), keys: ctrl('C'), group: true, run: () => grid.copy('tsv', undefined) },
    { label: t('Copy with Headers'), run: () => grid.copy('tsv', true) },
    { label: t('Copy as CSV'), run: () => grid.copy('csv', true) },
    { label: t('Copy as JSON'), run: () => grid.copy('json', true) },
    { label: t('Copy as Markdown'), run: () => grid.copy('markdown', true) },
    { label: t('Copy as SQL IN List'), run: () => grid.copy('sqlIn', false) },
    { label: t('Filter by This Value'), group: true, run: () => grid.filterByValue() },
    { label: t('Select All'), keys: ctrl('A'), group: true, run: () => grid.select('all') },
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

/** The menus of headers and cells. */
import { t } from '../../src/shared/text/l10n.ts';
import { isMac } from '../ui/dom.ts';
import { openMenu, type Anchor, type MenuItem } from '../menu/menu.ts';
import { WIDTH_STEP } from './columns/columnCommands.ts';
import type { GridController } from './controller.ts';

const ctrl = (key: string): string => (isMac ? `⌘${key}` : `Ctrl+${key}`);
const moveKeys = (arrow: string): string => (isMac ? `⇧⌘${arrow}` : `Ctrl+Shift+${arrow}`);
const widthKeys = (arrow: string): string => (isMac ? `⌥⇧${arrow}` : `Shift+Alt+${arrow}`);

/** Opens the menu of the cell or header under the cursor. */
export function openGridMenu(grid: GridController, anchor: Anchor | undefined = cursorElement(grid)): void {
  if (grid.selection.cursor.row >= 0) return open(grid, anchor, t('Actions for the selection'), cellItems(grid));
  const { columns, cursorColumn } = grid.state;
  open(grid, anchor, t('Actions for column {0}', columns[cursorColumn]!.name), headerItems(grid));
}

const cursorElement = ({ view, selection }: GridController): HTMLElement | undefined => view.element(selection.cursor);

function open({ view }: GridController, anchor: Anchor | undefined, label: string, items: readonly MenuItem[]): void {
  if (anchor) openMenu(view.frame, anchor, label, items, () => view.focus());
}

/** @returns the items for the column under the cursor */
function headerItems(grid: GridController): MenuItem[] {
  const { layout, view, cursorColumn: column } = grid.state;
  const isSorted = view.sorting?.column === column;
  const columns = t('Show and Hide Columns…');
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
    { label: columns, run: () => open(grid, cursorElement(grid), columns, columnItems(grid)) },
    { label: t('Move Left'), keys: moveKeys('←'), group: true, run: () => grid.columns.move(-1) },
    { label: t('Move Right'), keys: moveKeys('→'), run: () => grid.columns.move(1) },
    { label: t('Make Wider'), keys: widthKeys('→'), run: () => grid.columns.widen(WIDTH_STEP) },
    { label: t('Make Narrower'), keys: widthKeys('←'), run: () => grid.columns.widen(-WIDTH_STEP) },
    { label: t('Fit to Content'), run: () => grid.columns.widen(undefined) },
    { label: t('Select Column'), group: true, keys: ctrl('Space'), run: () => grid.select('columns') },
  ];
}

/** @returns the items for the selected cells */
function cellItems(grid: GridController): MenuItem[] {
  return [
    { label: t('Show Value'), keys: 'Enter', run: () => grid.openCell() },
    { label: t('Copy'), keys: ctrl('C'), group: true, run: () => grid.copy('tsv') },
    { label: t('Copy with Headers'), run: () => grid.copy('tsv', true) },
    { label: t('Copy as CSV'), run: () => grid.copy('csv', true) },
    { label: t('Copy as JSON'), run: () => grid.copy('json', true) },
    { label: t('Copy as Markdown'), run: () => grid.copy('markdown', true) },
    { label: t('Copy as SQL IN List'), run: () => grid.copy('sqlIn') },
    { label: t('Filter by This Value'), group: true, run: () => grid.filterByValue() },
    { label: t('Select All'), keys: ctrl('A'), group: true, run: () => grid.select('all') },
  ];
}

/** @returns one item per column, checked if the column is visible */
function columnItems({ state, columns }: GridController): MenuItem[] {
  return state.columns.map(({ name }, column) => ({
    label: name,
    checked: !state.layout.isHidden(column),
    run: () => columns.hide(column, !state.layout.isHidden(column)),
  }));
}

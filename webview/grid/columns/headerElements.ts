/**
 * Renders the header row: names, menu buttons and resize handles. CSS shows the sort and filter icons, and the buttons
 * only in the header under the pointer or with the focus.
 */
import { t } from '../../../src/shared/text/l10n.ts';
import { element } from '../../ui/dom.ts';
import { placeCells, type Columns } from '../rows/placeCells.ts';
import type { GridState } from '../gridState.ts';

interface HeaderCell {
  element: HTMLElement;
  label: Text;
  menu: HTMLButtonElement;
  frozen: boolean;
  version: number;
  /** The state that was last rendered, as text. */
  shown: string;
}

export class HeaderElements {
  readonly row: HTMLElement;
  readonly #corner: HTMLElement;
  readonly #state: GridState;
  readonly #cells = new Map<number, HeaderCell>();
  #placed: Columns | undefined;

  constructor(state: GridState) {
    this.#state = state;
    this.row = element('div', 'grid-row grid-header');
    this.row.role = 'row';
    this.row.ariaRowIndex = '1';
    this.#corner = element('div', 'grid-number', '#');
    this.#corner.role = 'columnheader';
    this.#corner.ariaColIndex = '1';
    this.#corner.ariaLabel = t('Row');
    this.row.append(this.#corner);
  }

  /** @returns the header of the column at a visible position, if it is rendered */
  cell(position: number): HTMLElement | undefined {
    return this.#cells.get(position)?.element;
  }

  /**
   * Renders the headers of these columns and removes all others.
   * @param version a new number if the content of the headers may have changed
   */
  draw(columns: Columns, version: number): void {
    if (this.#placed !== columns)
      placeCells(this.#corner, this.#cells, columns, (position) => this.#cells.get(position) ?? this.#create(position));
    this.#placed = columns;
    for (const [position, cell] of this.#cells) {
      if (cell.version !== version) this.#fill(cell, position);
      cell.version = version;
    }
  }

  /** Makes the header under the cursor the tab stop. */
  markCursor(): void {
    for (const [position, { element }] of this.#cells) this.#markCell(element, position);
  }

  #markCell(heading: HTMLElement, position: number): void {
    const { cursor } = this.#state.selection;
    const tabIndex = cursor.row === -1 && cursor.column === position ? 0 : -1;
    if (heading.tabIndex !== tabIndex) heading.tabIndex = tabIndex;
  }

  #create(position: number): HeaderCell {
    const created = element('div', 'grid-heading');
    created.role = 'columnheader';
    created.ariaColIndex = String(position + 2);
    created.tabIndex = -1;
    const label = document.createTextNode('');
    const name = element('span', 'grid-name');
    name.append(label);
    const menu = iconButton('chevron-down', '');
    menu.tabIndex = -1;
    created.append(name, menu, element('span', 'grid-handle'));
    return { element: created, label, menu, frozen: false, version: -1, shown: '' };
  }

  #fill(cell: HeaderCell, position: number): void {
    const { layout, columns, view } = this.#state;
    const column = layout.visible[position]!;
    const { name, kind } = columns[column]!;
    const direction = view.sorting?.column === column ? view.sorting.direction : undefined;
    const filtered = view.filters.has(column);
    this.#markCell(cell.element, position);
    const shown = JSON.stringify([name, kind, direction, filtered]);
    if (cell.shown === shown) return;
    cell.shown = shown;
    cell.label.data = name;
    cell.element.title = name;
    cell.element.ariaSort = direction ?? 'none';
    cell.element.ariaDescription = filtered ? t('filtered') : null;
    cell.element.classList.toggle('is-number', kind === 'number');
    cell.element.classList.toggle('is-filtered', filtered);
    cell.menu.title = cell.menu.ariaLabel = t('Actions for column {0}', name);
  }
}

/** @returns a button that shows a codicon; `label` is its accessible name and tooltip */
export function iconButton(name: string, label: string): HTMLButtonElement {
  const button = element('button', `grid-icon-button codicon codicon-${name}`);
  button.type = 'button';
  button.ariaLabel = label;
  button.title = label;
  return button;
}

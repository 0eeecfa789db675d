/** Renders the rows in view, reusing the elements of rows that have left it. */
import { isNull, type CellKind, type Row } from '../../../src/shared/results/cells.ts';
import { element } from '../../ui/dom.ts';
import { placeCells, type Columns } from './placeCells.ts';
import { contains, type CellRange } from '../selection.ts';
import type { GridState } from '../gridState.ts';
import type { VirtualItem } from './viewport.ts';

/** A cell and its rendered state, cached because reading it from the DOM is slow. */
interface Cell {
  element: HTMLElement;
  text: Text;
  row: number;
  version: number;
  kind: CellKind | undefined;
  missing: boolean;
  selected: boolean;
  hasCursor: boolean;
  frozen: boolean;
}

interface RowElement {
  element: HTMLElement;
  number: HTMLElement;
  cells: Map<number, Cell>;
  /** The column positions last applied to its cells. */
  placed: Columns | undefined;
  version: number;
}

export class RowElements {
  readonly #body: HTMLElement;
  readonly #state: GridState;
  readonly #inUse = new Map<number, RowElement>();

  constructor(body: HTMLElement, state: GridState) {
    this.#body = body;
    this.#state = state;
  }

  /**
   * Renders these rows and removes all others.
   * @param version a new number if every cell must be rendered again
   */
  draw(items: readonly VirtualItem[], columns: Columns, version: number): void {
    const wanted = new Set(items.map(({ index }) => index));
    const free: RowElement[] = [];
    for (const [row, used] of this.#inUse) {
      if (wanted.has(row)) continue;
      this.#inUse.delete(row);
      free.push(used);
    }
    const { range } = this.#state;
    for (const { index, start } of items) {
      const used = this.#inUse.get(index);
      if (used?.placed === columns && used.version === version) continue;
      this.#fill(used ?? this.#take(free.pop(), index, start), index, columns, version, range);
    }
    for (const { element } of free) element.remove();
  }

  /** @returns the element of a cell, if it is rendered */
  cell(row: number, position: number): HTMLElement | undefined {
    return this.#inUse.get(row)?.cells.get(position)?.element;
  }

  /** Updates the selected state and the tab stop of the rendered cells. */
  markSelection(): void {
    const { range } = this.#state;
    for (const [row, used] of this.#inUse) {
      this.#markRow(used, row, range);
      for (const [position, cell] of used.cells) this.#markCell(cell, row, position, range);
    }
  }

  #take(free: RowElement | undefined, row: number, start: number): RowElement {
    const taken = free ?? this.#create();
    taken.element.ariaRowIndex = String(row + 2);
    taken.element.style.transform = `translateY(${start}px)`;
    taken.element.classList.toggle('is-odd', row % 2 === 1);
    this.#inUse.set(row, taken);
    return taken;
  }

  #create(): RowElement {
    const created = element('div', 'grid-row');
    created.role = 'row';
    const number = element('div', 'grid-number');
    number.role = 'rowheader';
    number.ariaColIndex = '1';
    created.append(number);
    this.#body.append(created);
    return { element: created, number, cells: new Map(), placed: undefined, version: -1 };
  }

  #fill(used: RowElement, row: number, columns: Columns, version: number, range: CellRange | undefined): void {
    if (used.placed !== columns) {
      placeCells(
        used.number,
        used.cells,
        columns,
        (position) => used.cells.get(position) ?? this.#createCell(position),
      );
      used.placed = columns;
    }
    used.version = version;
    const number = String(this.#state.view.rowNumber(row) + 1);
    if (used.number.textContent !== number) used.number.textContent = number;
    this.#markRow(used, row, range);
    const values = this.#state.view.row(row);
    for (const [position, cell] of used.cells) {
      if (cell.row === row && cell.version === version) continue;
      cell.row = row;
      cell.version = version;
      this.#fillCell(cell, position, values);
      this.#markCell(cell, row, position, range);
    }
  }

  #createCell(position: number): Cell {
    const created = element('div', 'grid-cell');
    created.role = 'gridcell';
    created.ariaColIndex = String(position + 2);
    created.ariaSelected = 'false';
    created.tabIndex = -1;
    const text = document.createTextNode('');
    created.append(text);
    const plain = { kind: undefined, missing: false, selected: false, hasCursor: false, frozen: false };
    return { element: created, text, row: -1, version: -1, ...plain };
  }

  #fillCell(cell: Cell, position: number, values: Row | undefined): void {
    const { layout, columns } = this.#state;
    const column = layout.visible[position]!;
    const value = values?.[column];
    const missing = isNull(value);
    const text = missing ? 'NULL' : this.#state.display(column, value);
    if (cell.text.data !== text) cell.text.data = text;
    const { kind } = columns[column]!;
    if (cell.kind !== kind) cell.element.setAttribute('data-kind', kind);
    if (cell.missing !== missing) cell.element.classList.toggle('is-null', missing);
    cell.kind = kind;
    cell.missing = missing;
  }

  #markRow({ number }: RowElement, row: number, range: CellRange | undefined): void {
    number.classList.toggle('is-selected', range !== undefined && row >= range.top && row <= range.bottom);
  }

  #markCell(cell: Cell, row: number, position: number, range: CellRange | undefined): void {
    const { cursor } = this.#state.selection;
    const selected = contains(range, row, position);
    if (cell.selected !== selected) {
      cell.element.ariaSelected = String(selected);
      cell.element.classList.toggle('is-in-range', selected);
    }
    cell.selected = selected;
    const hasCursor = row === cursor.row && position === cursor.column;
    if (cell.hasCursor !== hasCursor) {
      cell.element.tabIndex = hasCursor ? 0 : -1;
      cell.element.classList.toggle('has-cursor', hasCursor);
    }
    cell.hasCursor = hasCursor;
  }
}

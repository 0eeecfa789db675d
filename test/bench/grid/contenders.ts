/** Each grid, set up as its documentation describes. */
import {
  provideVSCodeDesignSystem,
  vsCodeDataGrid,
  vsCodeDataGridCell,
  vsCodeDataGridRow,
} from '@vscode/webview-ui-toolkit';
import { AllCommunityModule, createGrid as createAgGrid, ModuleRegistry } from 'ag-grid-community';
import Clusterize from 'clusterize.js';
import { createGrid } from '../../../webview/grid/createGrid.ts';
import { CATEGORY, type BenchColumn, type BenchRow } from './data.ts';
import { drawVisibleRows, drawWholeCells } from './limit.ts';

/** A grid on the page. */
export interface Mounted {
  scroller: HTMLElement;
  rowHeight: number;
  /**
   * Prepares for sorting, for example by opening a menu. @returns a function that sorts by the second column, ascending
   */
  sort?: () => () => void;
  /** Prepares for filtering. @returns a function that keeps the rows of one category */
  filter?: () => () => void;
  /** Opens the menu with which to filter. @returns a function that closes it and does nothing else */
  menu?: () => () => void;
  dispose(): void;
}

/** The rows and columns that every grid shows. */
export interface Table {
  columns: readonly BenchColumn[];
  rows: readonly BenchRow[];
  /** The same rows as objects by column name. */
  objects: readonly Record<string, unknown>[];
}

export type Contender = (container: HTMLElement, table: Table) => Mounted;

ModuleRegistry.registerModules([AllCommunityModule]);
provideVSCodeDesignSystem().register(vsCodeDataGrid(), vsCodeDataGridRow(), vsCodeDataGridCell());

const press = (element: Element, key: string, modifiers: KeyboardEventInit = {}): boolean =>
  element.dispatchEvent(new KeyboardEvent('keydown', { key, ...modifiers, bubbles: true, cancelable: true }));

function ours(container: HTMLElement, { columns, rows }: Table): Mounted {
  const grid = createGrid(
    container,
    { name: 'Results', columns, rows },
    { onCopy: () => undefined, onAnnounce: () => undefined },
  );
  const scroller = container.querySelector<HTMLElement>('[role=grid]')!;
  /** Opens the menu of a cell with the category to filter by. */
  const openMenu = (): HTMLElement[] => {
    grid.focus();
    press(scroller, 'Home', { ctrlKey: true });
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowDown', 'ArrowDown', 'ArrowDown']) press(scroller, key);
    press(scroller, 'F10', { shiftKey: true });
    return [...container.querySelectorAll<HTMLElement>('[role=menuitem]')];
  };
  return {
    scroller,
    rowHeight: 22,
    sort() {
      grid.focus();
      press(scroller, 'ArrowUp');
      press(scroller, 'ArrowRight');
      return () => press(scroller, 'Enter');
    },
    filter() {
      const item = openMenu().find(({ textContent }) => textContent === 'Filter by This Value');
      return () => item!.click();
    },
    menu() {
      const [item] = openMenu();
      return () => press(item!, 'Tab');
    },
    dispose: () => grid.dispose(),
  };
}

function agGrid(container: HTMLElement, { columns, objects }: Table): Mounted {
  const api = createAgGrid(container, {
    columnDefs: columns.map(({ name }) => ({ field: name, filter: true })),
    rowData: [...objects],
  });
  return {
    scroller: container.querySelector<HTMLElement>('.ag-body-viewport, .ag-grid-viewport')!,
    rowHeight: 42,
    sort: () => () => api.applyColumnState({ state: [{ colId: columns[1]!.name, sort: 'asc' }] }),
    filter: () => () =>
      api.setFilterModel({ [columns[2]!.name]: { filterType: 'text', type: 'equals', filter: CATEGORY } }),
    dispose: () => api.destroy(),
  };
}

function scrolling(container: HTMLElement): HTMLElement {
  const scroller = document.createElement('div');
  scroller.className = 'scrolling';
  container.append(scroller);
  return scroller;
}

function toolkit(container: HTMLElement, { objects }: Table): Mounted {
  const scroller = scrolling(container);
  const grid = document.createElement('vscode-data-grid') as HTMLElement & { rowsData: object[] };
  grid.rowsData = [...objects];
  scroller.append(grid);
  return { scroller, rowHeight: 26, dispose: () => scroller.remove() };
}

function clusterize(container: HTMLElement, { rows }: Table): Mounted {
  const scroller = scrolling(container);
  const table = document.createElement('table');
  const body = document.createElement('tbody');
  body.className = 'clusterize-content';
  table.append(body);
  scroller.append(table);
  const markup = rows.map((row) => `<tr>${row.map((cell) => `<td>${cell ?? 'NULL'}</td>`).join('')}</tr>`);
  const list = new Clusterize({ rows: markup, scrollElem: scroller, contentElem: body });
  return {
    scroller,
    rowHeight: 22,
    dispose() {
      list.destroy(true);
      scroller.remove();
    },
  };
}

function plainTable(container: HTMLElement, { rows }: Table): Mounted {
  const scroller = scrolling(container);
  const table = document.createElement('table');
  for (const row of rows) {
    const line = table.insertRow();
    for (const cell of row) line.insertCell().textContent = cell === null ? 'NULL' : String(cell);
  }
  scroller.append(table);
  return { scroller, rowHeight: 22, dispose: () => scroller.remove() };
}

export const contenders: Record<string, Contender> = {
  ours,
  limit: drawVisibleRows,
  'whole cells': drawWholeCells,
  agGrid,
  clusterize,
  toolkit,
  plainTable,
};

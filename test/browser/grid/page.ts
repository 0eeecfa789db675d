/** The page of the grid tests. It records what the grid reports for the tests. */
import '@vscode/codicons/dist/codicon.css';
import type { GridController } from '../../../webview/grid/controller.ts';
import { handleKey } from '../../../webview/grid/keyboard.ts';
import { createGrid, type GridHandle, type GridInput } from '../../../webview/grid/createGrid.ts';

export interface GridPage {
  violations: string[];
  copied: string[];
  announced: string[];
  grid: GridHandle | undefined;
  /** Replaces the grid of the page. */
  show(input: GridInput): void;
  pressed: typeof pressed;
}

declare global {
  interface Window {
    gridPage: GridPage;
  }
}

/**
 * Handles a key such as `Ctrl+Shift+ArrowUp` with the cursor in a grid of 50 rows and 4 columns.
 * @param isLarge whether more than a cell is selected
 * @returns what was done, and whether the key was handled
 */
function pressed(place: readonly [row: number, column: number], keys: string, isLarge = true): string {
  const done: string[] = [];
  const does =
    (name: string) =>
    (...given: unknown[]) => {
      done.push([name, ...given.map((each) => JSON.stringify(each) ?? '')].join(' ').trim());
      return isLarge;
    };
  const cursor = { row: place[0], column: place[1] };
  const layout = { isFrozen: () => false };
  const state = { columns: [{ name: 'c' }], cursorColumn: 0, view: { filters: new Map() }, layout };
  const grid = {
    ...{ selection: { cursor }, rowCount: 50, columnCount: 4, state },
    view: { pageRows: 10, element: () => void done.push('menu') },
    columns: { move: does('move'), widen: does('widen') },
    moveTo: ({ row, column }: typeof cursor, extend: boolean, reveal: boolean) =>
      done.push(`to ${row}/${column}${extend ? ' extend' : ''}${reveal ? '' : ' hidden'}`),
    ...{ select: does('select'), copy: does('copy'), openCell: does('open'), collapse: does('collapse') },
    toggleSort: does('sort'),
  };
  const key = keys.split('+').at(-1)!;
  const event = {
    key: key === 'Space' ? ' ' : key,
    ...{ ctrlKey: keys.includes('Ctrl'), metaKey: keys.includes('Meta') },
    ...{ shiftKey: keys.includes('Shift'), altKey: keys.includes('Alt') },
  };
  const handled = handleKey(event as KeyboardEvent, grid as unknown as GridController);
  return [...done, ...(handled ? [] : ['not handled'])].join(', ');
}

window.gridPage = {
  violations: [],
  copied: [],
  announced: [],
  grid: undefined,
  pressed,
  show(input) {
    this.grid?.dispose();
    this.copied = [];
    this.announced = [];
    this.grid = createGrid(document.querySelector('main')!, input, {
      onCopy: (text) => this.copied.push(text),
      onAnnounce: (text) => this.announced.push(text),
    });
  },
};
document.addEventListener('securitypolicyviolation', (event) => {
  window.gridPage.violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
});

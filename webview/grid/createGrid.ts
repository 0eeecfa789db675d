/**
 * The results grid: virtualized rows and columns, keyboard support as in the ARIA grid pattern, sorting, filtering,
 * column layout, selection and copying. Requires the codicon font and no framework.
 */
import type { Arrangement } from '../../src/shared/results/arrange.ts';
import type { ResultFormat } from '../../src/shared/results/encode.ts';
import type { Sliced } from '../../src/shared/results/slices.ts';
import { columnMeasure } from './columns/columnMeasure.ts';
import { GridController, type GridEvents } from './controller.ts';
import { handleKey } from './keyboard.ts';
import { handleHeaderPointer, selectByPointer } from './pointer.ts';
import { encodeRange, GridState, type GridTable } from './gridState.ts';
import { SummaryLine } from './summaryLine.ts';
import { GridView } from './gridView.ts';
import './grid.css';

export interface GridInput extends GridTable {
  /** Accessible name, which begins with "Results". */
  name: string;
  /** Whether copied text that a spreadsheet would parse as a formula is prefixed with `'`; true by default. */
  guardFormulas?: boolean;
}

export interface GridHandle {
  /** Shows another table, or the same one with more rows; `rows` may be the same array with rows appended. */
  update(table: GridTable): void;
  /** Which columns and rows are shown, and in which order. */
  readonly arrangement: Arrangement;
  /** Shows columns and rows as another grid of the same table does. */
  arrange(shown: Arrangement): void;
  /** Focuses the cell under the cursor. */
  focus(): void;
  /** @returns all rows as displayed: filtered, sorted and without hidden columns */
  encode(format: ResultFormat, headers: boolean): Sliced<string>;
  /** Removes the grid and its listeners. */
  dispose(): void;
}

/**
 * Creates a grid in a container, which should be in the document. The grid is as high as its rows, up to the CSS
 * variable `--results-grid-max-height`.
 */
export function createGrid(container: HTMLElement, input: GridInput, events: GridEvents): GridHandle {
  const state = new GridState(input, columnMeasure(container), () => controller.rowsChanged());
  state.selection.moveTo({ row: 0, column: 0 }, false, state.view.count, state.layout.visible.length);
  const view = new GridView(container, input.name, state);
  const summary = new SummaryLine(state);
  view.frame.append(summary.element);
  const { guardFormulas = true } = input;
  const controller = new GridController(state, view, summary, events, guardFormulas);

  const { scroller } = view;
  scroller.addEventListener('keydown', (event) => {
    if (event.target instanceof HTMLButtonElement || !handleKey(event, controller)) return;
    event.preventDefault();
    event.stopPropagation();
  });
  scroller.addEventListener('beforecopy', (event) => event.preventDefault());
  scroller.addEventListener('copy', (event) => {
    event.preventDefault();
    controller.copy('tsv');
  });
  selectByPointer(scroller, controller);
  handleHeaderPointer(scroller, controller);

  return {
    update: (table) => state.update(table),
    get arrangement() {
      return state.arrangement;
    },
    arrange: (shown) => state.arrange(shown),
    focus: () => view.focus(),
    encode(format, headers) {
      const range = { top: 0, bottom: state.view.count - 1, left: 0, right: state.layout.visible.length - 1 };
      return encodeRange(state, range, format, { headers, guardFormulas });
    },
    dispose() {
      state.view.dispose();
      summary.dispose();
      controller.dispose();
      view.dispose();
    },
  };
}

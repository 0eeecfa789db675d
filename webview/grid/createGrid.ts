/**
 * The results grid: virtualized rows and columns, keyboard support as in the ARIA grid pattern, sorting, filtering,
 * column layout, selection and copying. Requires the codicon font and no framework.
 */
import { cellText, isNull } from '../../src/shared/results/cells.ts';
import type { ResultFormat } from '../../src/shared/results/encode.ts';
import type { Sliced } from '../../src/shared/results/slices.ts';
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

/** Number of rows that are measured. */
const SAMPLE = 100;
/** Maximum width of a fitted column, in pixels; users can make it wider. */
const WIDEST = 320;
/** Pixels beside the text of a cell, and beside a name: padding, icons, menu button. */
const CELL_ROOM = 20;
const NAME_ROOM = 34;
const SHORTEST = 48;

/**
 * Computes the width that fits a column, from its name and its first rows.
 * @param inside element that defines the fonts of cells and headers
 * @returns a function that returns the fitting width of a column, in pixels
 */
export function columnMeasure(inside: HTMLElement): (state: GridState, column: number) => number {
  const context = document.createElement('canvas').getContext('2d');
  const style = getComputedStyle(inside);
  const fontOf = (family: string): string => `${style.fontSize} ${style.getPropertyValue(family) || style.fontFamily}`;
  const cellFont = fontOf('--vscode-editor-font-family');
  const nameFont = `600 ${fontOf('--vscode-font-family')}`;
  const measured = (text: string, font: string): number => {
    if (!context) return text.length * 8;
    context.font = font;
    return context.measureText(text).width;
  };
  return (state, column) => {
    // Format only the longest raw value: formatting every number for the locale is slow.
    const isNumber = state.columns[column]!.kind === 'number';
    let longest: unknown;
    let looks = 0;
    for (let row = 0; row < state.rows.length && row < SAMPLE; row++) {
      const cell = state.rows[row]?.[column];
      const found = isNull(cell) ? 0 : isNumber ? wholeDigits(cellText(cell)) : looksOf(cellText(cell));
      if (found > looks) [longest, looks] = [cell, found];
    }
    const text = isNull(longest) ? 'NULL' : state.display(column, longest);
    const content = Math.min(measured(text.slice(0, 200), cellFont) + CELL_ROOM, WIDEST);
    const name = Math.min(measured(state.columns[column]!.name, nameFont) + NAME_ROOM, WIDEST);
    return Math.ceil(Math.max(content, name, SHORTEST));
  };
}

/**
 * The numbers of a column have the same number of decimal places, so the one with the most integer digits is the
 * widest.
 */
const wholeDigits = (text: string): number => (text.includes('.') ? text.indexOf('.') + 1 : text.length + 1);

/** Estimates the width of text: characters above U+2E80, such as CJK, count twice. */
function looksOf(text: string): number {
  let looks = text.length;
  for (let at = 0; at < text.length && at < 200; at++) if (text.charCodeAt(at) > 0x2e80) looks++;
  return looks;
}

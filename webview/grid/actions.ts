/** The interfaces of a grid: its actions for the keyboard, the pointer and the menus, its callbacks and its settings. */
import type { ResultFormat } from '../../src/shared/results/encode.ts';
import type { ColumnFilter } from '../../src/shared/results/filter.ts';
import type { Direction } from '../../src/shared/results/sort.ts';
import type { Anchor } from '../menu/menu.ts';
import type { ColumnCommands } from './columns/columnCommands.ts';
import type { CellPosition, Selection, Span } from './selection.ts';

export interface GridActions {
  readonly selection: Selection;
  readonly columns: ColumnCommands;
  readonly rowCount: number;
  readonly columnCount: number;
  /** Number of rows that PageUp and PageDown move by. */
  readonly pageRows: number;
  /** Moves the cursor. `extend` keeps the selection's anchor; `reveal` scrolls to the cursor and focuses it. */
  moveTo(place: CellPosition, extend: boolean, reveal: boolean): void;
  /** Selects whole rows or columns around the cursor, or everything. */
  select(span: Span): void;
  /** Reduces the selection to the cursor. @returns whether it was larger */
  collapse(): boolean;
  /** Copies the selection, with column names if `headers` is true, or as configured if it is `undefined`. */
  copy(format: ResultFormat, headers: boolean | undefined): void;
  openCell(): void;
  /** Opens the menu of the cell or header under the cursor. */
  openMenu(anchor?: Anchor): void;
  /** Sorts by the cursor's column; `undefined` removes the sort. */
  sort(direction: Direction | undefined): void;
  /** Sorts by the cursor's column: ascending, then descending, then not at all. */
  toggleSort(): void;
  /** Filters the cursor's column; `undefined` removes its filter. */
  filter(filter: ColumnFilter | undefined): void;
  openFilter(): void;
  filterByValue(): void;
  openColumns(): void;
}

/** Callbacks of a grid. */
export interface GridEvents {
  /** Called with the copied text, which the caller writes to the clipboard. */
  onCopy(format: ResultFormat, text: string): void;
  /** Called with a short announcement for screen readers. */
  onAnnounce?(text: string): void;
}

export interface CopySettings {
  /** Whether a plain copy includes the column names. */
  headers: boolean;
  /** Whether text that a spreadsheet would parse as a formula is prefixed with `'`. */
  guardFormulas: boolean;
}

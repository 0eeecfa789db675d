/** What keys, pointer and menus can do with a grid. */
import type { ResultFormat } from '../../src/shared/results/encode.ts';
import type { ColumnFilter } from '../../src/shared/results/filter.ts';
import type { Direction } from '../../src/shared/results/sort.ts';
import type { ColumnCommands } from './columnCommands.ts';
import type { Anchor } from '../menu/popup.ts';
import type { Place, Selection, Span } from './selection.ts';

export interface GridActions {
  readonly selection: Selection;
  readonly columns: ColumnCommands;
  readonly rowCount: number;
  readonly columnCount: number;
  /** Rows that fit the height. */
  readonly pageRows: number;
  /** Moves the cursor; `reveal` scrolls it into sight. */
  moveTo(place: Place, extend: boolean, reveal: boolean): void;
  /** Selects whole rows or columns around the cursor, or everything. */
  select(span: Span): void;
  /** Shrinks the selection to the cursor. @returns whether it was larger */
  collapse(): boolean;
  /** Copies the selection; where `headers` is not given, as the settings say. */
  copy(format: ResultFormat, headers: boolean | undefined): void;
  openCell(): void;
  /** Opens the menu of the cursor's cell or header. */
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

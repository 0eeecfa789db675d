/** Performs the actions of a grid: updates the state, then the view. */
import { cellText, isNull } from '../../src/shared/results/cells.ts';
import { isNumeric } from '../../src/shared/results/decimal.ts';
import { formatNumber } from '../../src/shared/results/display.ts';
import type { ResultFormat } from '../../src/shared/results/encode.ts';
import { matcherFor, type ColumnFilter } from '../../src/shared/results/filter.ts';
import { plural, t } from '../../src/shared/text/l10n.ts';
import { runInSlices } from '../../src/shared/results/slices.ts';
import type { Direction } from '../../src/shared/results/sort.ts';
import { ColumnCommands } from './columns/columnCommands.ts';
import { openDetails, openFilterPanel } from './popups.ts';
import { cellCount, type CellPosition, type SelectionExtent } from './selection.ts';
import { encodeRange, type GridState } from './gridState.ts';
import type { SummaryLine } from './summaryLine.ts';
import type { GridView } from './gridView.ts';

/** Callbacks of a grid. */
export interface GridEvents {
  /** Called with the copied text, which the caller writes to the clipboard. */
  onCopy(text: string): void;
  /** Called with a short announcement for screen readers. */
  onAnnounce(text: string): void;
}

export class GridController {
  readonly columns: ColumnCommands;
  readonly state: GridState;
  readonly view: GridView;
  readonly #summary: SummaryLine;
  readonly #events: GridEvents;
  readonly #guardFormulas: boolean;
  #cancelCopy: () => void = () => undefined;

  constructor(state: GridState, view: GridView, summary: SummaryLine, events: GridEvents, guardFormulas: boolean) {
    this.state = state;
    this.view = view;
    this.#summary = summary;
    this.#events = events;
    this.#guardFormulas = guardFormulas;
    this.columns = new ColumnCommands(state, (place) => this.#layoutChanged(place));
  }

  get selection() {
    return this.state.selection;
  }

  get rowCount(): number {
    return this.state.view.count;
  }

  get columnCount(): number {
    return this.state.layout.visible.length;
  }

  /** Moves the cursor. `extend` keeps the selection's anchor; `reveal` scrolls to the cursor and focuses it. */
  moveTo(place: CellPosition, extend: boolean, reveal: boolean): void {
    this.selection.moveTo(place, extend, this.rowCount, this.columnCount);
    this.#showSelection(reveal);
  }

  /** Selects whole rows or columns around the cursor, or everything. */
  select(span: SelectionExtent): void {
    this.selection.select(span);
    this.#showSelection(false);
  }

  /** Reduces the selection to the cursor. @returns whether it was larger */
  collapse(): boolean {
    const { range } = this.state;
    if (!range || cellCount(range) === 1) return false;
    this.selection.collapse();
    this.#showSelection(false);
    return true;
  }

  /** Copies the selection, with column names if `headers` is true. */
  copy(format: ResultFormat, headers = false): void {
    const { range } = this.state;
    if (!range) return;
    this.#cancelCopy();
    const options = { headers, guardFormulas: this.#guardFormulas };
    this.#cancelCopy = runInSlices(encodeRange(this.state, range, format, options), (text) => {
      this.#events.onCopy(text);
      const cells = cellCount(range);
      this.#events.onAnnounce(plural(cells, '{0} cell copied|{0} cells copied', formatNumber(String(cells))));
    });
  }

  openCell(): void {
    const { cursor } = this.selection;
    const row = formatNumber(String(this.state.view.rowNumber(cursor.row) + 1));
    const title = t('{0}, row {1}', this.#column.name, row);
    openDetails(
      this.view.frame,
      title,
      this.#cursorCell,
      (text) => this.#events.onCopy(text),
      () => this.view.focus(),
    );
  }

  /** Sorts by the cursor's column; `undefined` removes the sort. */
  sort(direction: Direction | undefined): void {
    const column = this.state.cursorColumn;
    this.state.view.sort(direction && { column, direction });
    const { name } = this.#column;
    if (!direction) this.#events.onAnnounce(t('Sort removed'));
    else if (direction === 'ascending') this.#events.onAnnounce(t('Sorted by {0}, ascending', name));
    else this.#events.onAnnounce(t('Sorted by {0}, descending', name));
  }

  /** Sorts by the cursor's column: ascending, then descending, then not at all. */
  toggleSort(): void {
    const { sorting } = this.state.view;
    const direction = sorting?.column === this.state.cursorColumn ? sorting.direction : undefined;
    this.sort(direction === undefined ? 'ascending' : direction === 'ascending' ? 'descending' : undefined);
  }

  /** Filters the cursor's column; `undefined` removes its filter. */
  filter(filter: ColumnFilter | undefined): void {
    this.state.view.filter(this.state.cursorColumn, filter);
  }

  openFilter(): void {
    const anchor = this.view.element({ ...this.selection.cursor, row: -1 });
    const column = this.state.cursorColumn;
    if (!anchor) return;
    openFilterPanel(
      this.view.frame,
      anchor,
      this.#column,
      this.state.view.filters.get(column),
      (filter) => this.state.view.filter(column, filter),
      () => this.view.focus(),
    );
  }

  filterByValue(): void {
    const cell = this.#cursorCell;
    const text = cellText(cell);
    const empty = isNull(cell) || text === '';
    // Write a number as users type it, with the decimal separator of the locale.
    const { kind } = this.#column;
    const value = kind === 'number' && isNumeric(text) ? formatNumber(text, undefined, false) : text;
    const filter = { value, to: '', condition: empty ? 'empty' : 'equals' } as const;
    // `NaN`, `infinity` and the like are not numbers or times to compare with.
    this.filter(matcherFor(kind, filter) ? filter : { ...filter, condition: 'contains' });
  }

  /** Updates the view after a sort, a filter or a change of the table's rows. */
  rowsChanged(): void {
    const { cursor } = this.selection;
    this.selection.moveTo(cursor, cursor.row >= 0, this.rowCount, this.columnCount);
    const hadFocus = this.view.hasFocus;
    this.view.refresh();
    if (hadFocus && !this.view.hasFocus) this.view.reveal(true);
    this.#summary.refresh();
  }

  dispose(): void {
    this.#cancelCopy();
  }

  get #column() {
    return this.state.columns[this.state.cursorColumn]!;
  }

  get #cursorCell(): unknown {
    return this.state.view.row(this.selection.cursor.row)?.[this.state.cursorColumn];
  }

  #showSelection(reveal: boolean): void {
    if (reveal) this.view.reveal(true);
    else this.view.markSelection();
    this.#summary.refresh();
  }

  #layoutChanged(place: CellPosition | undefined): void {
    if (place) this.selection.moveTo(place, false, this.rowCount, this.columnCount);
    const hadFocus = this.view.hasFocus;
    this.view.refresh();
    if (place) this.view.reveal(hadFocus);
    this.#summary.refresh();
  }
}

/** The state of a grid: columns, rows, layout and selection. Does not use the DOM. */
import { typeColumns, type Rows, type TypedColumn } from '../../src/shared/results/cells.ts';
import { displayOf } from '../../src/shared/results/display.ts';
import type { Column } from '../../src/shared/wire/toolPayloads.ts';
import { ColumnLayout } from './columns/columnLayout.ts';
import { RowView } from './rows/rowView.ts';
import { Selection, type Range } from './selection.ts';

export interface GridTable {
  columns: readonly Column[];
  rows: Rows;
}

type Display = (cell: unknown) => string;

export class GridState {
  readonly selection = new Selection();
  readonly view: RowView;
  columns: readonly TypedColumn[] = [];
  layout: ColumnLayout;
  rows: Rows;
  #displays: readonly Display[] = [];
  readonly #widthOf: (state: GridState, column: number) => number;

  /**
   * @param widthOf returns the width that fits the content of a column, in pixels
   * @param rowsChanged called whenever the displayed rows have changed
   */
  constructor(table: GridTable, widthOf: (state: GridState, column: number) => number, rowsChanged: () => void) {
    this.rows = table.rows;
    this.#widthOf = widthOf;
    this.layout = this.#readColumns(table);
    this.view = new RowView(this.columns, table.rows, rowsChanged);
  }

  /**
   * Replaces the table. If the columns are the same, as while rows are loading, layout, sort order and filters are
   * kept.
   */
  update(table: GridTable): void {
    const same =
      table.columns.length === this.columns.length &&
      table.columns.every(({ name, type }, index) => {
        const known = this.columns[index]!;
        return known.name === name && known.type === type;
      });
    const hadRows = this.view.total > 0;
    const sameArray = table.rows === this.rows;
    this.rows = table.rows;
    if (!same || !hadRows) {
      if (!same) this.view.reset();
      this.layout = this.#readColumns(table);
    } else if (!sameArray) this.#readDisplays(table.rows);
    this.view.setRows(this.columns, table.rows);
  }

  #readColumns(table: GridTable): ColumnLayout {
    this.columns = typeColumns(table.columns, table.rows);
    this.#readDisplays(table.rows);
    return new ColumnLayout(this.columns.map((_, index) => this.#widthOf(this, index)));
  }

  #readDisplays(rows: Rows): void {
    this.#displays = this.columns.map((column, index) => displayOf(column, index, rows));
  }

  /** @returns the display text of a cell */
  display(column: number, cell: unknown): string {
    return this.#displays[column]!(cell);
  }

  /** @returns the width that fits the content of a column */
  fittingWidth(column: number): number {
    return this.#widthOf(this, column);
  }

  /** @returns the column under the cursor, as an index into `columns` */
  get cursorColumn(): number {
    return this.layout.visible[this.selection.cursor.column] ?? 0;
  }

  /** @returns the selected cells, or `undefined` when there are none */
  get range(): Range | undefined {
    return this.selection.range(this.view.count, this.layout.visible.length);
  }
}

/** The state of a grid: columns, rows, layout and selection, and its cells as text. Does not use the DOM. */
import type { Arrangement } from '../../src/shared/results/arrange.ts';
import { cellText, typeColumns, type Rows, type TypedColumn } from '../../src/shared/results/cells.ts';
import { displayOf } from '../../src/shared/results/display.ts';
import { createEncoder, type ResultFormat } from '../../src/shared/results/encode.ts';
import type { EncodeOptions } from '../../src/shared/results/rowEncoder.ts';
import { STRIDE, type Sliced } from '../../src/shared/results/slices.ts';
import type { Column } from '../../src/shared/wire/toolPayloads.ts';
import { ColumnLayout } from './columns/columnLayout.ts';
import { RowView } from './rows/rowView.ts';
import { Selection, type CellRange } from './selection.ts';

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
      if (!same) this.view.arrange({ filters: [] });
      this.layout = this.#readColumns(table);
    } else if (!sameArray) this.#readDisplays(table.rows);
    this.view.setRows(this.columns, table.rows);
  }

  /** Shows columns and rows as another grid of the same table does. */
  arrange(shown: Arrangement): void {
    this.layout.arrange(shown.columns);
    this.view.arrange(shown);
    this.view.setRows(this.columns, this.rows);
  }

  /** @returns which columns and rows are shown, and in which order */
  get arrangement(): Arrangement {
    const { sorting, filters } = this.view;
    const { locale } = new Intl.NumberFormat().resolvedOptions();
    return { columns: this.layout.visible, sorting, filters: [...filters], locale };
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

  /** @returns the sum or average of selected cells, as the first number column among them shows its cells */
  displaySum({ left, right }: CellRange, digits: string): string {
    const column = this.layout.visible.slice(left, right + 1).find((one) => this.columns[one]!.kind === 'number');
    return column === undefined ? digits : this.display(column, digits);
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
  get range(): CellRange | undefined {
    return this.selection.range(this.view.count, this.layout.visible.length);
  }
}

/**
 * Encodes cells for the clipboard.
 * @returns the text of the cells, columns and rows in display order. A single cell copied as TSV without headers is its
 *   exact text, without quoting
 */
export function* encodeRange(
  { layout, columns, view }: GridState,
  range: CellRange,
  format: ResultFormat,
  options: EncodeOptions,
): Sliced<string> {
  const { top, bottom, left, right } = range;
  const picked = layout.visible.slice(left, right + 1);
  if (format === 'tsv' && !options.headers && top === bottom && left === right) {
    return cellText(view.row(top)?.[picked[0]!]);
  }
  const encoder = createEncoder(
    format,
    picked.map((column) => columns[column]!),
    options,
  );
  let text = encoder.encodeHeader();
  for (let row = top; row <= bottom; row++) {
    if (row % STRIDE === STRIDE - 1) yield;
    const cells = view.row(row);
    text += encoder.encodeRow(picked.map((column) => cells?.[column]));
  }
  return text + encoder.encodeEnd();
}

/** The cursor and the selected range. Positions count displayed rows and visible columns; row -1 is the header. */

export interface CellPosition {
  row: number;
  column: number;
}

/** A rectangle of cells; all bounds are inclusive. */
export interface CellRange {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

/** Extent of a selection: the cells between anchor and cursor, their whole rows or columns, or all cells. */
export type SelectionExtent = 'cells' | 'rows' | 'columns' | 'all';

export class Selection {
  cursor: CellPosition = { row: 0, column: 0 };
  #anchor: CellPosition = this.cursor;
  #span: SelectionExtent = 'cells';

  /**
   * Moves the cursor, clamped to the grid. With `extend`, the anchor stays, clamped as well, unless the cursor moves
   * between header and body.
   */
  moveTo(place: CellPosition, extend: boolean, rows: number, columns: number): void {
    const clamped = ({ row, column }: CellPosition): CellPosition => ({
      row: Math.max(-1, Math.min(row, rows - 1)),
      column: Math.max(0, Math.min(column, columns - 1)),
    });
    this.cursor = clamped(place);
    if (extend && this.#anchor.row < 0 === this.cursor.row < 0) {
      this.#anchor = clamped(this.#anchor);
      if (this.cursor.row < 0) this.#span = 'columns';
      return;
    }
    this.#anchor = this.cursor;
    this.#span = 'cells';
  }

  /** Selects whole rows, whole columns or everything around the cursor. */
  select(span: SelectionExtent): void {
    this.#span = span;
  }

  /** Reduces the selection to the cell under the cursor. */
  collapse(): void {
    this.#anchor = this.cursor;
    this.#span = 'cells';
  }

  /** @returns the selected cells, or `undefined` if there are none, for example while the cursor is in the header */
  range(rows: number, columns: number): CellRange | undefined {
    if (rows === 0 || columns === 0) return undefined;
    const allRows = this.#span === 'columns' || this.#span === 'all';
    const allColumns = this.#span === 'rows' || this.#span === 'all';
    if (this.cursor.row < 0 && !allRows) return undefined;
    return {
      top: allRows ? 0 : Math.min(this.#anchor.row, this.cursor.row),
      bottom: allRows ? rows - 1 : Math.max(this.#anchor.row, this.cursor.row),
      left: allColumns ? 0 : Math.min(this.#anchor.column, this.cursor.column),
      right: allColumns ? columns - 1 : Math.max(this.#anchor.column, this.cursor.column),
    };
  }
}

export const contains = (range: CellRange | undefined, row: number, column: number): boolean =>
  range !== undefined && row >= range.top && row <= range.bottom && column >= range.left && column <= range.right;

export const cellCount = (range: CellRange): number => (range.bottom - range.top + 1) * (range.right - range.left + 1);

/** Commands that move, resize, freeze and hide the columns of a grid. */
import type { CellPosition } from '../selection.ts';
import type { GridState } from '../gridState.ts';

/** Pixels by which a key press or a menu item changes a column's width. */
export const WIDTH_STEP = 16;

export class ColumnCommands {
  readonly #state: GridState;
  readonly #changed: (cursor?: CellPosition) => void;

  /** @param changed called after each change, with the cursor's position if it must be in view */
  constructor(state: GridState, changed: (cursor?: CellPosition) => void) {
    this.#state = state;
    this.#changed = changed;
  }

  /** Moves the column under the cursor by `step` positions. */
  move(step: number): void {
    const target = this.#state.selection.cursor.column + step;
    if (target >= 0 && target < this.#state.layout.visible.length) this.drop(this.#state.cursorColumn, target);
  }

  /** Moves a column to a position among the visible ones; the cursor follows it. */
  drop(column: number, position: number): void {
    this.#state.layout.move(column, position);
    this.#follow(column);
  }

  /** Changes the width of the column under the cursor by `pixels`; `undefined` fits it to its content. */
  widen(pixels: number | undefined): void {
    const { cursorColumn: column, layout } = this.#state;
    this.resize(column, pixels === undefined ? this.#state.fittingWidth(column) : layout.width(column) + pixels);
  }

  resize(column: number, width: number): void {
    this.#state.layout.resize(column, width);
    this.#changed();
  }

  /** Freezes the column under the cursor at the left, or unfreezes it. */
  freeze(frozen: boolean): void {
    const column = this.#state.cursorColumn;
    this.#state.layout.freeze(column, frozen);
    this.#follow(column);
  }

  hide(column: number, hidden: boolean): void {
    if (this.#state.layout.hide(column, hidden)) this.#changed(this.#state.selection.cursor);
  }

  #follow(column: number): void {
    const { selection, layout } = this.#state;
    this.#changed({ row: selection.cursor.row, column: layout.visible.indexOf(column) });
  }
}

/** Order, visibility, freezing and width of columns. Columns are identified by their index in the table. */

export const MIN_WIDTH = 40;
export const MAX_WIDTH = 1200;

export class ColumnLayout {
  #order: number[];
  readonly #hidden = new Set<number>();
  readonly #frozen = new Set<number>();
  readonly #widths: number[];
  #visible: readonly number[] | undefined;

  /** @param widths initial width of each column, in pixels */
  constructor(widths: readonly number[]) {
    this.#order = widths.map((_, index) => index);
    this.#widths = [...widths];
  }

  /** The visible columns from left to right, frozen ones first. */
  get visible(): readonly number[] {
    if (!this.#visible) {
      const shown = this.#order.filter((column) => !this.#hidden.has(column));
      this.#visible = [
        ...shown.filter((column) => this.#frozen.has(column)),
        ...shown.filter((column) => !this.#frozen.has(column)),
      ];
    }
    return this.#visible;
  }

  /** Shows these columns in this order, and hides the others. */
  arrange(columns: readonly number[]): void {
    const known = columns.filter((column) => column < this.#order.length);
    if (known.length === 0) return;
    const others = this.#order.filter((column) => !known.includes(column));
    this.#order = [...known, ...others];
    this.#hidden.clear();
    for (const column of others) this.#hidden.add(column);
    this.#visible = undefined;
  }

  /** Number of visible columns that are frozen. */
  get frozenCount(): number {
    return this.visible.filter((column) => this.#frozen.has(column)).length;
  }

  isFrozen(column: number): boolean {
    return this.#frozen.has(column);
  }

  isHidden(column: number): boolean {
    return this.#hidden.has(column);
  }

  width(column: number): number {
    return this.#widths[column] ?? MIN_WIDTH;
  }

  resize(column: number, width: number): void {
    this.#widths[column] = Math.round(Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, width)));
  }

  freeze(column: number, frozen: boolean): void {
    if (frozen) this.#frozen.add(column);
    else this.#frozen.delete(column);
    this.#visible = undefined;
  }

  /** Hides or shows a column; the last visible one cannot be hidden. @returns whether anything changed */
  hide(column: number, hidden: boolean): boolean {
    if (hidden === this.#hidden.has(column) || (hidden && this.visible.length === 1)) return false;
    if (hidden) this.#hidden.add(column);
    else this.#hidden.delete(column);
    this.#visible = undefined;
    return true;
  }

  /** Moves a visible column to a position among the visible ones: frozen among frozen columns, unfrozen after them. */
  move(column: number, position: number): void {
    const others = this.visible.filter((other) => other !== column);
    const at = Math.max(0, Math.min(position, others.length));
    const frozenOthers = others.filter((other) => this.#frozen.has(other)).length;
    if (at < frozenOthers) this.#frozen.add(column);
    else if (at > frozenOthers) this.#frozen.delete(column);
    const hidden = this.#order.filter((other) => this.#hidden.has(other));
    this.#order = [...others.slice(0, at), column, ...others.slice(at), ...hidden];
    this.#visible = undefined;
  }
}

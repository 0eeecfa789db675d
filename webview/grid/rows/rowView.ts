/** Filters and sorts the rows of a table without changing them. */
import type { Row, Rows, TypedColumn } from '../../../src/shared/results/cells.ts';
import { orderOf, type Arrangement, type Sorting } from '../../../src/shared/results/arrange.ts';
import type { ColumnFilter } from '../../../src/shared/results/filter.ts';
import { runInSlices } from '../../../src/shared/results/slices.ts';

export class RowView {
  #columns: readonly TypedColumn[];
  #rows: Rows;
  /** Number of rows in use; more may have been appended to the same array since. */
  #known: number;
  #sorting: Sorting | undefined;
  readonly #filters = new Map<number, ColumnFilter>();
  /** Row indices in display order; `undefined` if all rows are shown in their original order. */
  #order: Uint32Array | undefined;
  #cancel: () => void = () => undefined;
  readonly #changed: () => void;

  /** @param changed called whenever the displayed rows have changed */
  constructor(columns: readonly TypedColumn[], rows: Rows, changed: () => void) {
    this.#columns = columns;
    this.#rows = rows;
    this.#known = rows.length;
    this.#changed = changed;
  }

  /** Number of displayed rows. */
  get count(): number {
    return this.#order?.length ?? this.#known;
  }

  /** Number of rows before filtering. */
  get total(): number {
    return this.#known;
  }

  get sorting(): Sorting | undefined {
    return this.#sorting;
  }

  get filters(): ReadonlyMap<number, ColumnFilter> {
    return this.#filters;
  }

  /** @returns the cells of the row at a display position */
  row(shown: number): Row | undefined {
    return this.#rows[this.rowNumber(shown)];
  }

  /** @returns the index in the result, from 0, of the row at a display position */
  rowNumber(shown: number): number {
    return this.#order ? this.#order[shown]! : shown;
  }

  /** Replaces the rows, keeping the sort order and the filters. */
  setRows(columns: readonly TypedColumn[], rows: Rows): void {
    this.#columns = columns;
    this.#rows = rows;
    this.#known = rows.length;
    this.#recompute();
  }

  sort(sorting: Sorting | undefined): void {
    this.#sorting = sorting;
    this.#recompute();
  }

  /** @param filter the filter of a column; `undefined` removes it */
  filter(column: number, filter: ColumnFilter | undefined): void {
    if (filter) this.#filters.set(column, filter);
    else this.#filters.delete(column);
    this.#recompute();
  }

  /** Sets the sort order and the filters, without an update; call before setting rows. */
  arrange({ sorting, filters }: Omit<Arrangement, 'columns'>): void {
    this.#sorting = sorting;
    this.#filters.clear();
    for (const [column, filter] of filters) this.#filters.set(column, filter);
  }

  dispose(): void {
    this.#cancel();
  }

  #recompute(): void {
    this.#cancel();
    const arranged = { sorting: this.#sorting, filters: [...this.#filters] };
    this.#cancel = runInSlices(orderOf(this.#columns, this.#rows, arranged), (order) => {
      this.#order = order;
      this.#changed();
    });
  }
}

/** The rows that every grid shows: a label, a number, a category, a time, then alternating numbers and text. */

/**
 * Number of frames to scroll. Now and then, a few frames in a row are slow in any grid; among few frames, their number
 * would decide the percentile.
 */
export const SCROLL_FRAMES = 240;

/** Other peers are compared at every number of rows, but not at every number of columns. */
export const PEERS_MOST_COLUMNS = 20;

/** Rows of the category to filter by: every tenth row, starting with the fourth. */
export const CATEGORY = 'category 3';

export type BenchRow = (string | number | null)[];

export interface BenchColumn {
  name: string;
  type: 'string' | 'number' | 'time';
}

export function makeColumns(count: number): BenchColumn[] {
  return Array.from({ length: count }, (_, at) => ({
    name: `column ${at}`,
    type: at === 3 ? 'time' : at === 1 || (at > 3 && at % 2 === 0) ? 'number' : 'string',
  }));
}

export function makeRows(count: number, columns: readonly BenchColumn[]): BenchRow[] {
  return Array.from({ length: count }, (_, row) =>
    columns.map(({ type }, at) => {
      if (at === 0) return `r${row}`;
      if (at === 1) return (row * 7919 + 17) % 1_000_003;
      if (at === 2) return `category ${row % 10}`;
      if (type === 'time') return `2024-0${1 + (row % 9)}-15T00:00:00.000`;
      if (type === 'number') return row % 50 === 0 ? null : (row * at) / 4;
      return `text ${row} in ${at}`;
    }),
  );
}

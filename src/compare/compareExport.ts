/** Exports a comparison as one flat table, in Markdown or CSV. */
import type { Row, TypedColumn } from '../shared/results/cells.ts';
import { encodeRows } from '../shared/results/encode.ts';
import type { RowStatus } from '../shared/protocol/runs.ts';
import type { ComparedCell, TableComparison } from './compareTables.ts';

export interface CompareLabels {
  /** Names of the sides, such as two branches or two identities. */
  left: string;
  right: string;
  /** Name of the status column, and labels of its values. */
  status: string;
  statuses: Readonly<Record<RowStatus, string>>;
  /** Suffixes of a measure's name: `revenue change`, `revenue %`. */
  change: string;
  percent: string;
  /** Text of a cell that a side lacks, and of a change without both numbers; by default, the empty string. */
  absent?: string;
}

const column = (name: string, kind: TypedColumn['kind']): TypedColumn => ({ name, type: '', kind });

/** @returns columns and rows: the status, the dimensions, then each measure on both sides with its change */
export function flatComparison(
  { dimensions, measures, rows, cellOf }: TableComparison,
  labels: CompareLabels,
): { columns: TypedColumn[]; rows: Row[] } {
  const { absent = '' } = labels;
  // A missing cell must not look like null.
  const side = (cell: ComparedCell, of: 'left' | 'right'): unknown => (of in cell ? cell[of] : absent);
  const columns = [
    column(labels.status, 'string'),
    ...dimensions,
    ...measures.flatMap(({ name, kind }) => [
      column(`${name} (${labels.left})`, kind),
      column(`${name} (${labels.right})`, kind),
      ...(kind === 'number'
        ? [column(`${name} ${labels.change}`, kind), column(`${name} ${labels.percent}`, kind)]
        : []),
    ]),
  ];
  const flatRows = rows.map((row) => [
    labels.statuses[row.status],
    ...row.key,
    ...measures.flatMap((measure) => {
      const cell = cellOf(row, measure);
      const change = [cell.change?.absolute ?? absent, cell.change?.percent ?? absent];
      return [side(cell, 'left'), side(cell, 'right'), ...(measure.kind === 'number' ? change : [])];
    }),
  ]);
  return { columns, rows: flatRows };
}

/** @returns the comparison as a Markdown table, or as CSV with formulas escaped */
export function exportComparison(
  comparison: TableComparison,
  format: 'markdown' | 'csv',
  labels: CompareLabels,
): string {
  const { columns, rows } = flatComparison(comparison, labels);
  return encodeRows(format, columns, rows);
}

/** A comparison as one flat table, for Markdown and CSV. */
import type { Row, TypedColumn } from '../shared/results/cells.ts';
import { createEncoder } from '../shared/results/encode.ts';
import type { ComparedCell, ComparedRow, Comparison } from './compareTables.ts';

export interface CompareLabels {
  /** What the sides are called, such as two branches or two identities. */
  left: string;
  right: string;
  /** Words for the column of statuses, and for its values. */
  status: string;
  statuses: Readonly<Record<ComparedRow['status'], string>>;
  /** Words after a measure's name: `revenue change`, `revenue %`. */
  change: string;
  percent: string;
}

const column = (name: string, kind: TypedColumn['kind']): TypedColumn => ({ name, type: '', kind });

/** A cell that a side does not have is left empty, which null is not. */
const side = (cell: ComparedCell, of: 'left' | 'right'): unknown => (of in cell ? cell[of] : '');

/** @returns columns and rows: the status, the dimensions, then each measure on both sides with its change */
export function flatComparison(
  { dimensions, measures, rows }: Comparison,
  labels: CompareLabels,
): { columns: TypedColumn[]; rows: Row[] } {
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
  const flatRows = rows.map(({ status, key, cells }) => [
    labels.statuses[status],
    ...key,
    ...cells.flatMap((cell, index) => [
      side(cell, 'left'),
      side(cell, 'right'),
      ...(measures[index]?.kind === 'number' ? [cell.change?.absolute ?? '', cell.change?.percent ?? ''] : []),
    ]),
  ]);
  return { columns, rows: flatRows };
}

/** @returns the comparison as a Markdown table or as CSV that no spreadsheet takes for formulas */
export function exportComparison(comparison: Comparison, format: 'markdown' | 'csv', labels: CompareLabels): string {
  const { columns, rows } = flatComparison(comparison, labels);
  const encoder = createEncoder(format, columns, { headers: true, guardFormulas: true });
  return encoder.encodeHeader() + rows.map(encoder.encodeRow).join('') + encoder.encodeEnd();
}

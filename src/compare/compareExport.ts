/** Exports a comparison as one flat table, in Markdown or CSV. */
import type { Row, TypedColumn } from '../shared/results/cells.ts';
import { encodeRows } from '../shared/results/encode.ts';
import { t } from '../shared/text/l10n.ts';
import type { ComparedCell, TableComparison } from './compareTables.ts';

const column = (name: string, kind: TypedColumn['kind']): TypedColumn => ({ name, type: '', kind });

/**
 * @param labels names of the sides, such as two branches or two identities
 * @param absent text of a cell that a side lacks, and of a change without both numbers
 * @returns columns and rows: the status, the dimensions, then each measure on both sides with its change
 */
export function flatComparison(
  { dimensions, measures, rows, cellOf }: TableComparison,
  [left = '', right = '']: readonly string[],
  absent = '',
): { columns: TypedColumn[]; rows: Row[] } {
  const statuses = { same: t('same'), changed: t('changed'), added: t('added'), removed: t('removed') };
  // A missing cell must not look like null.
  const side = (cell: ComparedCell, of: 'left' | 'right'): unknown => (of in cell ? cell[of] : absent);
  const columns = [
    column(t('status'), 'string'),
    ...dimensions,
    ...measures.flatMap(({ name, kind }) => [
      column(`${name} (${left})`, kind),
      column(`${name} (${right})`, kind),
      ...(kind === 'number' ? [column(`${name} ${t('change')}`, kind), column(`${name} %`, kind)] : []),
    ]),
  ];
  const flatRows = rows.map((row) => [
    statuses[row.status],
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
  labels: readonly string[],
): string {
  const { columns, rows } = flatComparison(comparison, labels);
  return encodeRows(format, columns, rows);
}

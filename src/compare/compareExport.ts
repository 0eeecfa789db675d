/** Exports a comparison as one flat table, in Markdown or CSV. */
import type { Row, TypedColumn } from '../shared/results/cells.ts';
import { encodeRows } from '../shared/results/encode.ts';
import { t } from '../shared/text/l10n.ts';
import type { TableComparison } from './compareTables.ts';

const column = (name: string, kind: TypedColumn['kind']): TypedColumn => ({ name, type: '', kind });

/**
 * @param labels names of the sides, such as branches or identities
 * @param absent text of a cell that a side lacks, and of a change without both numbers
 * @returns columns and rows: the status, the dimensions, then each measure on all sides, and the change between two
 */
export function flatComparison(
  { dimensions, measures, rows, cellOf }: TableComparison,
  labels: readonly string[],
  absent = '',
): { columns: TypedColumn[]; rows: Row[] } {
  const statuses = { same: t('same'), changed: t('changed'), added: t('added'), removed: t('removed') };
  const hasChange = ({ kind }: TypedColumn): boolean => kind === 'number' && labels.length === 2;
  const columns = [
    column(t('status'), 'string'),
    ...dimensions,
    ...measures.flatMap((measure) => {
      const { name, kind } = measure;
      const changes = [column(`${name} ${t('change')}`, kind), column(`${name} %`, kind)];
      return [...labels.map((label) => column(`${name} (${label})`, kind)), ...(hasChange(measure) ? changes : [])];
    }),
  ];
  const flatRows = rows.map((row) => [
    statuses[row.status],
    ...row.key,
    ...measures.flatMap((measure) => {
      const cells = labels.map((_, side) => cellOf(row, measure, side));
      const change = cells[1]?.change;
      return [
        // A missing cell must not look like null.
        ...cells.map((cell) => ('right' in cell ? cell.right : absent)),
        ...(hasChange(measure) ? [change?.absolute ?? absent, change?.percent ?? absent] : []),
      ];
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

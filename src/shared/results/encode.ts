/**
 * Encodes results as TSV, CSV, JSON, Markdown or SQL, row by row, so that memory use does not depend on the number of
 * rows.
 */
import type { TypedColumn } from './cells.ts';
import { delimited } from './delimited.ts';
import type { EncodeOptions, RowEncoder } from './encoder.ts';
import { jsonRows } from './jsonRows.ts';
import { markdownTable } from './markdownTable.ts';
import { sqlInList } from './sqlInList.ts';

export type ResultFormat = 'tsv' | 'csv' | 'json' | 'markdown' | 'sqlIn';

/**
 * @param columns the columns of the rows, in order
 * @returns an encoder for one output
 */
export function createEncoder(
  format: ResultFormat,
  columns: readonly TypedColumn[],
  options: EncodeOptions,
): RowEncoder {
  switch (format) {
    case 'tsv':
      return delimited('\t', columns, options);
    case 'csv':
      return delimited(',', columns, options);
    case 'json':
      return jsonRows(columns, options);
    case 'markdown':
      return markdownTable(columns, options);
    case 'sqlIn':
      return sqlInList(columns);
  }
}

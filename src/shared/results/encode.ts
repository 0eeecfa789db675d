/**
 * Results as text: TSV, CSV, JSON, Markdown and SQL. Encoders work row by row, so that a file of any length is
 * written with little memory, in the extension host as in a webview.
 */
import type { TypedColumn } from './cells.ts';
import { delimited } from './delimited.ts';
import type { EncodeOptions, RowEncoder } from './encoder.ts';
import { jsonRows } from './jsonRows.ts';
import { markdownTable } from './markdownTable.ts';
import { sqlInList } from './sqlInList.ts';

export type ResultFormat = 'tsv' | 'csv' | 'json' | 'markdown' | 'sqlIn';

/**
 * @param columns the columns of the rows to come, in their order
 * @returns an encoder for one text
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

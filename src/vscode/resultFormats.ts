/** Result tables as text, in the formats that can be exported. */
import { typeColumns } from '../shared/results/cells.ts';
import { createEncoder, type ResultFormat } from '../shared/results/encode.ts';
import type { ResultTable } from '../shared/payloads.ts';
import { readSettings } from './settings.ts';

export const FORMATS: readonly { name: string; ending: string; format: ResultFormat }[] = [
  { name: 'CSV', ending: 'csv', format: 'csv' },
  { name: 'TSV', ending: 'tsv', format: 'tsv' },
  { name: 'JSON', ending: 'json', format: 'json' },
  { name: 'Markdown', ending: 'md', format: 'markdown' },
];

/** @returns the whole table as text, column names first */
export function encodeResult(table: ResultTable, format: ResultFormat): string {
  const encoder = createEncoder(format, typeColumns(table.columns, table.rows), {
    headers: true,
    guardFormulas: readSettings().guardFormulas,
  });
  return encoder.encodeHeader() + table.rows.map((row) => encoder.encodeRow(row)).join('') + encoder.encodeEnd();
}

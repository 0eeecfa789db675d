/** The export formats of result tables. */
import { t } from '../../shared/text/l10n.ts';
import type { ResultTable } from '../../shared/wire/toolPayloads.ts';
import { typeColumns } from '../../shared/results/cells.ts';
import { createEncoder, type ResultFormat, type EncodeOptions } from '../../shared/results/encode.ts';
import { readSettings } from '../host/settings.ts';

export interface ExportFormat {
  label: string;
  /** File extension without the dot. */
  ending: string;
  format: ResultFormat;
  /** Whether the first row contains the column names; in JSON, whether rows are objects instead of arrays. */
  headers: boolean;
  /** Whether the file starts with a UTF-8 byte order mark, which spreadsheets need to detect the encoding. */
  byteOrderMark?: boolean;
}

export const exportFormats = (): readonly ExportFormat[] => [
  { label: t('CSV'), ending: 'csv', format: 'csv', headers: true },
  { label: t('CSV, UTF-8 with BOM'), ending: 'csv', format: 'csv', headers: true, byteOrderMark: true },
  { label: t('CSV without headers'), ending: 'csv', format: 'csv', headers: false },
  { label: t('TSV'), ending: 'tsv', format: 'tsv', headers: true },
  { label: t('TSV without headers'), ending: 'tsv', format: 'tsv', headers: false },
  { label: t('JSON'), ending: 'json', format: 'json', headers: true },
  { label: t('JSON, rows as lists'), ending: 'json', format: 'json', headers: false },
  { label: t('Markdown'), ending: 'md', format: 'markdown', headers: true },
  { label: t('SQL IN list'), ending: 'sql', format: 'sqlIn', headers: false },
];

export const encodeOptions = ({ headers, byteOrderMark = false }: ExportFormat): EncodeOptions => ({
  headers,
  byteOrderMark,
  guardFormulas: readSettings().guardFormulas,
});

/** @returns the table as text in the chosen format */
export function encodeResult(table: ResultTable, chosen: ExportFormat): string {
  const encoder = createEncoder(chosen.format, typeColumns(table.columns, table.rows), encodeOptions(chosen));
  return encoder.encodeHeader() + table.rows.map((row) => encoder.encodeRow(row)).join('') + encoder.encodeEnd();
}

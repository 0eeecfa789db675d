/** What the encoders of results have in common. */
import type { Row } from './cells.ts';

export interface EncodeOptions {
  /** Writes the column names first; in JSON, writes rows as objects instead of arrays. */
  headers: boolean;
  /** Prefixes text that a spreadsheet would interpret as a formula with `'` (CSV and TSV). */
  guardFormulas: boolean;
  /** Writes a byte order mark, so that spreadsheets detect UTF-8 (CSV and TSV). */
  byteOrderMark?: boolean;
  /** Ends each line (CSV and TSV); by default, as the format says. */
  lineEnd?: '\n';
}

/** Call `encodeHeader` once, `encodeRow` for each row, then `encodeEnd` once, and concatenate the results. */
export interface RowEncoder {
  encodeHeader(): string;
  encodeRow(row: Row): string;
  encodeEnd(): string;
}

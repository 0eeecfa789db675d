/** What every writer of result rows offers, whatever its format. */
import type { Row } from './cells.ts';

export interface EncodeOptions {
  /** Column names first; in JSON, rows as objects rather than arrays. */
  headers: boolean;
  /** Puts `'` before text that a spreadsheet would take for a formula (CSV and TSV). */
  guardFormulas: boolean;
  /** Begins with a byte order mark, by which spreadsheets know UTF-8 (CSV and TSV). */
  byteOrderMark?: boolean;
}

/** Call `encodeHeader` once, `encodeRow` for each row, `encodeEnd` once; the text is the concatenation. */
export interface RowEncoder {
  encodeHeader(): string;
  encodeRow(row: Row): string;
  encodeEnd(): string;
}

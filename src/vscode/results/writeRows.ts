/** Encodes rows while they stream in. */
import type { DataBatch } from '../../api/dataQuery.ts';
import { typeColumns } from '../../shared/results/cells.ts';
import { createEncoder, type ResultFormat } from '../../shared/results/encode.ts';
import type { EncodeOptions, RowEncoder } from '../../shared/results/encoder.ts';

/** Characters that are buffered before a write. */
const PIECE = 256 * 1024;

/**
 * Writes all rows; memory holds one batch and one piece of text at a time.
 * @param onProgress gets the number of rows so far
 * @param note written after the rows in formats for readers (Markdown); machines get the rows alone
 * @returns the number of rows
 */
export async function writeRows(
  batches: AsyncIterable<DataBatch>,
  format: ResultFormat,
  options: EncodeOptions,
  write: (text: string) => Promise<void>,
  onProgress: (rows: number) => void,
  note: () => string | undefined = () => undefined,
): Promise<number> {
  let encoder: RowEncoder | undefined;
  let text = '';
  let count = 0;
  for await (const { columns, rows } of batches) {
    if (!encoder) {
      encoder = createEncoder(format, typeColumns(columns, rows), options);
      text = encoder.encodeHeader();
    }
    for (const row of rows) text += encoder.encodeRow(row);
    count += rows.length;
    if (text.length < PIECE) continue;
    await write(text);
    text = '';
    onProgress(count);
  }
  // Without rows the file still has to be valid in its format.
  const last = encoder ?? createEncoder(format, [], options);
  const noted = format === 'markdown' ? note() : undefined;
  const end = last.encodeEnd() + (noted === undefined ? '' : `\n> ${noted}\n`);
  await write(text + (encoder ? '' : last.encodeHeader()) + end);
  return count;
}

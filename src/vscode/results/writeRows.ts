/** Rows that stream in, written as text that streams out. */
import type { DataBatch } from '../../api/dataQuery.ts';
import { typeColumns } from '../../shared/results/cells.ts';
import { createEncoder, type ResultFormat } from '../../shared/results/encode.ts';
import type { EncodeOptions, RowEncoder } from '../../shared/results/encoder.ts';

/** Characters that are put together before they are written. */
const PIECE = 256 * 1024;

/**
 * Writes all rows; memory holds a piece of text and a batch at a time.
 * @param onProgress told from time to time how many rows there are so far
 * @returns how many rows there were
 */
export async function writeRows(
  batches: AsyncIterable<DataBatch>,
  format: ResultFormat,
  options: EncodeOptions,
  write: (text: string) => Promise<void>,
  onProgress: (rows: number) => void,
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
  // Even no rows at all are a text of the format.
  const last = encoder ?? createEncoder(format, [], options);
  await write(text + (encoder ? '' : last.encodeHeader()) + last.encodeEnd());
  return count;
}

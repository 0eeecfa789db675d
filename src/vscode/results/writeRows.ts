/** Encodes and writes rows while they stream in. */
import type { DataBatch } from '../../api/dataQuery.ts';
import { typeColumns } from '../../shared/results/cells.ts';
import { createEncoder, type ResultFormat, type EncodeOptions, type RowEncoder } from '../../shared/results/encode.ts';

/** Number of characters to buffer before each write. */
const PIECE = 256 * 1024;

/**
 * Writes all rows, holding only one batch and one text buffer in memory.
 * @param onProgress called with the number of rows written so far
 * @param note text to append after the rows; only used for Markdown
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
  // An empty file must still be valid in its format.
  const last = encoder ?? createEncoder(format, [], options);
  const noted = format === 'markdown' ? note() : undefined;
  const end = last.encodeEnd() + (noted === undefined ? '' : `\n> ${noted}\n`);
  await write(text + (encoder ? '' : last.encodeHeader()) + end);
  return count;
}

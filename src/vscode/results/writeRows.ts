/** Encodes and writes rows while they stream in; a file is replaced only after all of them are written. */
import type { DataBatch } from '../../api/dataQuery.ts';
import { typeColumns } from '../../shared/results/cells.ts';
import { createEncoder, type ResultFormat } from '../../shared/results/encode.ts';
import type { EncodeOptions, RowEncoder } from '../../shared/results/rowEncoder.ts';

/** Receives the text of a file. `commit` replaces the target; `discard` drops everything written. */
export interface FileSink {
  write(text: string): Promise<void>;
  commit(): Promise<void>;
  discard(): Promise<void>;
}

/** All files since the window was opened; a committed one has nothing to discard. */
const sinks: Promise<FileSink>[] = [];

/** Removes the temporary files of running exports, which end with the window. */
export async function discardUnfinished(): Promise<void> {
  await Promise.allSettled(sinks.map(async (opening) => (await opening).discard()));
}

/**
 * Writes to a temporary file in the same folder.
 * @param path target file; an existing file is replaced on `commit`
 */
export function diskSink(path: string): Promise<FileSink> {
  const opening = openSink(path);
  // Before the file exists: the window may be left at any moment.
  sinks.push(opening);
  return opening;
}

async function openSink(path: string): Promise<FileSink> {
  const fs = await import('node:fs/promises');
  const temporary = `${path}.${crypto.randomUUID().slice(0, 8)}.part`;
  const file = await fs.open(temporary, 'wx');
  return {
    write: (text) => file.appendFile(text),
    commit: async () => {
      await file.sync();
      await file.close();
      await fs.rename(temporary, path);
    },
    discard: async () => {
      await file.close();
      await fs.rm(temporary, { force: true });
    },
  };
}

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
  let known: DataBatch['columns'] = [];
  for await (const { columns, rows } of batches) {
    known = columns;
    // The first batch has the columns alone; the kinds and formats of the cells depend on rows.
    if (!encoder) {
      if (rows.length === 0) continue;
      encoder = createEncoder(format, typeColumns(columns, rows), options, rows);
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
  const last = encoder ?? createEncoder(format, typeColumns(known, []), options);
  const noted = format === 'markdown' ? note() : undefined;
  const end = last.encodeEnd() + (noted === undefined ? '' : `\n> ${noted}\n`);
  await write(text + (encoder ? '' : last.encodeHeader()) + end);
  return count;
}

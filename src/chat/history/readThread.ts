/** Reads the file of a thread, whatever state it is in. */
import { HistoryError } from './errors.ts';
import type { FileInfo, HistoryFiles } from './files.ts';
import { allBytes } from './files.ts';
import { Lines, unframe, type Line } from './recordLines.ts';
import { Merge } from './merge.ts';
import { isThreadRecord, type Head } from './records.ts';

/** A head, its own line end and some torn bytes after it fit in here. */
const TAIL = 16 * 1024;

/** What a file was found to hold. */
export interface Reading {
  merge: Merge;
  /** Records, or what may have been records, that were changed after they had been written. */
  spoilt: number;
  /** True when the last record is whole and a head: nothing was cut off. */
  complete: boolean;
}

/**
 * Reads one version of a file in one go, chunk by chunk.
 * @param longest how many bytes the thread may take in memory
 * @throws HistoryError `tooLarge`, or what the file system says
 */
export async function readThread(chunks: AsyncIterable<Uint8Array>, longest: number): Promise<Reading> {
  const reading: Reading = { merge: new Merge(), spoilt: 0, complete: false };
  const lines = new Lines((line) => takeLine(reading, line));
  for await (const chunk of chunks) {
    lines.push(chunk);
    if (reading.merge.bytes + lines.open > longest) throw new HistoryError('tooLarge');
  }
  lines.finish();
  return reading;
}

function takeLine(reading: Reading, line: Line): void {
  const found = unframe(line);
  reading.complete = false;
  if (found.state === 'spoilt') reading.spoilt += 1;
  if (found.state !== 'good') return;
  if (found.rubbish) reading.spoilt += 1;
  if (isThreadRecord(found.value)) {
    reading.merge.add(found.value, found.bytes);
    reading.complete = found.value.kind === 'head';
  } else reading.merge.addOther(found.value);
}

/** @returns the last head of a file, from its last bytes alone; `undefined` when they hold none */
export async function readHead(files: HistoryFiles, file: FileInfo): Promise<Head | undefined> {
  let head: Head | undefined;
  const lines = new Lines((line) => {
    const found = unframe(line);
    if (found.state === 'good' && isThreadRecord(found.value) && found.value.kind === 'head') head = found.value;
  });
  lines.push(await allBytes(files.read(file.name, Math.max(0, file.size - TAIL))));
  lines.finish();
  return head;
}

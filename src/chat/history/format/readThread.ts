/** Reads a thread file, tolerating damage. */
import { HistoryError } from '../files/errors.ts';
import type { FileInfo, HistoryFiles } from '../files/files.ts';
import { allBytes } from '../files/files.ts';
import { LineSplitter, parseLine, type Line } from './recordLines.ts';
import { Merge } from '../merge.ts';
import { isThreadRecord, type Head } from './records.ts';

/** Bytes; fits a head, its newlines and part of a truncated record after it. */
const TAIL = 16 * 1024;

export interface Reading {
  merge: Merge;
  /** Number of complete lines that are not valid records. */
  corrupt: number;
  /** The last line is a head, so no save was interrupted. */
  complete: boolean;
}

/**
 * Reads and merges one version of a thread file.
 * @param longest maximum bytes of the merged thread in memory
 * @throws HistoryError `tooLarge`, or an error of the file system
 */
export async function readThread(chunks: AsyncIterable<Uint8Array>, longest: number): Promise<Reading> {
  const reading: Reading = { merge: new Merge(), corrupt: 0, complete: false };
  const lines = new LineSplitter((line) => addLine(reading, line));
  for await (const chunk of chunks) {
    lines.push(chunk);
    if (reading.merge.bytes + lines.open > longest) throw new HistoryError('tooLarge');
  }
  lines.finish();
  return reading;
}

function addLine(reading: Reading, line: Line): void {
  const found = parseLine(line);
  reading.complete = false;
  if (found.state === 'corrupt') reading.corrupt += 1;
  if (found.state !== 'record') return;
  if (isThreadRecord(found.value)) {
    reading.merge.add(found.value, found.bytes);
    reading.complete = found.value.kind === 'head';
  } else reading.merge.addOther(found.value);
}

/** @returns the last head in the tail of a file; `undefined` if the tail contains none */
export async function readHead(files: HistoryFiles, file: FileInfo): Promise<Head | undefined> {
  let head: Head | undefined;
  const lines = new LineSplitter((line) => {
    const found = parseLine(line);
    if (found.state === 'record' && isThreadRecord(found.value) && found.value.kind === 'head') head = found.value;
  });
  lines.push(await allBytes(files.read(file.name, Math.max(0, file.size - TAIL))));
  lines.finish();
  return head;
}

/** Reads thread files, tolerating damage, and repairs damaged ones after keeping a copy. */
import { HistoryError, isNotFound } from './files/errors.ts';
import { allBytes, DAMAGED, fileOf, type FileInfo, type HistoryFiles } from './files/files.ts';
import { headOf, Merge } from './merge.ts';
import { isThreadRecord, LineSplitter, parseRecord, type Head, type Line } from './format/records.ts';

/** Bytes; fits a head, its newlines and part of a truncated record after it. */
const TAIL = 16 * 1024;

interface Reading {
  merge: Merge;
  /** Number of complete lines that are not valid records. */
  corrupt: number;
  /** Whether the last save was completed: each save ends with a head record. */
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
  const found = parseRecord(line);
  reading.complete = false;
  if (found.state === 'corrupt') reading.corrupt += 1;
  if (found.state !== 'record') return;
  if (isThreadRecord(found.value)) {
    reading.merge.add(found.value, found.bytes);
    reading.complete = found.value.kind === 'head';
  } else reading.merge.addOther(found.value);
}

/** @returns the last head in the tail of a file; `undefined` if the tail contains none */
async function readHead(files: HistoryFiles, file: FileInfo): Promise<Head | undefined> {
  let head: Head | undefined;
  const lines = new LineSplitter((line) => {
    const found = parseRecord(line);
    if (found.state === 'record' && isThreadRecord(found.value) && found.value.kind === 'head') head = found.value;
  });
  lines.push(await allBytes(files.read(file.name, Math.max(0, file.size - TAIL))));
  lines.finish();
  return head;
}

/** Reports a damaged thread file; the readable records are kept. */
export interface Damage {
  threadId: string;
  /** Name of the copy of the damaged file; `undefined` if the folder is not writable. */
  copy: string | undefined;
  /** Number of readable records, and of unreadable ones. */
  kept: number;
  lost: number;
}

export class ThreadReader {
  readonly #files: HistoryFiles;
  readonly #longest: number;
  readonly #onDamage: (damage: Damage) => void;
  readonly #now: () => number;

  constructor(files: HistoryFiles, longest: number, onDamage: (damage: Damage) => void, now: () => number) {
    this.#files = files;
    this.#longest = longest;
    this.#onDamage = onDamage;
    this.#now = now;
  }

  async read(id: string): Promise<{ reading: Reading; file: FileInfo }> {
    const name = fileOf(id);
    const file = await this.#files.stat(name);
    if (file === undefined) throw new HistoryError('notFound');
    return { reading: await readThread(this.#files.read(name), this.#longest), file };
  }

  /** @returns the last head of a file, or one derived from its items; `undefined` if nothing in the file is readable */
  async lastHead(id: string, file: FileInfo): Promise<Head | undefined> {
    const head = await readHead(this.#files, file);
    if (head) return head;
    const { merge } = (await this.read(id)).reading;
    if (merge.records === 0) return undefined;
    const { thread, meta } = merge.result(id, file.mtime);
    return headOf(thread, meta);
  }

  /** Repairs a damaged file under its lock; if that fails, the damage is still reported. */
  async repair(id: string, before?: Reading): Promise<void> {
    try {
      const release = await this.#files.lock(fileOf(id), true);
      try {
        await this.repairLocked(id);
      } finally {
        await release?.();
      }
    } catch (failure) {
      if (!isNotFound(failure)) this.#reportDamage(id, undefined, before);
    }
  }

  /** Copies a damaged file and rewrites it with its readable records. Requires its lock. */
  async repairLocked(id: string): Promise<void> {
    const { reading, file } = await this.read(id);
    const empty = reading.merge.records === 0;
    if (reading.corrupt === 0 && !empty) return;
    await this.setAside(id, reading);
    if (empty) await this.#files.remove(file.name);
    else await this.#files.replace(file.name, reading.merge.compacted(id, file.mtime));
  }

  async setAside(id: string, reading: Reading): Promise<void> {
    const copy = `${id}.${this.#now()}${DAMAGED}`;
    await this.#files.copy(fileOf(id), copy);
    this.#reportDamage(id, copy, reading);
  }

  #reportDamage(threadId: string, copy: string | undefined, reading: Reading | undefined): void {
    this.#onDamage({ threadId, copy, kept: reading?.merge.records ?? 0, lost: Math.max(reading?.corrupt ?? 0, 1) });
  }
}

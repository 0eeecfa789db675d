/** Reads thread files, and repairs damaged ones after keeping a copy. */
import { HistoryError, isNotFound } from './files/errors.ts';
import { DAMAGED, fileOf, type FileInfo, type HistoryFiles } from './files/files.ts';
import { headOf } from './merge.ts';
import { readHead, readThread, type Reading } from './format/readThread.ts';
import type { Head } from './format/records.ts';

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

/** Reads threads' files whatever state they are in, and sets damaged ones aside. */
import { HistoryError, isNotFound } from './errors.ts';
import { DAMAGED, fileOf, type FileInfo, type HistoryFiles } from './files.ts';
import { headOf } from './merge.ts';
import { readHead, readThread, type Reading } from './readThread.ts';
import type { Head } from './records.ts';

/** Something in the history was found broken; what could be read is kept. */
export interface Damage {
  threadId: string;
  /** Name of the copy that was set aside; `undefined` when the folder cannot be written. */
  copy: string | undefined;
  /** Records that were read, and pieces that could not be. */
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

  /** @returns the last head of a file, or one made of its items; `undefined` when nothing in it can be read */
  async lastHead(id: string, file: FileInfo): Promise<Head | undefined> {
    const head = await readHead(this.#files, file);
    if (head) return head;
    const { merge } = (await this.read(id)).reading;
    if (merge.records === 0) return undefined;
    const { thread, meta } = merge.result(id, file.mtime);
    return headOf(thread, meta);
  }

  /** Sets a damaged file aside under its lock; where that is impossible, the damage is at least told. */
  async repair(id: string, before?: Reading): Promise<void> {
    try {
      const release = await this.#files.lock(fileOf(id), true);
      try {
        await this.mend(id);
      } finally {
        await release?.();
      }
    } catch (failure) {
      if (!isNotFound(failure)) this.#tell(id, undefined, before);
    }
  }

  /** Puts a copy of a damaged file aside and writes what can be read anew. Its lock must be held. */
  async mend(id: string): Promise<void> {
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
    this.#tell(id, copy, reading);
  }

  #tell(threadId: string, copy: string | undefined, reading: Reading | undefined): void {
    this.#onDamage({ threadId, copy, kept: reading?.merge.records ?? 0, lost: Math.max(reading?.corrupt ?? 0, 1) });
  }
}

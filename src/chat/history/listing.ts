/**
 * The list of threads. The index remembers the head of every file together with the file's size and time; it is a
 * cache and nothing else: whatever in it disagrees with the files is read again from them.
 */
import { historyError, isNotFound } from './errors.ts';
import { allBytes, INDEX, threadOf, type FileInfo, type HistoryFiles } from './files.ts';
import { encodeRecord, LineSplitter, parseLine } from './recordLines.ts';
import { isFields } from '../../shared/text/checks.ts';
import { isMeta, type StoredMeta } from './records.ts';

type Entry = readonly [size: number, mtime: number, meta: StoredMeta];

/** Files that are read at the same time when the index does not know them. */
const AT_ONCE = 16;
/** Milliseconds between two writings of the index; what is missing in it is only read once more. */
const SELDOM = 10_000;

export class Listing {
  readonly #files: HistoryFiles;
  readonly #metaOf: (id: string, file: FileInfo) => Promise<StoredMeta | undefined>;
  #entries: Map<string, Entry> | undefined;
  #written = -Infinity;

  /** @param metaOf reads the meta of one file; `undefined` when there is nothing readable in it */
  constructor(files: HistoryFiles, metaOf: (id: string, file: FileInfo) => Promise<StoredMeta | undefined>) {
    this.#files = files;
    this.#metaOf = metaOf;
  }

  /** @returns the meta of every thread, in no order, with the size of its file in bytes */
  async read(): Promise<{ meta: StoredMeta; size: number }[]> {
    const known = (this.#entries ??= await this.#readIndex());
    const files = (await this.#files.list()).flatMap((file) => {
      const id = threadOf(file.name);
      return id === undefined ? [] : [{ id, file }];
    });
    const fresh = new Map<string, Entry>();
    const unknown: { id: string; file: FileInfo }[] = [];
    for (const { id, file } of files) {
      const entry = known.get(id);
      if (entry?.[0] === file.size && entry[1] === file.mtime) fresh.set(id, entry);
      else unknown.push({ id, file });
    }
    const changed = unknown.length > 0 || fresh.size !== known.size;
    const readNext = async (): Promise<void> => {
      for (let next = unknown.pop(); next; next = unknown.pop()) {
        const meta = await this.#readMeta(next.id, next.file);
        if (meta) fresh.set(next.id, [next.file.size, next.file.mtime, { ...meta, id: next.id }]);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, readNext));
    this.#entries = fresh;
    if (changed) await this.#writeIndex();
    return [...fresh.values()].map(([size, , meta]) => ({ meta, size }));
  }

  /** A thread that cannot even be read is in the list all the same: the user may delete it, or look for why. */
  async #readMeta(id: string, file: FileInfo): Promise<StoredMeta | undefined> {
    try {
      return await this.#metaOf(id, file);
    } catch (failure) {
      if (isNotFound(failure)) return undefined;
      const title = historyError(failure).message;
      return { id, title, pinned: false, createdAt: file.mtime, updatedAt: file.mtime, origin: '', questions: 0 };
    }
  }

  async #readIndex(): Promise<Map<string, Entry>> {
    const entries = new Map<string, Entry>();
    const lines = new LineSplitter((line) => {
      const found = parseLine(line);
      const list = found.state === 'record' && isFields(found.value) ? found.value.threads : undefined;
      if (Array.isArray(list)) for (const entry of list) if (isEntry(entry)) entries.set(entry[2].id, entry);
    });
    try {
      lines.push(await allBytes(this.#files.read(INDEX)));
      lines.finish();
    } catch {
      // Without an index the files themselves are read.
    }
    return entries;
  }

  async #writeIndex(): Promise<void> {
    if (performance.now() - this.#written < SELDOM) return;
    this.#written = performance.now();
    const threads = [...(this.#entries ?? new Map<string, Entry>()).values()];
    // Where it cannot be written, the list is slower and as right as ever.
    await this.#files.replace(INDEX, [encodeRecord({ threads })]).catch(() => undefined);
  }
}

const isEntry = (value: unknown): value is Entry =>
  Array.isArray(value) && typeof value[0] === 'number' && typeof value[1] === 'number' && isMeta(value[2]);

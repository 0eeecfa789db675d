/** The files of threads: opens them, and writes them under their locks so that they stay small. */
import { isTyped, knownTurns, nothing, plan, type Change, type Known, type Plan, type RedactItem } from './changes.ts';
import { HistoryError } from './errors.ts';
import { fileOf, joined, type FileInfo, type HistoryFiles } from './files.ts';
import { encodeRecord } from './recordLines.ts';
import type { StoredThread } from './merge.ts';
import type { Head, StoredMeta, ThreadRecord } from './records.ts';
import { ThreadReader, type Damage } from './threadReader.ts';
import { Turns } from './turnTaking.ts';

export interface StoreOptions {
  onDamage: (damage: Damage) => void;
  /** Above this many bytes a thread takes in only what the user types; it opens up to one and a half times that. */
  largest?: number;
  now?: () => number;
  /** Removes credentials from what is written. */
  redact?: RedactItem;
}

interface Entry {
  known: Known;
  file?: FileInfo;
  head?: Head;
  /** Size right after the file was last written anew, or of what counted in it when it was read. */
  compacted: number;
}

/** Files below this are never worth writing anew. */
const SMALL = 256 * 1024;
const LARGEST = 128 * 1024 * 1024;

export class ThreadStore {
  readonly #files: HistoryFiles;
  readonly #reader: ThreadReader;
  readonly #largest: number;
  readonly #now: () => number;
  readonly #redact: RedactItem;
  readonly #entries = new Map<string, Entry>();
  readonly #turns = new Turns();

  constructor(files: HistoryFiles, options: StoreOptions) {
    this.#files = files;
    this.#largest = options.largest ?? LARGEST;
    this.#now = options.now ?? Date.now;
    this.#redact = options.redact ?? ((item) => item);
    this.#reader = new ThreadReader(files, this.#largest * 1.5, options.onDamage, this.#now);
  }

  /** Reads a thread for a session that will save it again; damage is set aside on the way. */
  open(id: string): Promise<StoredThread> {
    return this.#turns.take(id, async () => {
      const { reading, file } = await this.#reader.read(id);
      if (reading.corrupt > 0 || reading.merge.records === 0) await this.#reader.repair(id, reading);
      if (reading.merge.records === 0) throw new HistoryError('damaged');
      const stored = reading.merge.result(id, file.mtime);
      const { thread, meta } = stored;
      const known = { turns: knownTurns(thread.turns), queue: thread.queue };
      // The size of what counts: it is exceeded at once by a file that is full of old versions.
      this.#entries.set(id, { known: { ...known, title: meta.title }, compacted: reading.merge.bytes });
      return stored;
    });
  }

  /** Reads a thread to look at it only. */
  async peek(id: string): Promise<StoredThread> {
    const { reading, file } = await this.#reader.read(id);
    if (reading.merge.records === 0) throw new HistoryError('damaged');
    return reading.merge.result(id, file.mtime);
  }

  /** @returns the last head of a thread's file; when only damage is found, `undefined`, and the file is set aside */
  async head(id: string, file: FileInfo): Promise<Head | undefined> {
    const head = await this.#reader.lastHead(id, file);
    if (head === undefined) await this.#turns.take(id, () => this.#reader.repair(id));
    return head;
  }

  /**
   * Adds what has changed to the thread's file.
   * @returns the thread's meta; `undefined` when the thread was deleted elsewhere and nothing new was typed
   */
  write(id: string, change: Change): Promise<StoredMeta | undefined> {
    return this.#locked(id, async () => {
      const entry = this.#entries.get(id) ?? { known: nothing, compacted: 0 };
      const file = await this.#files.stat(fileOf(id));
      const head = file && (isSame(file, entry.file) ? entry.head : await this.#reader.lastHead(id, file));
      if (file === undefined && entry.known !== nothing && !isTyped(change, entry.known)) return undefined;
      if (file && !head) await this.#reader.mend(id);
      if (!file || !head) return this.#create(id, change, entry.known);
      const next = plan(id, change, entry.known, head, this.#now(), this.#redact);
      if (next.records.length === 0 && JSON.stringify(head) === JSON.stringify(next.head)) return head.meta;
      if (isAbandoned(change, next)) await this.#drop(id);
      else await this.#add(id, { ...entry, file, head }, next);
      return next.head.meta;
    });
  }

  /** Changes what the list shows of a thread. */
  edit(id: string, change: (meta: StoredMeta) => StoredMeta): Promise<StoredMeta> {
    return this.#locked(id, async () => {
      const file = await this.#files.stat(fileOf(id));
      const head = file && (await this.#reader.lastHead(id, file));
      if (head === undefined) throw new HistoryError('notFound');
      const next: Head = { ...head, meta: change(head.meta) };
      const written = await this.#files.append(fileOf(id), encodeRecord(next));
      const entry = this.#entries.get(id);
      if (entry) this.#entries.set(id, { ...entry, file: written, head: next });
      return next.meta;
    });
  }

  /** Runs something else that concerns the file of a thread, with nobody else at it. */
  exclusive<T>(id: string, work: () => Promise<T>): Promise<T> {
    return this.#locked(id, work);
  }

  /** Forgets what is in the file of a thread that nobody has open any more. */
  forget(id: string): void {
    this.#entries.delete(id);
  }

  async #create(id: string, change: Change, before: Known): Promise<StoredMeta | undefined> {
    if (!isTyped(change, nothing) && !change.thread?.turns.length) return undefined;
    const { records, head, known } = plan(
      id,
      change,
      { ...nothing, title: before.title },
      undefined,
      this.#now(),
      this.#redact,
    );
    const file = await this.#files.replace(fileOf(id), [head, ...records, head].map(encodeRecord));
    this.#entries.set(id, { known, file, head, compacted: file.size });
    return head.meta;
  }

  async #drop(id: string): Promise<void> {
    await this.#files.remove(fileOf(id));
    this.#entries.delete(id);
  }

  async #add(id: string, entry: Entry & { file: FileInfo }, { records, head, known }: Plan): Promise<void> {
    const name = fileOf(id);
    let { file, compacted } = entry;
    let parts = records.map(encodeRecord);
    const size = (): number => file.size + parts.reduce((sum, { length }) => sum + length, 0);
    // Whatever would make the thread too large is worth a try as well.
    if (size() > Math.max(SMALL, 3 * compacted) || size() > Math.max(this.#largest, 1.2 * compacted)) {
      file = await this.#compact(id, file);
      compacted = file.size;
    }
    const full = size() > this.#largest;
    if (full) parts = records.filter(isSmall).map(encodeRecord);
    const written = await this.#files.append(name, joined([...parts, encodeRecord(head)]));
    this.#entries.set(id, { known: full ? entry.known : known, file: written, head, compacted });
    if (full) throw new HistoryError('tooLarge');
  }

  async #compact(id: string, file: FileInfo): Promise<FileInfo> {
    const { reading } = await this.#reader.read(id);
    if (reading.corrupt > 0) await this.#reader.setAside(id, reading);
    return this.#files.replace(file.name, reading.merge.compacted(id, file.mtime));
  }

  #locked<T>(id: string, work: () => Promise<T>): Promise<T> {
    return this.#turns.take(id, async () => {
      const release = await this.#files.lock(fileOf(id), true);
      try {
        return await work();
      } finally {
        await release?.();
      }
    });
  }
}

const isSame = (file: FileInfo, other: FileInfo | undefined): boolean =>
  file.size === other?.size && file.mtime === other.mtime;

/** What is taken in even by a thread that is full: what the user typed, and small records. */
const isSmall = (record: ThreadRecord): boolean => record.kind !== 'message';

/** Nothing but an empty draft is left of a thread in which nothing was ever asked. */
const isAbandoned = ({ draft }: Change, { head, known }: Plan): boolean =>
  draft !== undefined &&
  draft.text === '' &&
  draft.images.length === 0 &&
  head.meta.questions === 0 &&
  known.turns.size + known.queue.length === 0;

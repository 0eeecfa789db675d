/** Reads and writes thread files under their locks, and compacts them. */
import { isTyped, knownTurns, nothing, plan, type Change, type Known, type Plan, type RedactItem } from './changes.ts';
import { HistoryError } from './files/errors.ts';
import { fileOf, joined, totalLength, type FileInfo, type HistoryFiles } from './files/files.ts';
import type { StoredThread } from './merge.ts';
import { encodeRecord, type Head, type StoredMeta, type ThreadRecord } from './format/records.ts';
import { ThreadReader, type Damage } from './threadReader.ts';

export interface StoreOptions {
  onDamage: (damage: Damage) => void;
  /**
   * Maximum bytes of a thread file; a larger one accepts only user input. Files up to 1.5 times this size can be
   * opened.
   */
  largest?: number;
  now?: () => number;
  /** Redacts credentials before items are written. */
  redact?: RedactItem;
}

interface Entry {
  known: Known;
  file?: FileInfo;
  head?: Head;
  /** Size of the file after it was last compacted, or of its current content when it was read. */
  compacted: number;
}

/** Bytes; smaller files are never compacted. */
const SMALL = 256 * 1024;
const LARGEST = 128 * 1024 * 1024;

export class ThreadStore {
  readonly #files: HistoryFiles;
  readonly #reader: ThreadReader;
  readonly #largest: number;
  readonly #now: () => number;
  readonly #redact: RedactItem;
  readonly #entries = new Map<string, Entry>();
  readonly #mutex = new KeyedMutex();

  constructor(files: HistoryFiles, options: StoreOptions) {
    this.#files = files;
    this.#largest = options.largest ?? LARGEST;
    this.#now = options.now ?? Date.now;
    this.#redact = options.redact ?? ((item) => item);
    this.#reader = new ThreadReader(files, this.#largest * 1.5, options.onDamage, this.#now);
  }

  /** Reads a thread for a session that will save it, and repairs damage. */
  open(id: string): Promise<StoredThread> {
    return this.#mutex.run(id, async () => {
      const { reading, file } = await this.#reader.read(id);
      if (reading.corrupt > 0 || reading.merge.records === 0) await this.#reader.repair(id, reading);
      if (reading.merge.records === 0) throw new HistoryError('damaged');
      const stored = reading.merge.result(id, file.mtime);
      const { thread, meta } = stored;
      const known = { turns: knownTurns(thread.turns), queue: thread.queue };
      // The size of the current content, so that a file full of old versions is compacted soon.
      this.#entries.set(id, { known: { ...known, title: meta.title }, compacted: reading.merge.bytes });
      return stored;
    });
  }

  /** Reads a thread without opening it. */
  async peek(id: string): Promise<StoredThread> {
    const { reading, file } = await this.#reader.read(id);
    if (reading.merge.records === 0) throw new HistoryError('damaged');
    return reading.merge.result(id, file.mtime);
  }

  /** @returns the last head of a thread file; `undefined` if nothing in it is readable, and then a copy is kept */
  async head(id: string, file: FileInfo): Promise<Head | undefined> {
    const head = await this.#reader.lastHead(id, file);
    if (head === undefined) await this.#mutex.run(id, () => this.#reader.repair(id));
    return head;
  }

  /**
   * Appends changes to the thread file.
   * @returns the thread's metadata; `undefined` if the thread was deleted elsewhere and there is no new user input
   */
  write(id: string, change: Change): Promise<StoredMeta | undefined> {
    return this.exclusive(id, async () => {
      const entry = this.#entries.get(id) ?? { known: nothing, compacted: 0 };
      const file = await this.#files.stat(fileOf(id));
      const head = file && (isSame(file, entry.file) ? entry.head : await this.#reader.lastHead(id, file));
      if (file === undefined && entry.known !== nothing && !isTyped(change, entry.known)) return undefined;
      if (file && !head) await this.#reader.repairLocked(id);
      if (!file || !head) return this.#create(id, change, entry.known);
      const next = plan(id, change, entry.known, head, this.#now(), this.#redact);
      if (next.records.length === 0 && JSON.stringify(head) === JSON.stringify(next.head)) return head.meta;
      if (isAbandoned(change, next)) await this.#drop(id);
      else await this.#add(id, { ...entry, file, head }, next);
      return next.head.meta;
    });
  }

  /** Changes the metadata of a thread. */
  edit(id: string, change: (meta: StoredMeta) => StoredMeta): Promise<StoredMeta> {
    return this.exclusive(id, async () => {
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

  /** Runs `work` with the lock of the thread file held. */
  exclusive<T>(id: string, work: () => Promise<T>): Promise<T> {
    return this.#mutex.run(id, async () => {
      const release = await this.#files.lock(fileOf(id), true);
      try {
        return await work();
      } finally {
        await release?.();
      }
    });
  }

  /** Forgets the known state of a thread file that no session has open. */
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
    const size = (): number => file.size + totalLength(parts);
    // Also compact before giving up on a thread that would become too large.
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
}

const isSame = (file: FileInfo, other: FileInfo | undefined): boolean =>
  file.size === other?.size && file.mtime === other.mtime;

/** Records that a full thread still accepts: user input and other small records. */
const isSmall = (record: ThreadRecord): boolean => record.kind !== 'message';

/** Whether a thread has no question and its draft has been emptied. */
const isAbandoned = ({ draft }: Change, { head, known }: Plan): boolean =>
  draft !== undefined &&
  draft.text === '' &&
  draft.images.length === 0 &&
  head.meta.questions === 0 &&
  known.turns.size + known.queue.length === 0;

/** A mutex for each key, within this process, so that a process never waits for its own file lock. */
class KeyedMutex {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs `work` after all earlier work for the same key has settled. @returns the result of `work` */
  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const latest = (this.#last.get(key) ?? Promise.resolve()).then(work, work);
    this.#last.set(key, latest);
    const end = (): void => {
      if (this.#last.get(key) === latest) this.#last.delete(key);
    };
    latest.then(end, end);
    return latest;
  }
}

/** Reads, merges and writes the files of threads under their locks. */
import { emptyDraft, isEmptyDraft, draftMessage, type Draft } from '../../shared/protocol/chat.ts';
import { emptyThread, type Thread } from '../../shared/thread/model.ts';
import { titleFrom, turnsOf } from '../../shared/thread/turns.ts';
import { HistoryError } from './files/errors.ts';
import { asideName, fileOf, isSameFile, type FileInfo, type HistoryFiles } from './files/files.ts';
import { isSameList, mergeThreads, nothing, type Known } from './merge.ts';
import { metaOf, type StoredMeta, type StoredThread } from './storedThread.ts';
import { decodeThread, encodeThread, headOf, readMeta, type DecodedFile } from './threadFile.ts';

export interface StoreOptions {
  /**
   * Called for a damaged file, whose readable part is kept.
   * @param copy name of the copy of the file; undefined if the folder is not writable
   */
  onDamage: (threadId: string, copy?: string) => void;
  /** Maximum bytes of a thread file. */
  largest?: number;
  now?: () => number;
  /** Redacts credentials in the JSON of a file. */
  redact?: (json: string) => string;
}

/** Parts of a thread to save; absent parts are unchanged. */
export interface ThreadChange {
  thread?: Thread;
  about?: Partial<StoredMeta>;
  draft?: Draft;
}

/** A thread as its file has it. */
interface Saved {
  stored: StoredThread;
  /** Undefined if the file must be written, because it was damaged. */
  file: FileInfo | undefined;
}

const LARGEST = 128 * 1024 * 1024;
/** Bytes that contain the first line of nearly every file. */
const HEAD = 1024;

export class ThreadStore {
  readonly #files: HistoryFiles;
  readonly #options: Required<StoreOptions>;
  /** The threads of sessions, as last read or written, and what their sessions knew of them then. */
  readonly #entries = new Map<string, Saved & { known: Known }>();

  constructor(files: HistoryFiles, options: StoreOptions) {
    this.#files = files;
    this.#options = { largest: LARGEST, now: Date.now, redact: (json) => json, ...options };
  }

  /** Reads a thread for a session that will save it. @throws HistoryError */
  async open(id: string): Promise<StoredThread> {
    const { stored, file } = await this.read(id);
    this.#entries.set(id, { known: stored.thread, stored, file });
    return stored;
  }

  /** Reads a thread, and repairs its file. @throws HistoryError `damaged` if nothing in it was readable, or `tooLarge` */
  async read(id: string): Promise<Saved> {
    const { isDamaged, stored, file } = await this.#read(id);
    if (isDamaged) await this.#repair(id);
    if (stored === undefined) throw new HistoryError('damaged');
    return { stored, file };
  }

  /** @returns the metadata at the start of a thread file. @throws HistoryError */
  async meta(id: string): Promise<StoredMeta> {
    return readMeta(await this.#files.read(fileOf(id), HEAD), id) ?? (await this.read(id)).stored.meta;
  }

  /**
   * Saves changes, merged with those of other windows. Does nothing if the thread was deleted elsewhere and there is no
   * new user input; removes the file of a thread whose only content was a draft that is now empty.
   * @returns the metadata; undefined if there is no file
   */
  write(id: string, change: ThreadChange): Promise<StoredMeta | undefined> {
    return this.exclusive(id, async () => {
      const entry = this.#entries.get(id);
      const current = await this.#current(id);
      const known = entry?.known ?? nothing;
      if (current === undefined && !isTyped(change, known)) return undefined;
      // What a damaged file lacks was not removed by another window.
      const base = current && !current.file ? nothing : known;
      const next = this.#changed(id, change, (current ?? entry)?.stored, base);
      const { thread, draft } = change;
      if (draft && isEmpty(next)) {
        this.forget(id);
        await this.#files.remove(fileOf(id));
        return undefined;
      }
      const isUnchanged = current?.file && isSame(current.stored, next);
      const file = isUnchanged ? current.file : await this.#files.replace(fileOf(id), this.#encoded(next));
      const knows = thread ? { turns: turnsOf(thread), queue: thread.queue } : known;
      this.#entries.set(id, { known: knows, stored: next, file });
      return next.meta;
    });
  }

  /** Saves a thread that does not come from a session, merged with its file if there is one. */
  async restore(id: string, change: ThreadChange): Promise<void> {
    this.forget(id);
    await this.write(id, change);
    this.forget(id);
  }

  /** Removes the file of a thread, with its lock held: another window that is saving would create it again. */
  remove(id: string): Promise<void> {
    return this.exclusive(id, () => this.#files.remove(fileOf(id)));
  }

  /** Runs `work` with the lock of the thread file held. */
  async exclusive<T>(id: string, work: () => Promise<T>): Promise<T> {
    const release = await this.#files.lock(fileOf(id), true);
    try {
      return await work();
    } finally {
      await release?.();
    }
  }

  /** Forgets the state of a thread, or of all, that no session has open. */
  forget(id?: string): void {
    if (id === undefined) this.#entries.clear();
    else this.#entries.delete(id);
  }

  async #read(id: string): Promise<DecodedFile & { file: FileInfo; bytes: Uint8Array }> {
    const file = await this.#files.stat(fileOf(id));
    if (file === undefined) throw new HistoryError('notFound');
    if (file.size > this.#options.largest) throw new HistoryError('tooLarge');
    const bytes = await this.#files.read(file.name);
    return { ...decodeThread(id, bytes, file.mtime), file, bytes };
  }

  /** @returns the thread in the file, from memory if the file is unchanged. Copies a damaged file; requires the lock. */
  async #current(id: string): Promise<Saved | undefined> {
    const info = await this.#files.stat(fileOf(id));
    if (info === undefined) return undefined;
    const entry = this.#entries.get(id);
    if (entry?.file && isSameFile(info, entry.file)) return entry;
    const { isDamaged, bytes, file, stored = entry?.stored } = await this.#read(id);
    if (!isDamaged && stored) return { stored, file };
    const copy = asideName(id, this.#options.now(), 'damaged');
    await this.#files.replace(copy, [bytes]);
    this.#options.onDamage(id, copy);
    if (stored === undefined) await this.#files.remove(file.name);
    return stored && { stored, file: undefined };
  }

  #changed(
    id: string,
    { thread, about, draft }: ThreadChange,
    base: StoredThread | undefined,
    known: Known,
  ): StoredThread {
    const before = base ?? { thread: emptyThread(id), draft: emptyDraft };
    const now = this.#options.now();
    // The response is in the turns, and the memory of its accumulators is not held here.
    const ours = thread && { ...thread, response: undefined, turns: turnsOf(thread) };
    const next = ours ? mergeThreads(before.thread, ours, known) : before.thread;
    const meta = metaOf(next, now, { ...base?.meta, ...about, ...(base?.meta.readOnly && { readOnly: true }) });
    // The list shows a chat without a question by its draft.
    const isDraft = draft !== undefined && meta.questions === 0 && !meta.named;
    const shown = isDraft ? { title: titleFrom(draftMessage(draft).text), updatedAt: now } : {};
    return { ...before, thread: next, meta: { ...meta, ...shown }, draft: draft ?? before.draft };
  }

  async *#encoded(stored: StoredThread): AsyncGenerator<Uint8Array> {
    let size = 0;
    for await (const part of encodeThread(stored, this.#options.redact)) {
      size += part.length;
      if (size > this.#options.largest) throw new HistoryError('tooLarge');
      yield part;
    }
  }

  /** Copies a damaged file, and rewrites its readable part; if that fails, the damage is still reported. */
  async #repair(id: string): Promise<void> {
    try {
      await this.write(id, {});
    } catch {
      this.#options.onDamage(id);
    }
  }
}

/** Whether two versions of a thread have the same file. */
const isSame = (one: StoredThread, other: StoredThread): boolean =>
  headOf(one) === headOf(other) && isSameList(one.thread.turns, other.thread.turns);

/** Whether a change contains user input that is not in the file yet. */
function isTyped({ thread, draft }: ThreadChange, known: Known): boolean {
  if (draft && !isEmptyDraft(draft)) return true;
  if (thread === undefined) return false;
  const ids = new Set(known.turns.map(({ id }) => id));
  return turnsOf(thread).some(({ id }) => !ids.has(id)) || thread.queue.length > 0;
}

const isEmpty = ({ thread, draft }: StoredThread): boolean =>
  isEmptyDraft(draft) && thread.turns.length + thread.queue.length === 0;

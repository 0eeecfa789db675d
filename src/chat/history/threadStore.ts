/** Reads, merges and writes the files of threads under their locks. */
import { emptyDraft, isEmptyDraft, draftMessage, type Draft } from '../../shared/protocol/chat.ts';
import { emptyThread, type Thread } from '../../shared/thread/model.ts';
import { titleFrom, turnsOf } from '../../shared/thread/turns.ts';
import { HistoryError } from './files/errors.ts';
import { asideName, fileOf, isSameFile, type FileInfo, type HistoryFiles } from './files/files.ts';
import { mergeThreads, nothing, type Known } from './merge.ts';
import { metaOf, type StoredMeta, type StoredThread } from './storedThread.ts';
import { decodeThread, encodeThread, headOf, LARGEST, readMeta, type DecodedFile } from './threadFile.ts';

export interface StoreOptions {
  /**
   * Called for a damaged file, whose readable part is kept.
   * @param copy name of the copy of the file; undefined if the folder is not writable
   */
  onDamage: (threadId: string, copy?: string) => void;
  /** Redacts credentials in the JSON of a file. */
  redact?: (json: string) => string;
}

/** Parts of a thread to save; absent parts are unchanged. */
export interface ThreadChange {
  thread?: Thread;
  about?: Partial<StoredMeta>;
  draft?: Draft;
}

/** A thread as it was last read from its file or written. */
interface Saved {
  stored: StoredThread;
  /** Undefined if the file must be written, because it was damaged. */
  file: FileInfo | undefined;
  /** What the session of the thread knew of it then. */
  known: Known;
}

/** Bytes that contain the first line of nearly every file. */
const HEAD = 1024;

export class ThreadStore {
  readonly #files: HistoryFiles;
  readonly #options: Required<StoreOptions>;
  readonly #entries = new Map<string, Saved>();

  constructor(files: HistoryFiles, options: StoreOptions) {
    this.#files = files;
    this.#options = { redact: (json) => json, ...options };
  }

  /** Reads a thread for a session that will save it. @throws HistoryError */
  async open(id: string): Promise<StoredThread> {
    const saved = await this.read(id);
    this.#entries.set(id, saved);
    return saved.stored;
  }

  /** Reads a thread, and repairs its file. @throws HistoryError `damaged` if nothing in it is readable */
  async read(id: string): Promise<Saved> {
    const { isDamaged, stored, file } = await this.#decode(id);
    // Damage that can't be repaired is also reported.
    if (isDamaged) await this.write(id, {}).catch(() => this.#options.onDamage(id));
    if (stored === undefined) throw new HistoryError('damaged');
    return { stored, file, known: stored.thread };
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
      const current = await this.#current(id, entry);
      const base = current ?? entry;
      if (current === undefined && !isTyped(change, entry?.known ?? nothing)) return undefined;
      const next = changed(id, change, base);
      if (change.draft && isEmpty(next)) {
        this.forget(id);
        await this.#files.remove(fileOf(id));
        return undefined;
      }
      const isUnchanged = current?.file && isSame(current.stored, next);
      const file = isUnchanged
        ? current.file
        : await this.#files.replace(fileOf(id), encodeThread(next, this.#options.redact));
      const known = change.thread ? { turns: turnsOf(change.thread), queue: change.thread.queue } : entry?.known;
      this.#entries.set(id, { stored: next, file, known: known ?? nothing });
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

  async #decode(id: string): Promise<DecodedFile & { file: FileInfo; bytes: Uint8Array }> {
    const file = await this.#files.stat(fileOf(id));
    if (file === undefined) throw new HistoryError('notFound');
    if (file.size > LARGEST) throw new HistoryError('tooLarge');
    const bytes = await this.#files.read(file.name);
    return { ...decodeThread(id, bytes), file, bytes };
  }

  /** @returns the thread in the file, from memory if the file is unchanged. Copies a damaged file; requires the lock. */
  async #current(id: string, entry: Saved | undefined): Promise<Saved | undefined> {
    const info = await this.#files.stat(fileOf(id));
    if (info === undefined) return undefined;
    if (entry?.file && isSameFile(info, entry.file)) return entry;
    const { isDamaged, bytes, file, stored = entry?.stored } = await this.#decode(id);
    if (!isDamaged && stored) return { stored, file, known: entry?.known ?? nothing };
    const copy = asideName(id, 'damaged');
    await this.#files.replace(copy, [bytes]);
    this.#options.onDamage(id, copy);
    if (stored === undefined) await this.#files.remove(file.name);
    // What a damaged file lacks was not removed by another window.
    return stored && { stored, file: undefined, known: nothing };
  }
}

/** @returns the thread after a change, merged with its file */
function changed(id: string, { thread, about, draft }: ThreadChange, base: Saved | undefined): StoredThread {
  const before = base?.stored ?? { thread: emptyThread(id), draft: emptyDraft };
  // The response is in the turns, and the memory of its accumulators is not held here.
  const ours = thread && { ...thread, response: undefined, turns: turnsOf(thread) };
  const next = ours ? mergeThreads(before.thread, ours, base?.known ?? nothing) : before.thread;
  const meta = metaOf(next, { ...base?.stored.meta, ...about });
  // The list shows a chat without a question by its draft.
  const isDraft = draft !== undefined && meta.questions === 0 && !meta.named;
  const shown = isDraft ? { title: titleFrom(draftMessage(draft).text), updatedAt: Date.now() } : {};
  return { thread: next, meta: { ...meta, ...shown }, draft: draft ?? before.draft };
}

/** Whether two versions of a thread have the same file; turns are immutable, so they are compared by identity. */
const isSame = (one: StoredThread, other: StoredThread): boolean =>
  headOf(one) === headOf(other) &&
  one.thread.turns.length === other.thread.turns.length &&
  one.thread.turns.every((turn, at) => turn === other.thread.turns[at]);

/** Whether a change contains user input that is not in the file yet. */
function isTyped({ thread = emptyThread(''), draft = emptyDraft }: ThreadChange, known: Known): boolean {
  const ids = new Set(known.turns.map(({ id }) => id));
  return !isEmptyDraft(draft) || thread.queue.length > 0 || turnsOf(thread).some(({ id }) => !ids.has(id));
}

const isEmpty = ({ thread, draft }: StoredThread): boolean =>
  isEmptyDraft(draft) && thread.turns.length + thread.queue.length === 0;

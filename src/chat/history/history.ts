/** The thread history on this machine: saves, lists, searches, renames, deletes and exports threads. */
import type { Draft } from '../../shared/protocol/chat.ts';
import type { Thread } from '../../shared/thread/model.ts';
import type { About } from './changes.ts';
import { exportJson, exportMarkdown, importJson, type Imported } from './export.ts';
import { HistoryError } from './files/errors.ts';
import { allBytes, fileOf, threadOf, type HistoryFiles, type Release } from './files/files.ts';
import { beyond, deletedName, inListOrder, isLeftover, isOurs, Listing, type Limits } from './listing.ts';
import type { StoredThread } from './merge.ts';
import type { StoredMeta } from './format/records.ts';
import { Saver, type SaverOptions } from './saver.ts';
import { search, type SearchHit } from './search.ts';
import { ThreadStore, type StoreOptions } from './threadStore.ts';

export interface HistoryOptions
  extends Pick<StoreOptions, 'onDamage' | 'largest' | 'redact'>, Pick<SaverOptions, 'onError' | 'interval'> {
  now?: () => number;
}

/** Methods that return a promise can reject with a `HistoryError`, unless documented otherwise. */
export class History {
  readonly #files: HistoryFiles;
  readonly #store: ThreadStore;
  readonly #saver: Saver;
  readonly #listing: Listing;
  readonly #now: () => number;
  readonly #open = new Set<string>();

  constructor(files: HistoryFiles, options: HistoryOptions) {
    this.#files = files;
    this.#now = options.now ?? Date.now;
    this.#store = new ThreadStore(files, options);
    this.#listing = new Listing(files, async (id, file) => (await this.#store.head(id, file))?.meta);
    this.#saver = new Saver({ ...options, write: (id, change) => this.#store.write(id, change) });
  }

  /** @returns all threads, including those with only a draft and unsaved changes: pinned first, then by last change */
  async list(): Promise<StoredMeta[]> {
    await this.#saver.flush();
    return (await this.#listing.read()).map(({ meta }) => meta).sort(inListOrder);
  }

  /**
   * Opens a thread for a session. A thread whose answer can be resumed has the status `submitted` or `streaming` and
   * the `messageId` to re-attach with; any other thread is idle.
   */
  async open(id: string): Promise<StoredThread> {
    await this.#saver.flush(id);
    const stored = await this.#store.open(id);
    this.#open.add(id);
    return stored;
  }

  /** Reads a thread without opening it for a session. */
  async read(threadId: string): Promise<StoredThread> {
    await this.#saver.flush(threadId);
    return this.#store.peek(threadId);
  }

  /** Schedules a save: immediately if a request began or ended, otherwise within a second. Never throws. */
  save(thread: Thread, about: About): void {
    this.#open.add(thread.id);
    this.#saver.save(thread, about);
  }

  /** Schedules a save of the draft within a second. Never throws. */
  saveDraft(threadId: string, draft: Draft, about: About): void {
    this.#open.add(threadId);
    this.#saver.saveDraft(threadId, draft, about);
  }

  /** Saves pending changes of one thread or of all now. Failures are reported to `onError` and retried. */
  flush(threadId?: string): Promise<void> {
    return this.#saver.flush(threadId);
  }

  /** Saves pending changes before the host exits, and discards those that fail. */
  end(): Promise<void> {
    return this.#saver.end();
  }

  async rename(threadId: string, title: string): Promise<StoredMeta> {
    return this.#edit(threadId, (meta) => ({ ...meta, title: title.trim() || meta.title, named: true }));
  }

  async pin(threadId: string, pinned: boolean): Promise<StoredMeta> {
    return this.#edit(threadId, (meta) => ({ ...meta, pinned }));
  }

  /**
   * Deletes a thread; its session should be closed first.
   * @returns a function that restores it; works for a day, unless the history is cleared
   */
  async remove(threadId: string): Promise<() => Promise<void>> {
    // Restoring the thread restores its file, so save the latest changes first.
    await this.#saver.flush(threadId);
    await this.#saver.forget(threadId);
    const name = fileOf(threadId);
    const aside = deletedName(threadId, this.#now());
    if (!(await this.#store.exclusive(threadId, () => this.#files.rename(name, aside))))
      throw new HistoryError('notFound');
    this.#open.delete(threadId);
    this.#store.forget(threadId);
    return () => this.#store.exclusive(threadId, () => this.#bringBack(name, aside));
  }

  /** Permanently deletes all threads, including deleted threads that could be restored and copies of damaged files. */
  async clear(): Promise<void> {
    for (const id of this.#open) await this.#saver.forget(id);
    for (const { name } of (await this.#files.list()).filter(isOurs)) {
      const id = threadOf(name);
      const remove = (): Promise<void> => this.#files.remove(name);
      // Under its lock: another window that is appending to the file would create it again.
      await (id === undefined ? remove() : this.#store.exclusive(id, remove));
    }
    for (const id of this.#open) this.#store.forget(id);
    this.#open.clear();
  }

  /**
   * Deletes the oldest threads beyond the limits, except pinned and open ones, and leftover files.
   * @returns the deleted threads
   */
  async tidy(limits: Limits): Promise<StoredMeta[]> {
    const deleted: StoredMeta[] = [];
    for (const meta of beyond(await this.#listing.read(), limits, (id) => this.#open.has(id)))
      if (await succeeds(() => this.#store.exclusive(meta.id, () => this.#files.remove(fileOf(meta.id)))))
        deleted.push(meta);
    const leftovers = (await this.#files.list()).filter((file) => isLeftover(file, this.#now()));
    for (const { name } of leftovers) await succeeds(() => this.#files.remove(name));
    return deleted;
  }

  /** Searches titles, then contents, in the order of `list`; yields hits as they are found, at most one per thread. */
  async *search(query: string, signal?: AbortSignal): AsyncGenerator<SearchHit> {
    const threads = await this.list();
    const bytes = (id: string): AsyncIterable<Uint8Array> => this.#files.read(fileOf(id));
    yield* search({ threads, bytes, read: (id) => this.#store.peek(id) }, query, signal);
  }

  async exportMarkdown(threadId: string): Promise<string> {
    return exportMarkdown(await this.read(threadId));
  }

  async exportJson(threadId: string): Promise<string> {
    return exportJson(await this.read(threadId), this.#now());
  }

  /**
   * Adds an exported thread under a new id, as read-only. Rejects with `invalid` if the text is not an exported thread.
   */
  async importJson(text: string): Promise<StoredThread & Pick<Imported, 'problems' | 'invalid'>> {
    const { thread, title, origin, ...leftOut } = importJson(text, crypto.randomUUID(), this.#now());
    await this.#store.write(thread.id, { thread, about: { title, origin, readOnly: true } });
    return { ...(await this.#store.open(thread.id)), ...leftOut };
  }

  /**
   * Locks the running answer of a thread, so that only one host reattaches to it.
   * @returns a function that releases it; `undefined` while another live host holds it
   */
  async lockAnswer(threadId: string): Promise<Release | undefined> {
    return this.#files.lock(fileOf(threadId).replace(/\.[^.]*$/, '.claim'), false);
  }

  async #edit(threadId: string, change: (meta: StoredMeta) => StoredMeta): Promise<StoredMeta> {
    await this.#saver.flush(threadId);
    return this.#store.edit(threadId, change);
  }

  /** If another window has saved the thread since, append the deleted records: the merge combines them. */
  async #bringBack(name: string, aside: string): Promise<void> {
    if (await this.#files.stat(name)) {
      await this.#files.append(name, await allBytes(this.#files.read(aside)));
      await this.#files.remove(aside);
    } else if (!(await this.#files.rename(aside, name))) throw new HistoryError('notFound');
  }
}

/** A file that cannot be removed is retried at the next cleanup and does not stop this one. */
const succeeds = (work: () => Promise<unknown>): Promise<boolean> =>
  work().then(
    () => true,
    () => false,
  );

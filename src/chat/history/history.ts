/** The thread history on this machine: saves, lists, searches, renames and deletes threads. */
import type { Thread } from '../../shared/thread/model.ts';
import { HistoryError } from './files/errors.ts';
import {
  asideName,
  fileOf,
  isLeftover,
  isLock,
  LOG,
  threadOf,
  type HistoryFiles,
  type Release,
} from './files/files.ts';
import { listThreads, type Listed } from './listing.ts';
import { Saver, type SaverOptions } from './saver.ts';
import { search, type SearchHit } from './search.ts';
import type { StoredMeta, StoredThread } from './storedThread.ts';
import { decodeThread } from './threadFile.ts';
import { ThreadStore, type ThreadChange, type StoreOptions } from './threadStore.ts';

export type HistoryOptions = StoreOptions & Pick<SaverOptions, 'onError'>;

/** Methods that return a promise can reject with a `HistoryError`, unless documented otherwise. */
export class History extends Saver {
  readonly #files: HistoryFiles;
  readonly #store: ThreadStore;
  #listed: readonly Listed[] = [];

  constructor(files: HistoryFiles, options: HistoryOptions) {
    const store = new ThreadStore(files, options);
    super({ ...options, write: (id, change) => store.write(id, change) });
    this.#files = files;
    this.#store = store;
  }

  /** @returns all threads, including those with only a draft and unsaved changes: pinned first, then by last change */
  async list(): Promise<StoredMeta[]> {
    await this.flush();
    this.#listed = await listThreads(this.#files, (id) => this.#store.meta(id), this.#listed);
    return this.#listed.map(({ meta }) => meta);
  }

  /**
   * Opens a thread for a session. A thread whose answer can be resumed has the status `submitted` or `streaming` and
   * the `messageId` to re-attach with; any other thread is idle.
   */
  async open(id: string): Promise<StoredThread> {
    await this.flush(id);
    return this.#store.open(id);
  }

  /** Reads a thread without opening it for a session. */
  async read(threadId: string): Promise<StoredThread> {
    await this.flush(threadId);
    return (await this.#store.read(threadId)).stored;
  }

  rename(threadId: string, title: string): Promise<StoredMeta> {
    return this.#edit(threadId, { title: title.trim(), named: true });
  }

  pin(threadId: string, pinned: boolean): Promise<StoredMeta> {
    return this.#edit(threadId, { pinned });
  }

  /**
   * Deletes a thread; its session should be closed first.
   * @returns a function that restores it; works for a day, unless the history is cleared
   */
  async remove(threadId: string): Promise<() => Promise<void>> {
    // Restoring the thread restores its file, so save the latest changes first.
    await this.flush(threadId);
    await this.forget(threadId);
    const [name, aside] = [fileOf(threadId), asideName(threadId, 'deleted')];
    const isFound = await this.#store.exclusive(threadId, () => this.#files.rename(name, aside));
    if (!isFound) throw new HistoryError('notFound');
    this.#store.forget(threadId);
    return async () => {
      const bringBack = async (): Promise<boolean> =>
        !(await this.#files.stat(name)) && this.#files.rename(aside, name);
      // Another window may have saved the thread again.
      if (!(await this.#store.exclusive(threadId, bringBack))) await this.#merge(threadId, aside);
    };
  }

  /** Permanently deletes all threads, including deleted threads that could be restored and copies of damaged files. */
  async clear(): Promise<void> {
    await this.forget();
    for (const { name } of await this.#files.list()) {
      const id = threadOf(name);
      if (id !== undefined) await this.#store.remove(id);
      else if (!isLock(name)) await this.#files.remove(name);
    }
    this.#store.forget();
  }

  /**
   * Deletes leftover files and the last threads of the list beyond the limit, except pinned ones, and converts files of
   * the first version. Files that are damaged or can't be removed are left as they are. Runs before a thread is opened.
   */
  async tidy(limit: number): Promise<void> {
    for (const file of await this.#files.list()) {
      const id = threadOf(file.name, LOG);
      if (id !== undefined) await this.#merge(id, file.name).catch(leave);
      else if (isLeftover(file)) await this.#files.remove(file.name).catch(leave);
    }
    for (const { id, pinned } of (await this.list()).slice(limit))
      if (!pinned) await this.#store.remove(id).catch(leave);
  }

  /** Searches titles, then contents, in the order of `list`; yields hits as they are found, at most one per thread. */
  async *search(query: string, signal?: AbortSignal): AsyncGenerator<SearchHit> {
    yield* search(await this.list(), (id) => this.#files.read(fileOf(id)), query, signal);
  }

  /** Adds a thread that no session has, such as an import. */
  add(thread: Thread, about: ThreadChange['about']): Promise<void> {
    return this.#store.restore(thread.id, { thread, about });
  }

  /**
   * Locks the running answer of a thread, so that only one host reattaches to it.
   * @returns a function that releases it; `undefined` while another live host holds it
   */
  async lockAnswer(threadId: string): Promise<Release | undefined> {
    return this.#files.lock(fileOf(threadId).replace('.json', '.claim'), false);
  }

  async #edit(threadId: string, about: ThreadChange['about']): Promise<StoredMeta> {
    await this.flush(threadId);
    const meta = await this.#store.write(threadId, { about });
    if (meta === undefined) throw new HistoryError('notFound');
    return meta;
  }

  /** Saves the thread of another file in its own file, merged with what is in it, and removes the other file. */
  async #merge(id: string, name: string): Promise<void> {
    const { stored } = decodeThread(id, await this.#files.read(name));
    if (stored === undefined) throw new HistoryError('damaged');
    await this.#store.restore(id, { ...stored, about: stored.meta });
    await this.#files.remove(name);
  }
}

/** The next cleanup retries it. */
const leave = (): void => undefined;

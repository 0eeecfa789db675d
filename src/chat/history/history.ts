/** The threads of this machine: saved as they grow, listed, searched, named, deleted, exported. */
import type { Draft } from '../../shared/protocol/chat.ts';
import type { Thread } from '../../shared/thread/model.ts';
import type { About } from './changes.ts';
import { HistoryError } from './errors.ts';
import { exportJson, importJson, type Imported } from './exportJson.ts';
import { exportMarkdown } from './exportMarkdown.ts';
import { allBytes, fileOf, type HistoryFiles, type Release } from './files.ts';
import { Listing } from './listing.ts';
import type { StoredThread } from './merge.ts';
import type { StoredMeta } from './records.ts';
import { Saver, type SaverOptions } from './saver.ts';
import { search, type SearchHit } from './search.ts';
import { ThreadStore, type StoreOptions } from './threadStore.ts';
import { beyond, deletedName, isLeftover, isOurs, type Limits } from './tidy.ts';

export interface HistoryOptions
  extends Pick<StoreOptions, 'onDamage' | 'largest' | 'redact'>, Pick<SaverOptions, 'onError' | 'interval'> {
  now?: () => number;
}

/** Every method that returns a promise may fail with a `HistoryError`, unless it says otherwise. */
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

  /** @returns all threads in which something was asked, just now too: pinned ones first, then the latest */
  async list(): Promise<StoredMeta[]> {
    await this.#saver.flush();
    const threads = (await this.#listing.read()).map(({ meta }) => meta);
    return threads
      .filter(({ questions, title }) => questions > 0 || title !== '')
      .sort((a, b) => Number(b.pinned) - Number(a.pinned) || b.updatedAt - a.updatedAt || (a.id < b.id ? -1 : 1));
  }

  /**
   * Opens a thread for a session. One that was being answered comes back as `submitted` or `streaming`, with the
   * `messageId` to re-attach by; whatever cannot be taken up again comes back at rest.
   */
  async open(id: string): Promise<StoredThread> {
    await this.#saver.flush(id);
    const stored = await this.#store.open(id);
    this.#open.add(id);
    return stored;
  }

  /** Has a thread saved soon: at once when something began or ended, else within a second. Never throws. */
  save(thread: Thread, about: About): void {
    this.#open.add(thread.id);
    this.#saver.save(thread, about);
  }

  /** Has what is in the composer saved within a second. Never throws. */
  saveDraft(threadId: string, draft: Draft, about: About): void {
    this.#open.add(threadId);
    this.#saver.saveDraft(threadId, draft, about);
  }

  /** Saves now what waits, of one thread or of all. Failures go to `onError`; what failed is kept and tried again. */
  flush(threadId?: string): Promise<void> {
    return this.#saver.flush(threadId);
  }

  /** Saves what waits for the last time, before the host ends. */
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
   * Deletes a thread; the session should be closed before.
   * @returns takes the deletion back; possible for a day, unless the history is cleared
   */
  async remove(threadId: string): Promise<() => Promise<void>> {
    await this.#saver.forget(threadId);
    const name = fileOf(threadId);
    const aside = deletedName(threadId, this.#now());
    if (!(await this.#store.exclusive(threadId, () => this.#files.rename(name, aside))))
      throw new HistoryError('notFound');
    this.#open.delete(threadId);
    this.#store.forget(threadId);
    return () => this.#store.exclusive(threadId, () => this.#bringBack(name, aside));
  }

  /** Deletes everything for good, what was set aside included. */
  async clear(): Promise<void> {
    for (const id of this.#open) await this.#saver.forget(id);
    for (const file of (await this.#files.list()).filter(isOurs)) await this.#files.remove(file.name);
    for (const id of this.#open) this.#store.forget(id);
    this.#open.clear();
  }

  /**
   * Lets go of the oldest threads beyond the limits, except pinned and open ones, and of leftovers.
   * @returns the threads that were let go of
   */
  async tidy(limits: Limits): Promise<StoredMeta[]> {
    const gone: StoredMeta[] = [];
    for (const meta of beyond(await this.#listing.read(), limits, (id) => this.#open.has(id)))
      if (await succeeds(() => this.#store.exclusive(meta.id, () => this.#files.remove(fileOf(meta.id)))))
        gone.push(meta);
    const leftovers = (await this.#files.list()).filter((file) => isLeftover(file, this.#now()));
    for (const { name } of leftovers) await succeeds(() => this.#files.remove(name));
    return gone;
  }

  /** Searches titles, then contents, the latest thread first; hits come as they are found, one a thread. */
  async *search(query: string, signal?: AbortSignal): AsyncGenerator<SearchHit> {
    const threads = await this.list();
    const bytes = (id: string): AsyncIterable<Uint8Array> => this.#files.read(fileOf(id));
    yield* search({ threads, bytes, read: (id) => this.#store.peek(id) }, query, signal);
  }

  async exportMarkdown(threadId: string): Promise<string> {
    return exportMarkdown(await this.#look(threadId));
  }

  async exportJson(threadId: string): Promise<string> {
    return exportJson(await this.#look(threadId), this.#now());
  }

  /** Adds an exported thread under a new id, to be read only. Fails with `invalid` when it is not one. */
  async importJson(text: string): Promise<StoredThread & Pick<Imported, 'problems'>> {
    const { thread, title, origin, problems } = importJson(text, crypto.randomUUID(), this.#now());
    await this.#store.write(thread.id, { thread, about: { title, origin, readOnly: true } });
    return { ...(await this.#store.open(thread.id)), problems };
  }

  /**
   * Claims the right to take up the answer of a thread, so that of two hosts only one does.
   * @returns gives it back; `undefined` while another living host has it
   */
  async claim(threadId: string): Promise<Release | undefined> {
    return this.#files.lock(fileOf(threadId).replace(/\.[^.]*$/, '.claim'), false);
  }

  async #edit(threadId: string, change: (meta: StoredMeta) => StoredMeta): Promise<StoredMeta> {
    await this.#saver.flush(threadId);
    return this.#store.edit(threadId, change);
  }

  async #look(threadId: string): Promise<StoredThread> {
    await this.#saver.flush(threadId);
    return this.#store.peek(threadId);
  }

  /** Another window may have written the thread anew; then both become one, for records merge. */
  async #bringBack(name: string, aside: string): Promise<void> {
    if (await this.#files.stat(name)) {
      await this.#files.append(name, await allBytes(this.#files.read(aside)));
      await this.#files.remove(aside);
    } else if (!(await this.#files.rename(aside, name))) throw new HistoryError('notFound');
  }
}

/** What cannot be removed now is tried again the next time; it keeps nothing else from being done. */
const succeeds = (work: () => Promise<unknown>): Promise<boolean> =>
  work().then(
    () => true,
    () => false,
  );

/**
 * When threads are saved: at once where something begins or ends, about once a second while an answer streams.
 * What could not be written is kept and tried again until it could.
 */
import type { Draft } from '../../shared/protocol/chat.ts';
import type { Thread } from '../../shared/thread/model.ts';
import type { About, Change } from './changes.ts';
import { historyError, type HistoryError } from './errors.ts';

export interface SaverOptions {
  write: (threadId: string, change: Change) => Promise<unknown>;
  /** Told once for each kind of failure of a thread, until a save succeeds again. */
  onError: (error: HistoryError, threadId: string) => void;
  /** Milliseconds between two saves of a streaming thread. */
  interval?: number;
  now?: () => number;
}

interface Pending {
  change: Change | undefined;
  seen: Thread | undefined;
  timer: ReturnType<typeof setTimeout> | undefined;
  due: number;
  /** Something began or ended since the last write. */
  urgent: boolean;
  writing: Promise<void> | undefined;
  lastWrite: number;
  failures: number;
  told: string | undefined;
}

const FIRST_RETRY = 1000;
const LONGEST_RETRY = 60_000;

export class Saver {
  readonly #options: SaverOptions;
  readonly #interval: number;
  readonly #now: () => number;
  readonly #pending = new Map<string, Pending>();

  constructor(options: SaverOptions) {
    this.#options = options;
    this.#interval = options.interval ?? 1000;
    this.#now = options.now ?? Date.now;
  }

  /** Has the thread saved as it is now, soon. Costs next to nothing, so it can be called for every change. */
  save(thread: Thread, about: About): void {
    const pending = this.#of(thread.id);
    pending.urgent ||= !isSamePhase(pending.seen, thread);
    pending.seen = thread;
    pending.change = { ...pending.change, thread, about };
    this.#schedule(thread.id, pending);
  }

  /** Has the draft saved, soon. */
  saveDraft(threadId: string, draft: Draft, about: About): void {
    const pending = this.#of(threadId);
    pending.change = { about, ...pending.change, draft };
    this.#schedule(threadId, pending);
  }

  /** Saves now whatever waits; of one thread, or of all. Failures are told as always. */
  async flush(threadId?: string): Promise<void> {
    const ids = threadId === undefined ? [...this.#pending.keys()] : [threadId];
    await Promise.all(ids.map((id) => this.#flushOne(id)));
  }

  /** Saves once more what waits; what cannot be saved then is given up. */
  async end(): Promise<void> {
    await this.flush();
    await Promise.all([...this.#pending.keys()].map((id) => this.forget(id)));
  }

  /** Drops what waits, for a thread that is being deleted. */
  async forget(threadId: string): Promise<void> {
    const pending = this.#pending.get(threadId);
    if (pending === undefined) return;
    pending.change = undefined;
    clearTimeout(pending.timer);
    this.#pending.delete(threadId);
    await pending.writing;
  }

  #of(threadId: string): Pending {
    let pending = this.#pending.get(threadId);
    if (pending === undefined) {
      pending = {
        change: undefined,
        seen: undefined,
        timer: undefined,
        due: Infinity,
        urgent: false,
        writing: undefined,
        lastWrite: -Infinity,
        failures: 0,
        told: undefined,
      };
      this.#pending.set(threadId, pending);
    }
    return pending;
  }

  #schedule(threadId: string, pending: Pending): void {
    const wait = this.#delay(pending);
    const due = this.#now() + wait;
    if (pending.writing || due >= pending.due) return;
    clearTimeout(pending.timer);
    pending.due = due;
    pending.timer = setTimeout(() => void this.#run(threadId, pending), wait);
    // Where there are processes, one that wants to end is not kept from it: it has flushed.
    (pending.timer as { unref?: () => void }).unref?.();
  }

  #delay({ failures, urgent, lastWrite }: Pending): number {
    if (failures > 0) return Math.min(LONGEST_RETRY, FIRST_RETRY * 2 ** failures);
    return urgent ? 0 : Math.max(0, lastWrite + this.#interval - this.#now());
  }

  async #flushOne(threadId: string): Promise<void> {
    const pending = this.#pending.get(threadId);
    if (pending === undefined) return;
    await pending.writing;
    await this.#run(threadId, pending);
  }

  #run(threadId: string, pending: Pending): Promise<void> {
    clearTimeout(pending.timer);
    pending.due = Infinity;
    const { change } = pending;
    if (pending.writing || change === undefined) return pending.writing ?? Promise.resolve();
    pending.change = undefined;
    pending.urgent = false;
    pending.writing = this.#write(threadId, pending, change).finally(() => {
      pending.writing = undefined;
      pending.lastWrite = this.#now();
      // What has come meanwhile, or is still unsaved.
      if (pending.change) this.#schedule(threadId, pending);
    });
    return pending.writing;
  }

  async #write(threadId: string, pending: Pending, change: Change): Promise<void> {
    try {
      await this.#options.write(threadId, change);
      pending.failures = 0;
      pending.told = undefined;
    } catch (failure) {
      const error = historyError(failure);
      if (this.#pending.get(threadId) !== pending) return;
      // What is too large stays so; all else is tried again.
      if (error.kind !== 'tooLarge') {
        pending.change = { ...change, ...pending.change };
        pending.failures += 1;
      }
      if (pending.told === error.kind) return;
      pending.told = error.kind;
      this.#options.onError(error, threadId);
    }
  }
}

/** Whether nothing has begun or ended since; told by what costs nothing to look at. */
const isSamePhase = (before: Thread | undefined, now: Thread): boolean =>
  before?.status === now.status && before.messageId === now.messageId && before.queue === now.queue;

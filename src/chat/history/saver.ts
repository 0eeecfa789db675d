/**
 * Schedules saves: immediately when a request begins or ends, every few seconds while an answer streams, and once the
 * user pauses while typing. Failed saves are retried.
 */
import type { Draft } from '../../shared/protocol/chat.ts';
import type { Thread } from '../../shared/thread/model.ts';
import { historyError, type HistoryError } from './files/errors.ts';
import type { ThreadChange } from './threadStore.ts';

export interface SaverOptions {
  write: (threadId: string, change: ThreadChange) => Promise<unknown>;
  /** Called for the first failure of a thread, until a save succeeds again. */
  onError: (error: HistoryError, threadId: string) => void;
}

/** Milliseconds between saves of a thread while no request begins or ends. */
const INTERVAL = 3000;
/** Milliseconds without a keystroke after which a draft is saved. */
const PAUSE = 1000;
const FIRST_RETRY = 1000;
const LONGEST_RETRY = 60_000;

/** What is to be saved of a thread. Times are those of `performance.now()`, which is never set back. */
interface Pending {
  id: string;
  change?: ThreadChange | undefined;
  seen?: Thread;
  timer?: ReturnType<typeof setTimeout>;
  writing?: Promise<void> | undefined;
  notBefore: number;
  typedAt: number;
  failures: number;
}

export class Saver {
  readonly #options: SaverOptions;
  readonly #pending = new Map<string, Pending>();

  constructor(options: SaverOptions) {
    this.#options = options;
  }

  /**
   * Schedules a save of the thread in its current state: immediately if a request began or ended, otherwise within
   * seconds. Cheap enough to call for every change.
   */
  save(thread: Thread, about: ThreadChange['about']): void {
    const pending = this.#of(thread.id);
    if (pending.failures === 0 && !isSamePhase(pending.seen, thread)) pending.notBefore = 0;
    pending.seen = thread;
    pending.change = { ...pending.change, thread, about };
    this.#schedule(pending);
  }

  /** Schedules a save of the draft for the next pause in typing. */
  saveDraft(threadId: string, draft: Draft, about: ThreadChange['about']): void {
    const pending = this.#of(threadId);
    pending.typedAt = performance.now();
    pending.change = { about, ...pending.change, draft };
    this.#schedule(pending);
  }

  /** Saves pending changes of one thread or of all now. Failures are reported to `onError` and retried. */
  async flush(threadId?: string): Promise<void> {
    await Promise.all(
      this.#all(threadId).map(async (pending) => {
        await pending.writing;
        await this.#run(pending);
      }),
    );
  }

  /** Discards pending changes of a thread that is being deleted, or of all. */
  async forget(threadId?: string): Promise<void> {
    for (const pending of this.#all(threadId)) {
      pending.change = undefined;
      this.#pending.delete(pending.id);
      await pending.writing;
    }
  }

  #of(id: string): Pending {
    const pending = this.#pending.get(id) ?? { id, notBefore: 0, typedAt: 0, failures: 0 };
    this.#pending.set(id, pending);
    return pending;
  }

  #all(threadId?: string): Pending[] {
    return [...this.#pending.values()].filter(({ id }) => threadId === undefined || id === threadId);
  }

  #schedule(pending: Pending): void {
    const { change, notBefore, typedAt } = pending;
    clearTimeout(pending.timer);
    if (pending.writing || change === undefined) return;
    const dueAt = change.thread ? notBefore : Math.max(notBefore, typedAt + PAUSE);
    pending.timer = setTimeout(() => void this.#run(pending), Math.max(0, dueAt - performance.now()));
    // In Node, don't keep the process alive: pending changes are flushed before it exits.
    (pending.timer as { unref?: () => void }).unref?.();
  }

  #run(pending: Pending): Promise<void> | undefined {
    const { change } = pending;
    if (pending.writing || change === undefined) return pending.writing;
    pending.change = undefined;
    pending.notBefore = performance.now() + INTERVAL;
    pending.writing = this.#write(pending, change).finally(() => {
      pending.writing = undefined;
      // Changes that were made during the write, or that failed.
      this.#schedule(pending);
    });
    return pending.writing;
  }

  async #write(pending: Pending, change: ThreadChange): Promise<void> {
    try {
      await this.#options.write(pending.id, change);
      pending.failures = 0;
    } catch (failure) {
      if (this.#pending.get(pending.id) !== pending) return;
      const error = historyError(failure);
      // `tooLarge` is permanent; retry all other failures.
      if (error.kind !== 'tooLarge') pending.change = { ...change, ...pending.change };
      if (pending.failures === 0) this.#options.onError(error, pending.id);
      pending.failures += 1;
      pending.notBefore = performance.now() + Math.min(LONGEST_RETRY, FIRST_RETRY * 2 ** pending.failures);
    }
  }
}

/** Whether no request began or ended in between; compares only fields that are cheap to compare. */
const isSamePhase = (before: Thread | undefined, now: Thread): boolean =>
  before?.status === now.status && before.messageId === now.messageId && before.queue === now.queue;

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
  /** Called once per thread and kind of error, until a save succeeds again. */
  onError: (error: HistoryError, threadId: string) => void;
  /** Minimum milliseconds between saves of a streaming thread. */
  interval?: number;
}

/** Milliseconds without a keystroke after which a draft is saved. */
const PAUSE = 1000;
/** A save of a large thread is followed by this many times its duration without one. */
const REST = 20;
const FIRST_RETRY = 1000;
const LONGEST_RETRY = 60_000;

class Pending {
  change: ThreadChange | undefined;
  seen: Thread | undefined;
  timer: ReturnType<typeof setTimeout> | undefined;
  /** A request began or ended since the last write. */
  urgent = false;
  typedAt = 0;
  writing: Promise<void> | undefined;
  /** The earliest time of a save that is not urgent, or of a retry. `performance.now()` is never set back. */
  notBefore = -Infinity;
  failures = 0;
  reported: string | undefined;
}

export class Saver {
  readonly #options: Required<SaverOptions>;
  readonly #pending = new Map<string, Pending>();

  constructor(options: SaverOptions) {
    this.#options = { interval: 3000, ...options };
  }

  /** Schedules a save of the thread in its current state. Cheap enough to call for every change. */
  save(thread: Thread, about: ThreadChange['about']): void {
    const pending = this.#of(thread.id);
    pending.urgent ||= !isSamePhase(pending.seen, thread);
    pending.seen = thread;
    pending.change = { ...pending.change, thread, about };
    this.#schedule(thread.id, pending);
  }

  /** Schedules a save of the draft. */
  saveDraft(threadId: string, draft: Draft, about: ThreadChange['about']): void {
    const pending = this.#of(threadId);
    pending.typedAt = performance.now();
    pending.change = { about, ...pending.change, draft };
    this.#schedule(threadId, pending);
  }

  /** Saves pending changes of one thread or of all now. Failures are reported to `onError`. */
  async flush(threadId?: string): Promise<void> {
    const ids = threadId === undefined ? [...this.#pending.keys()] : [threadId];
    const flushOne = async (id: string): Promise<void> => {
      const pending = this.#pending.get(id);
      await pending?.writing;
      if (pending) await this.#run(id, pending);
    };
    await Promise.all(ids.map(flushOne));
  }

  /** Discards pending changes of a thread that is being deleted, or of all. */
  async forget(threadId?: string): Promise<void> {
    for (const [id, pending] of [...this.#pending]) {
      if (threadId !== undefined && id !== threadId) continue;
      pending.change = undefined;
      this.#pending.delete(id);
      await pending.writing;
    }
  }

  #of(threadId: string): Pending {
    const pending = this.#pending.get(threadId) ?? new Pending();
    this.#pending.set(threadId, pending);
    return pending;
  }

  #schedule(threadId: string, pending: Pending): void {
    clearTimeout(pending.timer);
    if (pending.writing || pending.change === undefined) return;
    const wait = Math.max(0, this.#dueAt(pending, pending.change) - performance.now());
    pending.timer = setTimeout(() => void this.#run(threadId, pending), wait);
    // In Node, don't keep the process alive: pending changes are flushed before it exits.
    (pending.timer as { unref?: () => void }).unref?.();
  }

  #dueAt({ failures, urgent, notBefore, typedAt }: Pending, { thread, draft }: ThreadChange): number {
    if (failures > 0) return notBefore;
    if (urgent) return 0;
    return Math.min(thread ? notBefore : Infinity, draft ? typedAt + PAUSE : Infinity);
  }

  #run(threadId: string, pending: Pending): Promise<void> | undefined {
    const { change } = pending;
    if (pending.writing || change === undefined) return pending.writing;
    pending.change = undefined;
    pending.urgent = false;
    pending.writing = this.#write(threadId, pending, change).finally(() => {
      pending.writing = undefined;
      // Changes that were made during the write, or that failed.
      this.#schedule(threadId, pending);
    });
    return pending.writing;
  }

  async #write(threadId: string, pending: Pending, change: ThreadChange): Promise<void> {
    const start = performance.now();
    try {
      await this.#options.write(threadId, change);
      const end = performance.now();
      pending.notBefore = end + Math.max(this.#options.interval, (end - start) * REST);
      pending.failures = 0;
      pending.reported = undefined;
    } catch (failure) {
      const error = historyError(failure);
      if (this.#pending.get(threadId) !== pending) return;
      // `tooLarge` is permanent; retry all other failures.
      if (error.kind !== 'tooLarge') {
        pending.change = { ...change, ...pending.change };
        pending.failures += 1;
        pending.notBefore = performance.now() + Math.min(LONGEST_RETRY, FIRST_RETRY * 2 ** pending.failures);
      }
      if (pending.reported === error.kind) return;
      pending.reported = error.kind;
      this.#options.onError(error, threadId);
    }
  }
}

/** Whether no request began or ended in between; compares only fields that are cheap to compare. */
const isSamePhase = (before: Thread | undefined, now: Thread): boolean =>
  before?.status === now.status && before.messageId === now.messageId && before.queue === now.queue;

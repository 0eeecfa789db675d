/**
 * Schedules saves: immediately when a request begins or ends, about once a second while an answer streams. Failed saves
 * are retried.
 */
import type { Draft } from '../../shared/protocol/chat.ts';
import type { Thread } from '../../shared/thread/model.ts';
import type { About, Change } from './changes.ts';
import { historyError, type HistoryError } from './files/errors.ts';

export interface SaverOptions {
  write: (threadId: string, change: Change) => Promise<unknown>;
  /** Called once per thread and kind of error, until a save succeeds again. */
  onError: (error: HistoryError, threadId: string) => void;
  /** Milliseconds between saves of a streaming thread. */
  interval?: number;
  /** Milliseconds of a clock that is never set back. */
  now?: () => number;
}

interface Pending {
  change: Change | undefined;
  seen: Thread | undefined;
  timer: ReturnType<typeof setTimeout> | undefined;
  due: number;
  /** A request began or ended since the last write. */
  urgent: boolean;
  writing: Promise<void> | undefined;
  lastWrite: number;
  failures: number;
  reported: string | undefined;
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
    // Not the time of day: if the clock were set back by an hour, the next save would wait for an hour.
    this.#now = options.now ?? (() => performance.now());
  }

  /** Schedules a save of the thread in its current state. Cheap enough to call for every change. */
  save(thread: Thread, about: About): void {
    const pending = this.#of(thread.id);
    pending.urgent ||= !isSamePhase(pending.seen, thread);
    pending.seen = thread;
    pending.change = { ...pending.change, thread, about };
    this.#schedule(thread.id, pending);
  }

  /** Schedules a save of the draft. */
  saveDraft(threadId: string, draft: Draft, about: About): void {
    const pending = this.#of(threadId);
    pending.change = { about, ...pending.change, draft };
    this.#schedule(threadId, pending);
  }

  /** Saves pending changes of one thread or of all now. Failures are reported to `onError`. */
  async flush(threadId?: string): Promise<void> {
    const ids = threadId === undefined ? [...this.#pending.keys()] : [threadId];
    await Promise.all(ids.map((id) => this.#flushOne(id)));
  }

  /** Saves pending changes a last time; changes that fail are discarded. */
  async end(): Promise<void> {
    await this.flush();
    await Promise.all([...this.#pending.keys()].map((id) => this.forget(id)));
  }

  /** Discards pending changes of a thread that is being deleted. */
  async forget(threadId: string): Promise<void> {
    const pending = this.#pending.get(threadId);
    if (pending === undefined) return;
    pending.change = undefined;
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
        reported: undefined,
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
    // In Node, don't keep the process alive: pending changes are flushed before it exits.
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

  #run(threadId: string, pending: Pending): Promise<void> | undefined {
    pending.due = Infinity;
    const { change } = pending;
    if (pending.writing || change === undefined) return pending.writing;
    pending.change = undefined;
    pending.urgent = false;
    pending.writing = this.#write(threadId, pending, change).finally(() => {
      pending.writing = undefined;
      pending.lastWrite = this.#now();
      // Nothing is saved then unless changes were made during the write, or it failed.
      this.#schedule(threadId, pending);
    });
    return pending.writing;
  }

  async #write(threadId: string, pending: Pending, change: Change): Promise<void> {
    try {
      await this.#options.write(threadId, change);
      pending.failures = 0;
      pending.reported = undefined;
    } catch (failure) {
      const error = historyError(failure);
      if (this.#pending.get(threadId) !== pending) return;
      // `tooLarge` is permanent; retry all other failures.
      if (error.kind !== 'tooLarge') {
        pending.change = { ...change, ...pending.change };
        pending.failures += 1;
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

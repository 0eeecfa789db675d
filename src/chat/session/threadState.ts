/** The thread of a session. Every change is an event, which the listener receives. */
import type { Thread, ThreadEvent, ThreadStatus } from '../../shared/thread/model.ts';
import { reduceAll } from '../../shared/thread/reducer.ts';

export class ThreadState {
  readonly #onEvents: (events: readonly ThreadEvent[], state: ThreadState) => void;
  #thread: Thread;

  constructor(thread: Thread, onEvents: (events: readonly ThreadEvent[], state: ThreadState) => void) {
    this.#thread = thread;
    this.#onEvents = onEvents;
  }

  get thread(): Thread {
    return this.#thread;
  }

  get status(): ThreadStatus {
    return this.#thread.status;
  }

  dispatch(events: readonly ThreadEvent[]): void {
    const before = this.#thread;
    this.#thread = reduceAll(before, events);
    if (this.#thread === before) return;
    try {
      this.#onEvents(events, this);
    } catch (failure) {
      // Surfaces as an unhandled rejection: a failing listener must not end an answer.
      void Promise.reject(failure);
    }
  }
}

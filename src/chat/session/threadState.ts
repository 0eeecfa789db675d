/** The thread of a session. Every change is an event, which the listener receives. */
import type { Thread, ThreadEvent, QuestionContext } from '../../shared/thread/model.ts';
import { reduceAll } from '../../shared/thread/reducer.ts';
import type { ChatError } from '../../api/errors.ts';
import type { Clock } from './clock.ts';
import type { Connect } from '../connection/connection.ts';
import type { Message } from './message.ts';

export interface SessionOptions {
  thread: Thread;
  connect: Connect;
  /** The current branch and identity, for a question that is queued; undefined without a connection. */
  context?: () => QuestionContext | undefined;
  /** Called after every change, with the events that made it. */
  onEvents: (events: readonly ThreadEvent[], session: { thread: Thread }) => void;
  /** Receives a message that could not be sent. */
  onUnsent: (message: Message) => void;
  onFailure?: (error: ChatError) => void;
  /** See `RetryPolicy`. */
  giveUpAfter?: number;
  /** Milliseconds that a stop waits for the id of a new thread, and for the service to confirm it; 8 s by default. */
  stopPatience?: number;
  clock?: Clock;
}

export class ThreadState {
  readonly #onEvents: SessionOptions['onEvents'];
  #thread: Thread;

  constructor(thread: Thread, onEvents: SessionOptions['onEvents']) {
    this.#thread = thread;
    this.#onEvents = onEvents;
  }

  get thread(): Thread {
    return this.#thread;
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

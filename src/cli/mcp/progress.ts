/** Reports the progress of a call to its client, which by default ends a call without any for a minute. */
import { systemClock, type Clock } from '../../chat/session/clock.ts';

export interface ProgressUpdate {
  /** Increases with each update. */
  progress: number;
  total?: number;
  message: string;
}

/** Milliseconds after which the last message is repeated; clients expect one every 10 s at least. */
const REPEAT_AFTER = 2000;

export class ProgressReporter {
  readonly #send: (update: ProgressUpdate) => void;
  readonly #clock: Clock;
  readonly #start: number;
  readonly #stopped = new AbortController();
  #message: string;
  #done = 0;
  #total: number | undefined;
  /** Number of updates since a step was done. */
  #updates = 0;

  /** @param message what happens at first */
  constructor(send: (update: ProgressUpdate) => void, message: string, clock = systemClock) {
    this.#send = send;
    this.#clock = clock;
    this.#start = clock.now();
    this.#message = message;
    void this.#repeat();
  }

  /** @param steps how many are done of how many, if that is known */
  report(message: string, steps?: { done: number; total: number }): void {
    this.#message = message;
    if (steps && steps.done > this.#done) {
      this.#done = steps.done;
      this.#total = steps.total;
      this.#updates = 0;
    }
    this.#update(message);
  }

  stop(): void {
    this.#stopped.abort();
  }

  async #repeat(): Promise<void> {
    const { signal } = this.#stopped;
    for (;;) {
      await this.#clock.sleep(REPEAT_AFTER, signal);
      if (signal.aborted) return;
      const seconds = Math.round((this.#clock.now() - this.#start) / 1000);
      this.#update(`${this.#message} (${seconds} s)`);
    }
  }

  /** Each update is progress, but less than a step. */
  #update(message: string): void {
    const progress = this.#done + this.#updates / (this.#updates + 1);
    this.#updates += 1;
    this.#send({ progress, ...(this.#total === undefined ? {} : { total: this.#total }), message });
  }
}

/** An answer in progress. It continues without connected clients, and keeps all lines for clients that attach later. */
import { abortedLine, type Line } from './lines.ts';

export class Run {
  readonly messageId: string;
  readonly lines: Line[] = [];
  readonly #stop = new AbortController();
  readonly #waiting = new Set<() => void>();
  #ended = false;
  #parked: { resume: () => void } | undefined;
  /** Number of lines fully sent to the last connection. */
  delivered = 0;

  constructor(messageId: string) {
    this.messageId = messageId;
  }

  get ended(): boolean {
    return this.#ended;
  }
  get suspended(): boolean {
    return this.#parked !== undefined;
  }
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  push(line: Line): void {
    if (this.#ended) return;
    this.lines.push(line);
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  /** Stops the answer; lines added later are ignored. */
  abort(): void {
    if (this.#ended) return;
    this.push(abortedLine());
    this.end();
    this.#stop.abort();
    this.resume();
  }

  /** Suspends the answer until `resume`. */
  async suspend(): Promise<void> {
    const parked = Promise.withResolvers<void>();
    this.#parked = { resume: parked.resolve };
    this.#wake();
    await parked.promise;
  }

  resume(): void {
    this.#parked?.resume();
    this.#parked = undefined;
  }

  /** Resolves when there is a line at `position`, the run has ended or is suspended, or `signal` aborts. */
  async waitFor(position: number, signal: AbortSignal): Promise<void> {
    while (this.lines.length <= position && !this.#ended && !this.suspended && !signal.aborted) {
      const { promise, resolve: settle } = Promise.withResolvers<void>();
      const resolve = (): void => settle();
      this.#waiting.add(resolve);
      signal.addEventListener('abort', resolve, { once: true });
      await promise;
      signal.removeEventListener('abort', resolve);
      this.#waiting.delete(resolve);
    }
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
  }
}

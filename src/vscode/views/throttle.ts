/**
 * Throttles posts to a page to one per frame on average, and to the rate at which the page renders. A slow page gets
 * larger batches instead of a growing message queue that would delay user input.
 */

/** Average interval between posts in milliseconds: just over a frame at 60 Hz. */
const FRAME = 17;
/** Milliseconds after which to post even if the page has not rendered, for example because it is not on screen. */
const PATIENCE = 1000;
/** Maximum number of posts not yet rendered: the second one hides the latency of the channel. */
const AHEAD = 2;

export class Throttle {
  readonly #post: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Time of the last post, as `performance.now()`. */
  #posted = -Infinity;
  /** Time of the next post at an even rate, as `performance.now()`. */
  #due = -Infinity;
  /** Number of posts not confirmed as rendered. */
  #pending = 0;

  /** @param post posts the pending events; must call `posted` if it posted something */
  constructor(post: () => void) {
    this.#post = post;
  }

  /**
   * Requests a post. After a pause, the first two posts are immediate, so that a question and the first words of its
   * answer appear without delay.
   */
  request(): void {
    if (this.#timer !== undefined) return;
    const wait = (this.#pending < AHEAD ? this.#due - FRAME : this.#posted + PATIENCE) - performance.now();
    // Without a timer, which would wait for a millisecond and for other work.
    if (wait <= 0) return this.#post();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#post();
    }, wait);
  }

  /** Call after each post, whether requested by `request` or not. */
  posted(): void {
    this.#clear();
    this.#posted = performance.now();
    this.#due = Math.max(this.#due, this.#posted) + FRAME;
    this.#pending += 1;
  }

  /** Call when the page reports progress. @param pending number of posts not rendered yet */
  rendered(pending: number): void {
    this.#pending = pending;
    if (this.#timer === undefined) return;
    this.#clear();
    this.request();
  }

  /** Cancels the requested post and forgets unconfirmed ones. */
  reset(): void {
    this.#clear();
    this.#pending = 0;
  }

  #clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

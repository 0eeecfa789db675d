/**
 * When a page gets the next of what changes: once per frame on the whole, and no faster than it draws. So a page that
 * is slower than the answer gets more at a time, instead of ever more messages that wait in front of what its user does.
 */

/** Milliseconds between two posts on the whole: just over a frame at 60 Hz. */
const FRAME = 17;
/** Milliseconds after which a page that has not drawn gets more all the same: nobody sees it, and it need not draw. */
const PATIENCE = 1000;
/** Posts that are on their way or being drawn: with a second one the way there takes no time from the drawing. */
const AHEAD = 2;

export class Pace {
  readonly #post: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When something was posted last, by the host's clock of milliseconds. */
  #posted = -Infinity;
  /** When the next post is due at an even pace; by the same clock. */
  #due = -Infinity;
  /** Posts that are not known to be drawn. */
  #undrawn = 0;

  /** @param post posts what has come together; tells `posted` when there was something */
  constructor(post: () => void) {
    this.#post = post;
  }

  /**
   * There is something to post. After a pause, the first and the second need not wait: they are a question and, maybe,
   * the first words of its answer.
   */
  want(): void {
    this.#timer ??= this.#at(this.#undrawn < AHEAD ? this.#due - FRAME : this.#posted + PATIENCE);
  }

  /** Something was posted, whether it was time or not. */
  posted(): void {
    this.#clear();
    this.#posted = performance.now();
    this.#due = Math.max(this.#due, this.#posted) + FRAME;
    this.#undrawn += 1;
  }

  /** The page has drawn all but the last so many posts. */
  drawn(undrawn: number): void {
    this.#undrawn = undrawn;
    if (this.#timer === undefined) return;
    this.#clear();
    this.want();
  }

  /** Nothing is to be posted any more, until it is wanted again. */
  reset(): void {
    this.#clear();
    this.#undrawn = 0;
  }

  #at(time: number): ReturnType<typeof setTimeout> {
    const post = (): void => {
      this.#timer = undefined;
      this.#post();
    };
    return setTimeout(post, Math.max(0, time - performance.now()));
  }

  #clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

/**
 * When a page gets the next of what changes: once per frame, and not before it has drawn the last. So a page that is
 * slower than the answer gets more at a time, instead of ever more messages that wait in front of what its user does.
 */

/** Milliseconds between two posts: just over a frame at 60 Hz, so that none gets two. */
const FRAME = 17;
/** Milliseconds after which a page that has not drawn gets more all the same: nobody sees it, and it need not draw. */
const PATIENCE = 1000;

export class Pace {
  readonly #post: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When something was posted last, by the host's clock of milliseconds. */
  #posted = -Infinity;
  #isDrawing = false;

  /** @param post posts what has come together; tells `posted` when there was something */
  constructor(post: () => void) {
    this.#post = post;
  }

  /** There is something to post. The first after a pause need not wait: it may be the first word of an answer. */
  want(): void {
    this.#timer ??= this.#in(this.#isDrawing ? PATIENCE : FRAME);
  }

  /** Something was posted, whether it was time or not. */
  posted(): void {
    this.#clear();
    this.#posted = performance.now();
    this.#isDrawing = true;
  }

  /** The page has drawn what was posted last. */
  drawn(): void {
    this.#isDrawing = false;
    if (this.#timer === undefined) return;
    this.#clear();
    this.want();
  }

  /** Nothing is to be posted any more, until it is wanted again. */
  reset(): void {
    this.#clear();
    this.#isDrawing = false;
  }

  /** Milliseconds are counted from the last post. */
  #in(wait: number): ReturnType<typeof setTimeout> {
    const post = (): void => {
      this.#timer = undefined;
      this.#post();
    };
    return setTimeout(post, Math.max(0, this.#posted + wait - performance.now()));
  }

  #clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

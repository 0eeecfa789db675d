/** Milliseconds; what is longer, a timer takes for none at all. */
const LONGEST = 2 ** 31 - 1;

/** Notices silence. */
export class StallTimer {
  readonly #timeout: number | undefined;
  readonly #onStall: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether the silence lasted too long. */
  fired = false;

  /** @param timeout milliseconds; undefined or 0 for never */
  constructor(timeout: number | undefined, onStall: () => void) {
    this.#timeout = timeout;
    this.#onStall = onStall;
    this.touch();
  }

  /** Something came: begins to count anew. */
  touch(): void {
    this.pause();
    if (!this.#timeout || this.fired) return;
    this.#timer = setTimeout(
      () => {
        this.fired = true;
        this.#onStall();
      },
      Math.min(this.#timeout, LONGEST),
    );
  }

  /** Stops counting, until the next `touch` if there is one. */
  pause(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

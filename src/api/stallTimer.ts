/** A timer that detects silent streams. */
/** Milliseconds, the maximum delay of `setTimeout`; with a longer one the timer fires immediately. */
const LONGEST = 2 ** 31 - 1;

/** Detects that a stream has been silent for too long. */
export class StallTimer {
  readonly #timeout: number | undefined;
  readonly #onStall: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether the timeout has elapsed. */
  fired = false;

  /** @param timeout milliseconds; undefined or 0 disables the timer */
  constructor(timeout: number | undefined, onStall: () => void) {
    this.#timeout = timeout;
    this.#onStall = onStall;
    this.touch();
  }

  /** Restarts the timer; call it whenever data arrives. */
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

  /** Stops the timer until the next `touch`. */
  pause(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

/** Detects unresponsive webview pages by pings. */

/** Interval between pings in milliseconds. */
const BEAT = 5_000;
/** Consecutive unanswered pings before a page counts as unresponsive; a busy page may miss one. */
const SILENT_BEATS = 2;
/** Maximum number of unanswered pings between reloads of a page that stays unresponsive. */
const MOST_PATIENCE = 60;

export class Heartbeat {
  readonly #beat: () => void;
  readonly #onSilence: () => void;
  #timer: ReturnType<typeof setInterval> | undefined;
  #silent = 0;
  #patience = SILENT_BEATS;

  /**
   * @param beat sends a ping to the page
   * @param onSilence reloads the page
   */
  constructor(beat: () => void, onSilence: () => void) {
    this.#beat = beat;
    this.#onSilence = onSilence;
  }

  /** Starts or restarts the pings. */
  start(): void {
    this.stop();
    this.#silent = 0;
    this.#timer = setInterval(() => this.#tick(), BEAT);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Call on any message from the page. */
  received(): void {
    this.#silent = 0;
    this.#patience = SILENT_BEATS;
  }

  #tick(): void {
    if (this.#silent >= this.#patience) {
      this.#silent = 0;
      this.#patience = Math.min(MOST_PATIENCE, this.#patience * 2);
      this.#onSilence();
      return;
    }
    this.#silent += 1;
    this.#beat();
  }
}

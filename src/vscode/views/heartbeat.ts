/** Notices that a page does not answer any more. */

/** Milliseconds between two beats. */
const BEAT = 5_000;
/** Beats in a row without a sign of life after which a page counts as dead: a busy one may be late with one. */
const SILENT_BEATS = 2;
/** A page that never comes to life is begun anew ever more seldom. */
const MOST_PATIENCE = 60;

export class Heartbeat {
  readonly #beat: (id: number) => void;
  readonly #onSilence: () => void;
  #timer: ReturnType<typeof setInterval> | undefined;
  #count = 0;
  #silent = 0;
  #patience = SILENT_BEATS;

  /**
   * @param beat asks the page for a sign of life
   * @param onSilence begins the page anew
   */
  constructor(beat: (id: number) => void, onSilence: () => void) {
    this.#beat = beat;
    this.#onSilence = onSilence;
  }

  /** Watches, from a page that was only just begun. */
  start(): void {
    this.stop();
    this.#silent = 0;
    this.#timer = setInterval(() => this.#tick(), BEAT);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** The page has said something. */
  heard(): void {
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
    this.#count += 1;
    this.#beat(this.#count);
  }
}

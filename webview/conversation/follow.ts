/**
 * Keeps a scrolling log at its end while its reader is there. Any movement upward, and text that is selected, is the
 * reader's wish to read and ends it; coming back to the end takes it up again. A place that is come back to is kept until the reader moves.
 */
import { isAtEnd } from './atEnd.ts';

export class Follow {
  readonly #log: HTMLElement;
  readonly #onChange: (following: boolean) => void;
  readonly #sizes: ResizeObserver;
  readonly #listeners = new AbortController();
  #lastTop = 0;
  #lastHeight = 0;
  #held: (() => number | undefined) | undefined;
  readonly #hasEnd: () => boolean;
  /** Whether a button of the pointer is down: what is under it stays there, or the click would miss it. */
  #pressed = false;
  following = true;

  /**
   * @param content the one child of `log`, whose height changes
   * @param hasEnd whether the log's lower end is the conversation's
   */
  constructor(log: HTMLElement, content: HTMLElement, onChange: (following: boolean) => void, hasEnd: () => boolean) {
    this.#log = log;
    this.#onChange = onChange;
    this.#hasEnd = hasEnd;
    this.#sizes = new ResizeObserver(() => this.settle());
    this.#sizes.observe(content);
    this.#sizes.observe(log);
    const { signal } = this.#listeners;
    for (const move of ['wheel', 'keydown', 'pointerdown'])
      log.addEventListener(move, () => (this.#held = undefined), { passive: true, signal });
    log.addEventListener('wheel', ({ deltaY }) => deltaY < 0 && this.#canGoUp() && this.stop(), {
      passive: true,
      signal,
    });
    log.addEventListener(
      'keydown',
      ({ key }) => ['PageUp', 'ArrowUp', 'Home'].includes(key) && this.#canGoUp() && this.stop(),
      { signal },
    );
    log.addEventListener('scroll', () => this.#scrolled(), { passive: true, signal });
    log.addEventListener('pointerdown', () => (this.#pressed = true), { passive: true, signal });
    for (const end of ['pointerup', 'pointercancel', 'blur'])
      window.addEventListener(end, () => this.#released(), { passive: true, signal });
    // A scroll bar may tell nobody that it was let go.
    window.addEventListener('pointermove', ({ buttons }) => buttons === 0 && this.#released(), {
      passive: true,
      signal,
    });
  }

  /** After anything may have changed its size. */
  settle(): void {
    const end = this.#pressed ? undefined : this.#log.scrollHeight;
    const top = this.following ? end : this.#held?.();
    if (top !== undefined) this.#log.scrollTop = top;
    const { scrollTop, scrollHeight, clientHeight } = this.#log;
    this.#lastTop = scrollTop;
    this.#lastHeight = scrollHeight;
    // Where all of it is in sight, its end is.
    if (!this.#held && this.#hasEnd() && scrollHeight <= clientHeight && scrollHeight > 0) this.#set(true);
  }

  /** Goes to the end and stays there. */
  resume(): void {
    this.#held = undefined;
    this.#set(true);
    this.settle();
  }

  /** @param top gives where the log is scrolled to, as long as its reader leaves it there */
  hold(top: () => number | undefined): void {
    this.#held = top;
    this.#set(false);
    this.settle();
  }

  stop(): void {
    this.#held = undefined;
    this.#set(false);
  }

  dispose(): void {
    this.#sizes.disconnect();
    this.#listeners.abort();
  }

  #released(): void {
    if (!this.#pressed) return;
    this.#pressed = false;
    const selection = getSelection();
    const selects = selection?.isCollapsed === false && this.#log.contains(selection.anchorNode);
    if (selects && this.#canGoUp()) this.stop();
    // The click comes first.
    setTimeout(() => this.settle());
  }

  #canGoUp(): boolean {
    return this.#log.scrollTop > 0;
  }

  #scrolled(): void {
    const { scrollTop, scrollHeight } = this.#log;
    const atEnd = isAtEnd(this.#log);
    // A drag of the scroll bar or a touch: upward, though the content has not shrunk.
    const movedUp = scrollTop < this.#lastTop - 1 && scrollHeight >= this.#lastHeight;
    if (this.#held) this.#set(false);
    else if (movedUp && !atEnd) this.#set(false);
    else if (atEnd && scrollTop > this.#lastTop && this.#hasEnd()) this.#set(true);
    this.#lastTop = scrollTop;
    this.#lastHeight = scrollHeight;
  }

  #set(following: boolean): void {
    if (this.following === following) return;
    this.following = following;
    this.#onChange(following);
  }
}

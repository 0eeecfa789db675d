/** Scrolls a log: follows its end while it grows, and saves and restores the reader's position. */
import { fieldsOf } from '../../src/shared/text/checks.ts';
import { readState, saveState } from '../app/host.ts';

/** Distance from the end, in pixels, that counts as being at the end. */
export const NEAR = 12;

/** @returns whether an element is scrolled to its end */
export const isAtEnd = ({ scrollHeight, scrollTop, clientHeight }: Element): boolean =>
  scrollHeight - scrollTop - clientHeight <= NEAR;

/**
 * Keeps a log scrolled to its end while it grows. Scrolling up or selecting text stops this, scrolling back to the end
 * resumes it. A restored position is held until the reader scrolls.
 */
export class Follow {
  readonly #log: HTMLElement;
  readonly #onChange: (following: boolean) => void;
  readonly #sizes: ResizeObserver;
  readonly #listeners = new AbortController();
  #lastTop = 0;
  #lastHeight = 0;
  #held: (() => number | undefined) | undefined;
  readonly #hasEnd: () => boolean;
  /** Whether a pointer button is down: scrolling now would move the target of the click. */
  #pressed = false;
  /** Whether the reader has just opened a fold, a menu, a chart or its studio: following the growth would move it away. */
  #opened = false;
  following = true;

  /**
   * @param content the only child of `log`, whose height changes
   * @param onChange called when following starts or stops
   * @param hasEnd whether the last rendered turn is the last of the conversation
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
    // The clicked element already shows what the click did. A button of the toolkit sets the attribute later.
    log.addEventListener(
      'click',
      (event) => {
        const path = event.composedPath() as Partial<Element>[];
        this.#opened = path.some(
          ({ ariaExpanded, localName, classList }) =>
            Boolean(ariaExpanded) || localName === 'summary' || classList?.contains('is-charted'),
        );
      },
      { signal },
    );
    for (const end of ['pointerup', 'pointercancel', 'blur'])
      window.addEventListener(end, () => this.#released(), { passive: true, signal });
    // Releasing a scroll bar may not fire `pointerup`.
    window.addEventListener('pointermove', ({ buttons }) => buttons === 0 && this.#released(), {
      passive: true,
      signal,
    });
  }

  /** Scrolls to the end or to the held position; call after any change of size. */
  settle(): void {
    if (this.#opened && this.#log.scrollHeight > this.#lastHeight) {
      this.#opened = false;
      if (this.following) this.stop();
    }
    // The first screen has no end to follow: it is read from its top.
    const stays = this.#pressed || this.#log.querySelector('.turn') === null;
    const top = this.following ? (stays ? undefined : this.#log.scrollHeight) : this.#held?.();
    if (top !== undefined) this.#log.scrollTop = top;
    const { scrollTop, scrollHeight, clientHeight } = this.#log;
    // Without overflow, the end is in view; it may come into view when something is folded.
    const hasEndInView = scrollHeight <= clientHeight || (scrollHeight < this.#lastHeight && isAtEnd(this.#log));
    if (!this.#held && this.#hasEnd() && hasEndInView && scrollHeight > 0) this.#set(true);
    this.#lastTop = scrollTop;
    this.#lastHeight = scrollHeight;
  }

  /** Scrolls to the end and follows it. */
  resume(): void {
    this.#held = undefined;
    this.#opened = false;
    this.#set(true);
    this.settle();
  }

  /**
   * Holds a scroll position until the reader scrolls.
   * @param top returns the `scrollTop` to hold, or `undefined` to leave it
   */
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
    // Let the click event fire first.
    setTimeout(() => this.settle());
  }

  #canGoUp(): boolean {
    return this.#log.scrollTop > 0;
  }

  #scrolled(): void {
    const { scrollTop, scrollHeight } = this.#log;
    const atEnd = isAtEnd(this.#log);
    // Moved up by the scroll bar or by touch, not because the content has shrunk.
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

/** The reader's position, saved to the webview state, which outlives the page of a hidden view and a restart. */
interface ScrollPosition {
  /** Id of the first turn in view. */
  turn: string;
  /** Pixels from the top of the log to the top of that turn; usually negative. */
  top: number;
}

/** Milliseconds, shorter than it takes to hide the view with a shortcut. */
const SAVE_AFTER = 50;

const turnsIn = (log: HTMLElement): HTMLElement[] => [...log.querySelectorAll<HTMLElement>('.turn')];

/** @returns the index of the first turn in view among the rendered ones; -1 in an empty log */
export function firstInSight(log: HTMLElement): number {
  const { top } = log.getBoundingClientRect();
  return turnsIn(log).findIndex((turn) => turn.getBoundingClientRect().bottom > top);
}

/** @returns the current position; `undefined` in an empty log */
function placeIn(log: HTMLElement): ScrollPosition | undefined {
  const turn = turnsIn(log)[firstInSight(log)];
  if (!turn) return undefined;
  const top = turn.getBoundingClientRect().top - log.getBoundingClientRect().top;
  return { turn: turn.dataset.turn ?? '', top: Math.round(top) };
}

/** @returns the `scrollTop` of a position; `undefined` if its turn is not rendered */
export function scrollTopOf(log: HTMLElement, { turn, top }: ScrollPosition): number | undefined {
  const found = turnsIn(log).find(({ dataset }) => dataset.turn === turn);
  if (!found) return undefined;
  return log.scrollTop + found.getBoundingClientRect().top - log.getBoundingClientRect().top - top;
}

/** @returns the position in this thread that an earlier page saved; `undefined` if the reader was at the end */
export function savedPlace(threadId: string): ScrollPosition | undefined {
  const state = readState();
  const { turn, top } = fieldsOf(state.threadId === threadId ? state.place : undefined);
  return typeof turn === 'string' && typeof top === 'number' ? { turn, top } : undefined;
}

/**
 * @param isReading whether the reader has scrolled away from the end
 * @returns a scroll handler that saves the position, throttled
 */
export function placeSaver(threadId: string, log: HTMLElement, isReading: () => boolean): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let saved = savedPlace(threadId);
  const save = (): void => {
    timer = undefined;
    // Another thread has been shown meanwhile.
    if (readState().threadId !== threadId) return;
    const place = isReading() ? placeIn(log) : undefined;
    if (place?.turn === saved?.turn && place?.top === saved?.top) return;
    saved = place;
    saveState({ threadId, place });
  };
  return () => void (timer ??= setTimeout(save, SAVE_AFTER));
}

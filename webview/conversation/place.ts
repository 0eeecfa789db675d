/**
 * Saves the reader's position in the log to the webview state, which outlives the page of a hidden view and a restart.
 */
import { readState, saveState } from '../app/host.ts';

interface ScrollPosition {
  /** Id of the first turn in view. */
  turn: string;
  /** Pixels from the top of the log to the top of that turn; usually negative. */
  top: number;
}

const SAVE_AFTER = 200;

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
  if (state?.threadId !== threadId) return undefined;
  const place = state.place as Partial<ScrollPosition> | undefined;
  return typeof place?.turn === 'string' && typeof place.top === 'number'
    ? { turn: place.turn, top: place.top }
    : undefined;
}

/**
 * @param isReading whether the reader has scrolled away from the end
 * @returns a scroll handler that saves the position, throttled
 */
export function placeSaver(threadId: string, log: HTMLElement, isReading: () => boolean): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let saved: ScrollPosition | undefined;
  const save = (): void => {
    timer = undefined;
    const place = isReading() ? placeIn(log) : undefined;
    if (place?.turn === saved?.turn && place?.top === saved?.top) return;
    saved = place;
    saveState({ threadId, place });
  };
  return () => void (timer ??= setTimeout(save, SAVE_AFTER));
}

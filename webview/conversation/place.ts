/** Where the reader is in the log. The editor keeps it, so it outlives the page of a hidden view, and a restart. */
import { readState, saveState } from '../app/host.ts';

interface Place {
  /** Key of the first turn that is in sight. */
  turn: string;
  /** Pixels from the log's upper edge down to that turn's; mostly negative. */
  top: number;
}

const SAVE_AFTER = 200;

const turnsIn = (log: HTMLElement): HTMLElement[] => [...log.querySelectorAll<HTMLElement>('.turn')];

/** @returns index, among the turns that are drawn, of the first one that is in sight; -1 in an empty log */
export function firstInSight(log: HTMLElement): number {
  const { top } = log.getBoundingClientRect();
  return turnsIn(log).findIndex((turn) => turn.getBoundingClientRect().bottom > top);
}

/** @returns the place that is in sight; none in an empty log */
function placeIn(log: HTMLElement): Place | undefined {
  const turn = turnsIn(log)[firstInSight(log)];
  if (!turn) return undefined;
  const top = turn.getBoundingClientRect().top - log.getBoundingClientRect().top;
  return { turn: turn.dataset.turn ?? '', top: Math.round(top) };
}

/** @returns how far the log has to be scrolled for a place; undefined when its turn is not in the log */
export function scrollTopOf(log: HTMLElement, { turn, top }: Place): number | undefined {
  const found = turnsIn(log).find(({ dataset }) => dataset.turn === turn);
  if (!found) return undefined;
  return log.scrollTop + found.getBoundingClientRect().top - log.getBoundingClientRect().top - top;
}

/** @returns the place in this thread that an earlier page has saved; none when the reader was at the end */
export function savedPlace(threadId: string): Place | undefined {
  const state = readState();
  if (state?.threadId !== threadId) return undefined;
  const place = state.place as Partial<Place> | undefined;
  return typeof place?.turn === 'string' && typeof place.top === 'number'
    ? { turn: place.turn, top: place.top }
    : undefined;
}

/**
 * @param isReading whether the reader has left the end
 * @returns to be called when the log may have been scrolled: saves the place, a moment later
 */
export function placeSaver(threadId: string, log: HTMLElement, isReading: () => boolean): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let saved: Place | undefined;
  const save = (): void => {
    timer = undefined;
    const place = isReading() ? placeIn(log) : undefined;
    if (place?.turn === saved?.turn && place?.top === saved?.top) return;
    saved = place;
    saveState({ threadId, place });
  };
  return () => void (timer ??= setTimeout(save, SAVE_AFTER));
}

/** Plays a recording in real time. */
import type { ThreadEvent } from '../../shared/thread/model.ts';
import type { Clock } from '../session/clock.ts';
import type { Moment } from './read.ts';

/** Milliseconds; longer pauses are shortened to this. */
const LONGEST_PAUSE = 2000;
/** Maximum number of events per dispatch. */
const SLICE = 500;

/**
 * @param dispatch called with the events that are due
 * @param signal when aborted, the remaining events are dispatched without delay
 * @returns a promise that resolves when all events have been dispatched
 */
export async function play(
  moments: readonly Moment[],
  dispatch: (events: readonly ThreadEvent[]) => void,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const begun = clock.now();
  let due = 0;
  for (let from = 0; from < moments.length;) {
    const at = moments[from]?.at ?? 0;
    due += Math.min(LONGEST_PAUSE, at - (moments[from - 1]?.at ?? at));
    const wait = begun + due - clock.now();
    if (wait > 0) await clock.sleep(wait, signal);
    let to = from;
    const isDue = (moment: Moment | undefined): boolean =>
      moment?.at === at || (signal.aborted && moment !== undefined);
    while (isDue(moments[to]) && to - from < SLICE) to += 1;
    dispatch(moments.slice(from, to).map(({ event }) => event));
    from = to;
    // Yield to the views between slices.
    if (signal.aborted) await clock.sleep(0, new AbortController().signal);
  }
}

/** Plays a recording at its own pace. */
import type { ThreadEvent } from '../../shared/thread/model.ts';
import type { Clock } from '../session/clock.ts';
import type { Moment } from './read.ts';

/** Milliseconds that a pause takes at most: nobody watches a service think for minutes. */
const LONGEST_PAUSE = 2000;
/** Events that are handed on at once. */
const SLICE = 500;

/**
 * @param dispatch takes what has happened meanwhile
 * @param signal shows the rest without waiting
 * @returns when all has been shown
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
    // Views get their turn between two slices.
    if (signal.aborted) await clock.sleep(0, new AbortController().signal);
  }
}

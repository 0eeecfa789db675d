/** The backfill: reads the thread once more if lines of an answer may be missing, and merges it. */
import type { ThreadEvent } from '../../shared/thread/model.ts';
import { reduceAll } from '../../shared/thread/reducer.ts';
import { currentTurn } from '../../shared/thread/turns.ts';
import { isItemLine, type ItemLine } from '../../shared/wire/streamLines.ts';
import { readResponse, type RunOptions } from './response.ts';
import { waitBefore } from './retry.ts';

/** Milliseconds for the whole backfill; the user waits for it. */
const TIMEOUT = 10_000;
const TRIES = 3;

type BackfillOptions = RunOptions & { signal: AbortSignal };

/** Merges the thread as stored by the service; if it can't be read, the answer stays unchanged. */
export async function backfill(options: BackfillOptions): Promise<void> {
  const { clock, dispatch, thread } = options;
  const held = currentTurn(thread());
  const isHeld = ({ id }: { id: string }): boolean => held?.items.some((item) => item.id === id) ?? false;
  const lines = await readThread(options);
  // If the service sent no questions, assign lines to the turn by the ids of its items.
  const isSorted = lines.some(({ role }) => role === 'user');
  const own = isSorted ? lines : lines.filter(isHeld);
  const time = clock.now();
  const events: ThreadEvent[] = [{ type: 'attached' }, ...own.map((line) => ({ type: 'line', line, time }) as const)];
  const said = reduceAll(thread(), events).response?.turns;
  const turn = said?.find(({ id }) => id === held?.id || id === held?.question?.echo);
  // Without a common item, the service uses other ids here, and the answer would be shown twice.
  if (turn && (held?.items.length === 0 || turn.items.some(isHeld))) dispatch(events);
}

/**
 * @returns the whole messages of the thread. Deltas are those of another client's running answer, and the `cutoff` line
 * would open the turn of our question for all that follows.
 */
async function readThread(options: BackfillOptions): Promise<ItemLine[]> {
  const { client, request, signal, clock, stallTimeout } = options;
  const { chatId, sessionSettings, activeBranchName, isDefaultBranch } = request();
  let lines: ItemLine[] = [];
  if (chatId === undefined) return lines;
  const patience = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]);
  for (let tries = 1; tries <= TRIES && !patience.aborted; tries += 1) {
    lines = [];
    const ending = await readResponse({
      client,
      request: { chatId, sessionSettings, activeBranchName, isDefaultBranch },
      stallTimeout,
      signal: patience,
      onLines: (more) => void lines.push(...more.filter(isItemLine).filter(({ isDelta }) => !isDelta)),
    });
    // If the thread is busy, another client's answer is running, and ours was read.
    if (!('error' in ending) || ending.error.kind === 'busy') break;
    await clock.sleep(waitBefore(tries, clock.random()), patience);
  }
  return lines;
}

/** The backfill: reads the thread once more if lines of an answer may be missing, and merges it. */
import type { Thread, ThreadEvent } from '../../shared/thread/model.ts';
import { reduceAll } from '../../shared/thread/reducer.ts';
import { currentTurn } from '../../shared/thread/turns.ts';
import { isItemLine, type ChatRequest, type ItemLine } from '../../shared/wire/streamLines.ts';
import type { Connection } from '../connection/connection.ts';
import type { Clock } from './clock.ts';
import { readResponse } from './response.ts';
import { waitBefore } from './retry.ts';

/** The thread that a request belongs to. */
export interface Host {
  /** The thread with all dispatched events. */
  readonly thread: Thread;
  readonly clock: Clock;
  /** See `RetryPolicy`. */
  readonly giveUpAfter?: number | undefined;
  dispatch: (events: readonly ThreadEvent[]) => void;
}

/** Milliseconds for the whole backfill; the user waits for it. */
const TIMEOUT = 10_000;
const TRIES = 3;

/** Merges the thread as stored by the service; if it can't be read, the answer stays unchanged. */
export async function backfill(
  host: Host,
  connection: Connection,
  request: ChatRequest,
  signal: AbortSignal,
): Promise<void> {
  const held = currentTurn(host.thread);
  const lines = await readThread(host, connection, request, signal);
  const time = host.clock.now();
  const events: ThreadEvent[] = [{ type: 'attached' }, ...lines.map((line) => ({ type: 'line', line, time }) as const)];
  const said = reduceAll(host.thread, events).response?.turns;
  const turn = said?.find(({ id }) => id === held?.id || id === held?.question?.echo);
  // Without a common item, the service uses other ids here, and the answer would be shown twice.
  const isHeld = ({ id }: { id: string }): boolean => held?.items.some((item) => item.id === id) ?? false;
  if (turn && (held?.items.length === 0 || turn.items.some(isHeld))) host.dispatch(events);
}

/**
 * @returns the whole messages of the thread. Deltas are those of another client's running answer, and the `cutoff` line
 * would open the turn of our question for all that follows.
 */
async function readThread(
  { clock }: Host,
  { client, stallTimeout }: Connection,
  { chatId, sessionSettings, activeBranchName, isDefaultBranch }: ChatRequest,
  signal: AbortSignal,
): Promise<ItemLine[]> {
  let lines: ItemLine[] = [];
  if (chatId === undefined) return lines;
  const patience = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]);
  for (let tries = 1; tries <= TRIES && !patience.aborted; tries += 1) {
    lines = [];
    const ending = await readResponse({
      ...{ client, stallTimeout, signal: patience },
      request: { chatId, sessionSettings, activeBranchName, isDefaultBranch },
      onLines: (more) => void lines.push(...more.filter(isItemLine).filter(({ isDelta }) => !isDelta)),
    });
    // If the thread is busy, another client's answer is running, and ours was read.
    if (!('error' in ending) || ending.error.kind === 'busy') break;
    await clock.sleep(waitBefore(tries, clock.random()), patience);
  }
  return lines;
}

/** The backfill: reads the thread once more if lines of an answer may be missing, and merges it. */
import { ChatError } from '../../api/errors.ts';
import type { Item, Thread, ThreadEvent } from '../../shared/thread/model.ts';
import { reduceAll } from '../../shared/thread/reducer.ts';
import { currentTurn } from '../../shared/thread/turns.ts';
import { isItemLine, type StreamLine } from '../../shared/wire/streamLines.ts';
import { requestOn, type Connection } from '../connection/connection.ts';
import type { Clock } from './clock.ts';
import { readResponse } from './response.ts';
import { waitBefore } from './retry.ts';

/** The thread that a request belongs to. */
export interface Host {
  /** The thread with all dispatched events. */
  readonly thread: Thread;
  readonly clock: Clock;
  dispatch: (events: readonly ThreadEvent[]) => void;
}

/** Milliseconds for the whole backfill; the user waits for it. */
const TIMEOUT = 10_000;
const TRIES = 3;

/** Merges the thread as stored by the service; if it can't be read, the answer stays unchanged. */
export async function backfill(host: Host, connection: Connection, signal: AbortSignal): Promise<void> {
  const { thread, clock } = host;
  const { client, stallTimeout } = connection;
  if (thread.chatId === undefined) return;
  const request = requestOn(connection, { chatId: thread.chatId });
  const patience = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]);
  let lines: StreamLine[] = [];
  for (let tries = 1; tries <= TRIES && !patience.aborted; tries += 1) {
    lines = [];
    const onLines = (more: readonly StreamLine[]): void => void lines.push(...more);
    const ending = await readResponse({ client, stallTimeout, request, signal: patience, onLines });
    // If the thread is busy, another client's answer is running, and ours was read.
    if (!(ending instanceof ChatError) || ending.kind === 'busy') break;
    await clock.sleep(waitBefore(tries, clock.random()), patience);
  }
  // After a stop, the answer has ended, and the next question may be running.
  if (signal.aborted) return;
  const time = clock.now();
  // Deltas are those of another client's running answer, and the `cutoff` line would open the turn of our question for
  // all that follows.
  const whole = lines.filter((line) => isItemLine(line) && !line.isDelta);
  const events: ThreadEvent[] = [{ type: 'attached' }, ...whole.map((line) => ({ type: 'line', line, time }) as const)];
  const held = currentTurn(thread);
  const said = reduceAll(thread, events).response?.turns;
  const turn = said?.find(({ id }) => id === held?.id || id === held?.question?.echo);
  // Without a common item, the service uses other ids here, and the answer would be shown twice.
  const isHeld = ({ id }: Item): boolean => held?.items.some((item) => item.id === id) ?? false;
  if (turn && (held?.items.length === 0 || turn.items.some(isHeld))) host.dispatch(events);
}

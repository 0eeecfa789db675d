/**
 * Brings one answer to its end: asks, and when the connection is lost asks again with the same `messageId` until
 * the answer is whole, the service refuses, or there is no hope.
 */
import type { ChatClient } from '../../api/client.ts';
import { ChatError } from '../../api/errors.ts';
import { t } from '../../shared/text/l10n.ts';
import type { Thread, ThreadEvent } from '../../shared/thread/model.ts';
import { completenessOf, placeOf } from '../../shared/thread/turns.ts';
import { isItemLine, type ChatRequest, type ItemLine } from '../../shared/wire.ts';
import { attempt, type Closing } from './attempt.ts';
import type { Clock } from './clock.ts';
import { hasProgressed } from './progress.ts';
import { readAgain } from './readAgain.ts';
import { RetryPolicy } from './retry.ts';

export interface RunOptions {
  client: ChatClient;
  /** Made anew for each connection: the thread may have got its `chatId` meanwhile. */
  request: () => ChatRequest;
  /** Milliseconds. */
  stallTimeout: number;
  clock: Clock;
  signal: AbortSignal;
  /** False once the user has stopped it: then it is read on for the thread's id at most, and never asked again. */
  isWanted: () => boolean;
  asked: Asked;
  /** Whether the service may still wind up an answer that was stopped. */
  windingUp: boolean;
  dispatch: (events: readonly ThreadEvent[]) => void;
  /** Told when the answer has come to its end, and is only looked through for what it may lack. */
  answered: () => void;
  /** The thread as it stands, with all that was dispatched. */
  thread: () => Thread;
}

/** Whether the question has been put to the service before; `perhaps` where that was tried and lost. */
export type Asked = 'never' | 'perhaps' | 'surely';

export type RunEnd =
  | { how: 'done' }
  | { how: 'abortedByService' }
  | { how: 'failed'; error: ChatError; begun: boolean; connections: number };

/** A connection that ends without a word is asked again this often in a row before the answer is taken for broken. */
const QUIET_ENDINGS = 6;
/** After so many, an answer that has no final line and lacks nothing else is taken for whole. */
const PLAUSIBLE_ENDINGS = 4;
/** So often a service that has sent the final line is asked in vain for what may follow it. */
const WHOLE_LOSSES = 2;

/** @returns how the run ended; never throws. What is not wanted any more ends as `done`, and the caller knows. */
export async function runToEnd(options: RunOptions): Promise<RunEnd> {
  const { clock, signal, dispatch } = options;
  const policy = new RetryPolicy(() => clock.now());
  const again = options.asked !== 'never';
  const connections = again ? 1 : 0;
  const seen: Seen = { taken: options.asked === 'surely', connections, loss: again, gap: again, damaged: false };
  let quietEndings = 0;
  for (;;) {
    const before = options.thread();
    const request = options.request();
    const closing = await connectOnce(options, request, seen);
    const progressed = hasProgressed(before, options.thread());
    if (!options.isWanted()) return { how: 'done' };
    if (closing.how === 'aborted') return { how: 'abortedByService' };
    const completeness = seen.taken ? completenessOf(options.thread()) : 'open';
    if (closing.how === 'complete') return done(options, seen, seen.loss && completeness !== 'whole');
    seen.loss = true;
    if (progressed) {
      policy.progressed();
      quietEndings = 0;
    }
    const error = closing.how === 'lost' ? closing.error : endedEarly();
    if (closing.how === 'early') {
      quietEndings += 1;
      if (completeness === 'whole' || (completeness === 'plausible' && quietEndings >= PLAUSIBLE_ENDINGS))
        return done(options, seen);
      if (quietEndings >= QUIET_ENDINGS) return failed(error, seen);
    }
    const wait = policy.next(error, seen.taken, clock.random(), options.windingUp);
    const isVain = !progressed && (wait === undefined || policy.attempt > WHOLE_LOSSES);
    // A thread that is only read may be whole up to an answer that somebody else still waits for.
    if (isVain && completeness === 'whole' && request.input !== undefined) return done(options, seen);
    if (wait === undefined) return failed(error, seen);
    const asked = error.kind === 'rateLimited' || error.retryAfter !== undefined;
    dispatch([{ type: 'reconnecting', attempt: policy.attempt, ...(asked ? { until: clock.now() + wait } : {}) }]);
    await clock.sleep(wait, signal);
    if (!options.isWanted()) return { how: 'done' };
    dispatch([{ type: 'attached' }]);
  }
}

/** @param lacking whether something may be missing that only the thread as the service keeps it can tell */
async function done(options: RunOptions, { gap, damaged }: Seen, lacking = false): Promise<RunEnd> {
  if (gap || damaged || lacking) await readAgain(options);
  return { how: 'done' };
}

const failed = (error: ChatError, { taken, connections }: Seen): RunEnd => ({
  how: 'failed',
  error,
  begun: taken,
  connections,
});

const endedEarly = (): ChatError =>
  new ChatError('stalled', t('The answer ended before it was complete.'), { code: 'ENDED_EARLY' });

/** What all connections of the run have shown together. */
interface Seen {
  /** The service has the question. */
  taken: boolean;
  /** How often the service has been asked, with the times before this run. */
  connections: number;
  /** Lines may be missing that were on their way when a connection was lost. */
  loss: boolean;
  /** Whole items may be missing: a further connection went on with something that was not known yet. */
  gap: boolean;
  /** Whole items may be missing: lines could not be read, and have not come once more since. */
  damaged: boolean;
}

function connectOnce(options: RunOptions, request: ChatRequest, seen: Seen): Promise<Closing> {
  const { client, signal, stallTimeout, clock, dispatch } = options;
  let begins = true;
  let echo: ItemLine | undefined;
  let marked = false;
  let damaged = false;
  seen.connections += 1;
  return attempt({
    client,
    request,
    stallTimeout,
    signal,
    take: (lines, taken) => {
      seen.taken ||= taken;
      damaged ||= lines.some((line) => line.kind === 'unknown' && line.damaged);
      const items = lines.filter(isItemLine);
      echo ??= items.find(({ id }) => id === request.messageId);
      const marker = lines.findIndex(({ kind }) => kind === 'cutoff');
      marked ||= marker >= 0;
      // Whole messages before the marker are history.
      const current = lines.slice(marker + 1).filter(isItemLine);
      const first = begins
        ? current.find(({ role, isDelta, isInProcess }) => role === 'assistant' && (marked || isDelta || isInProcess))
        : undefined;
      if (first) {
        begins = false;
        const place = placeOf(options.thread(), first.id);
        const isKnown = place === 'first' || place === 'later';
        // Numbers may tell that it goes on with more than was ever read.
        const skips = echo?.sort !== undefined && first.sort !== undefined && first.sort > echo.sort + 1;
        // From the question on, everything comes once more.
        if (echo && (place === 'first' || (place === 'none' && !skips))) seen.gap = seen.damaged = false;
        else if (!isKnown && seen.connections > 1) seen.gap = true;
      }
      seen.damaged ||= damaged;
      const time = clock.now();
      if (!signal.aborted) dispatch(lines.map((line) => ({ type: 'line', line, time })));
    },
  });
}

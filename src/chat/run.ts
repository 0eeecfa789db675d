/**
 * Brings one answer to its end: asks, and when the connection is lost asks again with the same `messageId` until
 * the answer is whole, the service refuses, or there is no hope.
 */
import type { ChatClient } from '../api/client.ts';
import { ChatError } from '../api/errors.ts';
import type { ThreadEvent } from '../shared/thread.ts';
import type { ChatRequest } from '../shared/wire.ts';
import { attempt, type Closing } from './attempt.ts';
import type { Clock } from './clock.ts';
import { RetryPolicy } from './retry.ts';

export interface RunOptions {
  client: ChatClient;
  /** Made anew for each connection: the thread may have got its `chatId` meanwhile. */
  request: () => ChatRequest;
  /** Milliseconds. */
  stallTimeout: number;
  clock: Clock;
  signal: AbortSignal;
  /** True when the service is known to have the question. */
  begun: boolean;
  dispatch: (events: readonly ThreadEvent[]) => void;
  /** How much of the answer is there; grows as it goes on, and a mere repetition leaves it as it is. */
  measure: () => number;
  completeness: () => Completeness;
}

/** `whole`: the final answer is there. `plausible`: something is, and nothing is still being generated. */
export type Completeness = 'whole' | 'plausible' | 'open';

export type RunEnd =
  { how: 'done' } | { how: 'abortedByService' } | { how: 'failed'; error: ChatError; begun: boolean };

/** A connection that ends without a word is asked again this often in a row before the answer is taken for broken. */
const QUIET_ENDINGS = 6;

/** @returns how the run ended; never throws. An abort of `signal` ends it as `done`, and the caller knows. */
export async function runToEnd(options: RunOptions): Promise<RunEnd> {
  const { clock, signal, dispatch } = options;
  const policy = new RetryPolicy(() => clock.now());
  let begun = options.begun;
  let quietEndings = 0;
  for (;;) {
    const before = options.measure();
    const closing = await connectOnce(options, options.request(), () => (begun = true));
    const progressed = options.measure() > before;
    if (signal.aborted) return { how: 'done' };
    if (closing.how === 'aborted') return { how: 'abortedByService' };
    if (closing.how === 'complete') {
      if (closing.damaged && options.completeness() !== 'whole') await readAgain(options);
      return { how: 'done' };
    }
    if (progressed) {
      policy.progressed();
      quietEndings = 0;
    }
    const error = closing.how === 'lost' ? closing.error : endedEarly();
    if (closing.how === 'early') {
      quietEndings += 1;
      const completeness = begun ? options.completeness() : 'open';
      if (completeness === 'whole' || (completeness === 'plausible' && !progressed)) return { how: 'done' };
      if (quietEndings >= QUIET_ENDINGS) return { how: 'failed', error, begun };
    }
    const wait = policy.next(error, begun, clock.random());
    if (wait === undefined) return { how: 'failed', error, begun };
    dispatch([{ type: 'reconnecting', attempt: policy.attempt }]);
    await clock.sleep(wait, signal);
    if (signal.aborted) return { how: 'done' };
    dispatch([{ type: 'attached' }]);
  }
}

const endedEarly = (): ChatError =>
  new ChatError('stalled', 'The answer ended before it was complete.', { code: 'ENDED_EARLY' });

function connectOnce(options: RunOptions, request: ChatRequest, onTaken: () => void): Promise<Closing> {
  const { client, signal, stallTimeout, clock, dispatch } = options;
  return attempt({
    client,
    request,
    stallTimeout,
    signal,
    take: (lines, taken) => {
      if (taken) onTaken();
      const time = clock.now();
      if (!signal.aborted) dispatch(lines.map((line) => ({ type: 'line', line, time })));
    },
  });
}

/** Lines were damaged and the answer is not whole: the thread as the service keeps it may have what is missing. */
async function readAgain(options: RunOptions): Promise<void> {
  const { chatId, sessionSettings, activeBranchName, isDefaultBranch } = options.request();
  if (chatId === undefined) return;
  options.dispatch([{ type: 'attached' }]);
  await connectOnce(options, { chatId, sessionSettings, activeBranchName, isDefaultBranch }, () => undefined);
}

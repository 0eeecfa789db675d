/**
 * Brings one answer to its end: asks, and when the connection is lost asks again with the same `messageId` until
 * the answer is whole, the service refuses, or there is no hope.
 */
import type { ChatClient } from '../api/client.ts';
import { ChatError } from '../api/errors.ts';
import type { ThreadEvent } from '../shared/thread.ts';
import type { ChatRequest, StreamLine } from '../shared/wire.ts';
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
  /** False once the user has stopped it: then it is read on for the thread's id at most, and never asked again. */
  isWanted: () => boolean;
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
/** After so many, an answer that has no final line and lacks nothing else is taken for whole. */
const PLAUSIBLE_ENDINGS = 4;

/** @returns how the run ended; never throws. What is not wanted any more ends as `done`, and the caller knows. */
export async function runToEnd(options: RunOptions): Promise<RunEnd> {
  const { clock, signal, dispatch } = options;
  const policy = new RetryPolicy(() => clock.now());
  const seen: Seen = { taken: options.begun, loss: options.begun };
  let quietEndings = 0;
  for (;;) {
    const before = options.measure();
    const closing = await connectOnce(options, options.request(), seen);
    const progressed = options.measure() > before;
    if (!options.isWanted()) return { how: 'done' };
    if (closing.how === 'aborted') return { how: 'abortedByService' };
    if (closing.how === 'complete') {
      if (seen.loss && options.completeness() !== 'whole') await readAgain(options, seen);
      return { how: 'done' };
    }
    seen.loss = true;
    if (progressed) {
      policy.progressed();
      quietEndings = 0;
    }
    const error = closing.how === 'lost' ? closing.error : endedEarly();
    if (closing.how === 'early') {
      quietEndings += 1;
      const completeness = seen.taken ? options.completeness() : 'open';
      if (completeness === 'whole') return { how: 'done' };
      if (completeness === 'plausible' && quietEndings >= PLAUSIBLE_ENDINGS) return { how: 'done' };
      if (quietEndings >= QUIET_ENDINGS) return { how: 'failed', error, begun: seen.taken };
    }
    const wait = policy.next(error, seen.taken, clock.random());
    if (wait === undefined) return { how: 'failed', error, begun: seen.taken };
    dispatch([{ type: 'reconnecting', attempt: policy.attempt }]);
    await clock.sleep(wait, signal);
    if (!options.isWanted()) return { how: 'done' };
    dispatch([{ type: 'attached' }]);
  }
}

const endedEarly = (): ChatError =>
  new ChatError('stalled', 'The answer ended before it was complete.', { code: 'ENDED_EARLY' });

/** What all connections of the run have shown together. */
interface Seen {
  /** The service has the question. */
  taken: boolean;
  /** Lines may be missing: some could not be read, or were on their way when a connection was lost. */
  loss: boolean;
}

function connectOnce(
  options: RunOptions,
  request: ChatRequest,
  seen: Seen,
  isWelcome: (line: StreamLine) => boolean = () => true,
): Promise<Closing> {
  const { client, signal, stallTimeout, clock, dispatch } = options;
  return attempt({
    client,
    request,
    stallTimeout,
    signal,
    take: (lines, taken) => {
      seen.taken ||= taken;
      seen.loss ||= lines.some((line) => line.kind === 'unknown' && line.damaged);
      const time = clock.now();
      if (!signal.aborted) dispatch(lines.filter(isWelcome).map((line) => ({ type: 'line', line, time })));
    },
  });
}

/** Lines are missing and the answer is not whole: the thread as the service keeps it may have them. */
async function readAgain(options: RunOptions, seen: Seen): Promise<void> {
  const { chatId, sessionSettings, activeBranchName, isDefaultBranch } = options.request();
  if (chatId === undefined) return;
  options.dispatch([{ type: 'attached' }]);
  const isWhole = (line: StreamLine): boolean => line.kind !== 'message' || !line.isDelta;
  await connectOnce(options, { chatId, sessionSettings, activeBranchName, isDefaultBranch }, seen, isWhole);
}

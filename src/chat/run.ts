/**
 * Brings one answer to its end: asks, and when the connection is lost asks again with the same `messageId` until
 * the answer is whole, the service refuses, or there is no hope.
 */
import type { ChatClient } from '../api/client.ts';
import { ChatError, errorFromFetch } from '../api/errors.ts';
import type { ThreadEvent } from '../shared/thread.ts';
import type { ChatRequest, StreamLine } from '../shared/wire.ts';
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

/** How one connection ended. */
type Closing = { how: 'complete' | 'aborted' | 'early' } | { how: 'lost'; error: ChatError };

/** A connection that ends without a word is asked again this often before the answer is taken for broken. */
const QUIET_ENDINGS = 3;
const USAGE_GRACE = 1000;

/** @returns how the run ended; never throws. An abort of `signal` ends it as `done`, and the caller knows. */
export async function runToEnd(options: RunOptions): Promise<RunEnd> {
  const { clock, signal, dispatch } = options;
  const policy = new RetryPolicy(() => clock.now());
  let begun = options.begun;
  let quietEndings = 0;
  for (;;) {
    const before = options.measure();
    const closing = await connectOnce(options, (lines) => {
      const time = clock.now();
      begun = true;
      dispatch(lines.map((line) => ({ type: 'line', line, time })));
    });
    const progressed = options.measure() > before;
    if (signal.aborted || closing.how === 'complete') return { how: 'done' };
    if (closing.how === 'aborted') return { how: 'abortedByService' };
    if (progressed) {
      policy.progressed();
      quietEndings = 0;
    }
    const error = closing.how === 'lost' ? closing.error : endedEarly();
    if (closing.how === 'early') {
      quietEndings += 1;
      const completeness = options.completeness();
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

/** Reads one response to its end, or to the line after which nothing of use can come. */
async function connectOnce(options: RunOptions, take: (lines: StreamLine[]) => void): Promise<Closing> {
  const { client, signal, stallTimeout } = options;
  const request = options.request();
  const reading = new AbortController();
  const cancel = (): void => reading.abort();
  signal.addEventListener('abort', cancel, { once: true });
  let complete = false;
  let stillStreaming = false;
  let grace: ReturnType<typeof setTimeout> | undefined;
  try {
    for await (const lines of client.streamBatches(request, { signal: reading.signal, stallTimeout })) {
      if (signal.aborted) return { how: 'early' };
      take(lines);
      for (const line of lines) {
        if (line.kind === 'cutoff') stillStreaming = line.isStreaming && request.input === undefined;
        if (line.kind === 'state') complete = true;
        if (line.kind === 'aborted') return { how: 'aborted' };
        if (line.kind === 'suspended') return { how: 'lost', error: suspended(line.reason, line.retryable) };
      }
      // Only a usage line may follow, at once or not at all; some services leave the connection open.
      if (complete) grace ??= setTimeout(cancel, USAGE_GRACE);
    }
  } catch (failure) {
    // The whole answer is there: how the connection ended no longer matters.
    if (!complete) return { how: 'lost', error: errorFromFetch(failure) };
  } finally {
    clearTimeout(grace);
    signal.removeEventListener('abort', cancel);
  }
  // What was read is the thread so far; somebody's answer in it goes on.
  if (complete && stillStreaming)
    return { how: 'lost', error: new ChatError('busy', 'An answer is still being written.') };
  return { how: complete ? 'complete' : 'early' };
}

function suspended(reason: string, retryable: boolean): ChatError {
  return retryable
    ? new ChatError('stalled', reason, { code: 'SUSPENDED' })
    : new ChatError('stream', reason || 'The service has suspended the answer.', { code: 'SUSPENDED' });
}

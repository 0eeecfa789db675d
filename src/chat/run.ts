/**
 * Brings one answer to its end: asks, and when the connection is lost asks again with the same `messageId` until
 * the answer is whole, the service refuses, or there is no hope.
 */
import type { ChatClient } from '../api/client.ts';
import { ChatError } from '../api/errors.ts';
import type { ThreadEvent } from '../shared/thread.ts';
import type { ChatRequest, MessageLine, StreamLine, ToolCallLine } from '../shared/wire.ts';
import { attempt, type Closing } from './attempt.ts';
import type { Clock } from './clock.ts';
import { RetryPolicy, waitBefore } from './retry.ts';

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
  dispatch: (events: readonly ThreadEvent[]) => void;
  /** How much of the answer is there; grows as it goes on, and a mere repetition leaves it as it is. */
  measure: () => number;
  completeness: () => Completeness;
  /** Where an item stands in the answer so far. */
  placeOf: (id: string) => Place;
}

/** Whether the question has been put to the service before; `perhaps` where that was tried and lost. */
export type Asked = 'never' | 'perhaps' | 'surely';

export type Place = 'first' | 'later' | 'unknown' | 'none';

/** `whole`: the final answer is there. `plausible`: something is, and nothing is still being generated. */
export type Completeness = 'whole' | 'plausible' | 'open';

export type RunEnd =
  | { how: 'done' }
  | { how: 'abortedByService' }
  | { how: 'failed'; error: ChatError; begun: boolean; connections: number };

/** A connection that ends without a word is asked again this often in a row before the answer is taken for broken. */
const QUIET_ENDINGS = 6;
/** After so many, an answer that has no final line and lacks nothing else is taken for whole. */
const PLAUSIBLE_ENDINGS = 4;

/** @returns how the run ended; never throws. What is not wanted any more ends as `done`, and the caller knows. */
export async function runToEnd(options: RunOptions): Promise<RunEnd> {
  const { clock, signal, dispatch } = options;
  const policy = new RetryPolicy(() => clock.now());
  const again = options.asked !== 'never';
  const seen: Seen = { taken: options.asked === 'surely', connections: again ? 1 : 0, loss: again, gap: false };
  let quietEndings = 0;
  for (;;) {
    const before = options.measure();
    const closing = await connectOnce(options, options.request(), seen);
    const progressed = options.measure() > before;
    if (!options.isWanted()) return { how: 'done' };
    if (closing.how === 'aborted') return { how: 'abortedByService' };
    if (closing.how === 'complete') {
      if (seen.gap || (seen.loss && options.completeness() !== 'whole')) await readAgain(options);
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
      if (quietEndings >= QUIET_ENDINGS) return failed(error, seen);
    }
    const wait = policy.next(error, seen.taken, clock.random());
    if (wait === undefined) return failed(error, seen);
    dispatch([{ type: 'reconnecting', attempt: policy.attempt }]);
    await clock.sleep(wait, signal);
    if (!options.isWanted()) return { how: 'done' };
    dispatch([{ type: 'attached' }]);
  }
}

const failed = (error: ChatError, { taken, connections }: Seen): RunEnd => ({
  how: 'failed',
  error,
  begun: taken,
  connections,
});

const endedEarly = (): ChatError =>
  new ChatError('stalled', 'The answer ended before it was complete.', { code: 'ENDED_EARLY' });

/** What all connections of the run have shown together. */
interface Seen {
  /** The service has the question. */
  taken: boolean;
  /** How often the service has been asked, with the times before this run. */
  connections: number;
  /** Lines may be missing: some could not be read, or were on their way when a connection was lost. */
  loss: boolean;
  /** Whole items may be missing: a further connection went on with something that was not known yet. */
  gap: boolean;
}

function connectOnce(options: RunOptions, request: ChatRequest, seen: Seen): Promise<Closing> {
  const { client, signal, stallTimeout, clock, dispatch } = options;
  let begins = true;
  let echoed = false;
  seen.connections += 1;
  return attempt({
    client,
    request,
    stallTimeout,
    signal,
    take: (lines, taken) => {
      seen.taken ||= taken;
      seen.loss ||= lines.some((line) => line.kind === 'unknown' && line.damaged);
      const items = lines.filter(isItem);
      echoed ||= items.some(({ id }) => id === request.messageId);
      const first = begins ? items.find(({ role }) => role === 'assistant') : undefined;
      if (first) {
        begins = false;
        const place = options.placeOf(first.id);
        const isKnown = place === 'first' || place === 'later';
        // From the question on, everything comes once more.
        if (echoed && (place === 'first' || place === 'none')) seen.gap = false;
        else if (!isKnown && seen.connections > 1) seen.gap = true;
      }
      const time = clock.now();
      if (!signal.aborted) dispatch(lines.map((line) => ({ type: 'line', line, time })));
    },
  });
}

const isItem = (line: StreamLine): line is MessageLine | ToolCallLine =>
  line.kind === 'message' || line.kind === 'toolCall';

/** Milliseconds of silence after which the answer is left as it is. */
const READ_PATIENCE = 10_000;
const READ_TRIES = 3;

/** Lines may be missing: the thread as the service keeps it has them. Where it fails, what came stays as it is. */
async function readAgain(options: RunOptions): Promise<void> {
  const { client, signal, clock, dispatch } = options;
  const { chatId, messageId, sessionSettings, activeBranchName, isDefaultBranch } = options.request();
  if (chatId === undefined) return;
  let kept: (MessageLine | ToolCallLine)[] = [];
  for (let tries = 1; tries <= READ_TRIES && options.isWanted(); tries += 1) {
    kept = [];
    const { how } = await attempt({
      client,
      request: { chatId, sessionSettings, activeBranchName, isDefaultBranch },
      stallTimeout: Math.min(options.stallTimeout, READ_PATIENCE),
      signal,
      take: (lines) => kept.push(...lines.filter(isItem)),
    });
    if (how !== 'lost') break;
    await clock.sleep(waitBefore(tries, clock.random()), signal);
  }
  const isKnown = ({ id }: MessageLine | ToolCallLine): boolean => {
    const place = options.placeOf(id);
    return place === 'first' || place === 'later';
  };
  const question = kept.findIndex(({ id }) => id === messageId);
  const answer = (question < 0 ? kept.filter(isKnown) : kept.slice(question + 1)).filter(
    (line) => line.role === 'assistant' && !line.isDelta,
  );
  // A service that names its items otherwise here would have everything shown twice.
  if (!answer.some(isKnown)) return;
  const time = clock.now();
  dispatch([{ type: 'attached' }, ...answer.map((line) => ({ type: 'line', line, time }) as const)]);
}

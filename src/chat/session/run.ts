/**
 * Runs one question to the end of its answer: ask → stream → (reconnect)* → backfill. Every request carries the same
 * `messageId`, so the service attaches it to the answer that it is writing.
 */
import type { ChatError } from '../../api/errors.ts';
import type { Item } from '../../shared/thread/model.ts';
import { contradicts } from '../../shared/thread/merge.ts';
import { completenessOf, currentTurn } from '../../shared/thread/turns.ts';
import { isItemLine, type ChatRequest, type ItemLine, type StreamLine } from '../../shared/wire/streamLines.ts';
import { backfill } from './backfill.ts';
import { readResponse, type Ending, type RunOptions } from './response.ts';
import { RetryPolicy } from './retry.ts';

export type RunEnd =
  | { how: 'done' }
  | { how: 'abortedByService' }
  | { how: 'failed'; error: ChatError; accepted: boolean; requests: number };

/** Number of consecutive responses that end early without progress, after which the answer is not requested again. */
const QUIET_ENDINGS = 6;

/** Minimum milliseconds between reads of a thread that another client's answer extends: each reads the whole thread. */
const POLL = 2000;
/** A wait that ends this many milliseconds late shows that the computer was asleep. */
const ASLEEP = 60_000;

export class AnswerRun {
  readonly #options: RunOptions;
  readonly #policy: RetryPolicy;
  #requests: number;
  /** Whether the service has confirmed the question. */
  #accepted: boolean;
  /** Whether lines within the answer may be missing: a response skipped them, or they could not be decoded. */
  #gap = false;
  #quietEndings = 0;

  constructor(options: RunOptions) {
    const { clock, delivered = 'no', giveUpAfter } = options;
    this.#options = options;
    this.#policy = new RetryPolicy(() => clock.now(), giveUpAfter);
    this.#accepted = delivered === 'yes';
    this.#requests = delivered === 'no' ? 0 : 1;
  }

  /** @returns how the run ended; never throws. An answer that was stopped meanwhile ends as `done`. */
  async toEnd(): Promise<RunEnd> {
    const { clock, stopped, dispatch, thread } = this.#options;
    for (;;) {
      const held = currentTurn(thread())?.items;
      const request = this.#options.request();
      const ending = await this.#connectOnce(request, held);
      if (stopped.aborted) return { how: 'done' };
      if (ending.how === 'aborted') return { how: 'abortedByService' };
      const next = this.#after(ending, request, currentTurn(thread())?.items !== held);
      if (next === 'done') {
        if (this.#gap && request.input !== undefined) await backfill(this.#options);
        return { how: 'done' };
      }
      if (typeof next !== 'number')
        return { how: 'failed', error: next, accepted: this.#accepted, requests: this.#requests };
      const until = clock.now() + next;
      await clock.sleep(next, stopped);
      if (stopped.aborted) return { how: 'done' };
      // The network of a computer that wakes up is not back yet: don't give up because of the time before.
      if (clock.now() - until > ASLEEP) this.#policy.restart();
      dispatch([{ type: 'attached' }]);
    }
  }

  async #connectOnce(request: ChatRequest, held: readonly Item[] = []): Promise<Ending> {
    const { client, stallTimeout, signal, clock, dispatch, thread } = this.#options;
    let damaged = false;
    let skips = false;
    let last: ItemLine | undefined;
    this.#requests += 1;
    const onLines = (lines: readonly StreamLine[], accepted: boolean): void => {
      this.#accepted ||= accepted;
      for (const line of lines) {
        if (line.kind === 'unknown') damaged ||= line.damaged === true;
        if (!isItemLine(line)) continue;
        // `sort` increases from delta to delta, unless one was repeated or delayed.
        damaged ||= line.isDelta && (line.sort ?? Infinity) <= (last?.sort ?? -1);
        // A gap in the numbers after the question shows that the response does not start at its beginning.
        if (last?.role === 'user') skips = (line.sort ?? 0) - (last?.sort ?? 0) > 1;
        last = line;
      }
      const time = clock.now();
      dispatch(lines.map((line) => ({ type: 'line', line, time })));
    };
    const ending = await readResponse({ client, request, stallTimeout, signal, onLines });
    const { response } = thread();
    const turn = response?.turns.find(({ id }) => id === request.messageId);
    const said = new Map(turn?.items.map((item) => [item.id, item]));
    if (said.size > 0 && this.#requests > 1) {
      // Only a response that replays the question and all received items is certain to be without gaps.
      const isReplayed = (item: Item): boolean => said.has(item.id) && !contradicts(item, said.get(item.id));
      const repeats = held.length > 0 ? held.every(isReplayed) : !skips;
      this.#gap = response?.echo === undefined || !repeats;
    }
    this.#gap ||= damaged;
    return ending;
  }

  /** @returns what to do after a response: end, fail, or milliseconds to wait before the next request */
  #after(ending: Ending, request: ChatRequest, progressed: boolean): 'done' | ChatError | number {
    const { clock, dispatch, thread, windingUp } = this.#options;
    const completeness = this.#accepted ? completenessOf(thread()) : 'open';
    if (!('error' in ending)) {
      this.#gap ||= this.#requests > 1 && completeness !== 'whole';
      return 'done';
    }
    if (progressed) {
      this.#policy.restart();
      this.#quietEndings = 0;
    }
    const { error } = ending;
    if (ending.how === 'early') {
      this.#quietEndings += 1;
      if (completeness === 'whole') return 'done';
      if (this.#quietEndings >= QUIET_ENDINGS) return completeness === 'plausible' ? 'done' : error;
    }
    const wait = this.#policy.next(error, this.#accepted, clock.random(), windingUp);
    // Don't stop if the thread is only read: another client's answer may still follow.
    if (!progressed && completeness === 'whole' && request.input !== undefined) return 'done';
    if (wait === undefined) return error;
    // No connection is lost: the next read follows another client's answer.
    if (error.kind === 'busy' && request.input === undefined) return Math.max(wait, POLL);
    const until = error.asksToWait ? { until: clock.now() + wait } : {};
    dispatch([{ type: 'reconnecting', attempt: this.#policy.attempt, ...until }]);
    return wait;
  }
}

/**
 * One request of a thread, from connecting to the end of its answer: ask → stream → (reconnect)* → backfill. Every response
 * is requested with the same `messageId`, so the service attaches it to the answer that it is writing.
 */
import type { ChatError } from '../../api/errors.ts';
import type { Item } from '../../shared/thread/model.ts';
import { contradicts } from '../../shared/thread/merge.ts';
import { completenessOf, currentTurn } from '../../shared/thread/turns.ts';
import { isItemLine, type ChatRequest, type ItemLine, type StreamLine } from '../../shared/wire/streamLines.ts';
import { requestOn, type Connection } from '../connection/connection.ts';
import { backfill, type Host } from './backfill.ts';
import { readResponse, type Ending } from './response.ts';
import { RetryPolicy } from './retry.ts';

export interface Asked {
  /** Built for each request, because the thread may have received its `chatId` meanwhile. */
  request: () => ChatRequest;
  /** Whether the service may already have the question; `possibly` if a request with it was lost. */
  delivered?: 'no' | 'possibly' | 'yes';
  /** Whether the service may still be ending or stopping another answer. */
  windingUp?: boolean;
}

/** Number of consecutive responses that end early without progress, after which the answer is not requested again. */
const QUIET_ENDINGS = 6;

/** Minimum milliseconds between reads of a thread that another client's answer extends: each reads the whole thread. */
const POLL = 2000;
/** A wait that ends this many milliseconds late shows that the computer was asleep. */
const ASLEEP = 60_000;

/**
 * `connecting`: its question is not in the thread yet; `shown`: it waits for the stop of an earlier answer; `waiting`: the
 * service may be writing its answer, of which no response is read now; `streaming`: a response is read; `answered`: only
 * the backfill is left; `stopped`: by the user, whatever else happens; `ended`: all done.
 */
export type Phase = 'connecting' | 'shown' | 'waiting' | 'streaming' | 'answered' | 'stopped' | 'ended';

export class ThreadRequest {
  phase: Phase = 'connecting';
  /** Aborts its response, and its wait for the next one. A stopped response may go on until its thread has a `chatId`. */
  readonly controller = new AbortController();
  connection: Promise<Connection | undefined> = Promise.resolve(undefined);
  done: Promise<void> = Promise.resolve();
  /** Whether the service has suspended its answer, so that continuing it is not a retry. */
  isSuspended = false;
  /** Id of the question whose answer is suspended, if the thread was only read. */
  suspended: string | undefined;
  /** Ends the wait for the next request. */
  retryNow: () => void = () => undefined;
  responses = 0;
  /** Whether the service has confirmed the question. */
  accepted = false;
  readonly #host: Host;
  /** Whether lines within the answer may be missing: a response skipped them, or they could not be decoded. */
  #gap = false;
  #quietEndings = 0;

  constructor(host: Host) {
    this.#host = host;
  }

  get isActive(): boolean {
    return this.phase !== 'stopped' && this.phase !== 'ended';
  }

  get stopped(): boolean {
    return this.phase === 'stopped';
  }

  /** Moves on, unless the user has stopped it. */
  enter(phase: Phase): void {
    if (!this.stopped) this.phase = phase;
  }

  /** @returns the phase in which it was stopped */
  stop(): Phase {
    const { phase } = this;
    this.phase = 'stopped';
    if (phase !== 'streaming') this.controller.abort();
    return phase;
  }

  /** @returns how its answer ended; never throws. An answer that was stopped meanwhile ends as `done`. */
  async run(connection: Connection, asked: Asked): Promise<'done' | 'aborted' | ChatError> {
    const { clock, giveUpAfter } = this.#host;
    const { delivered = 'no', windingUp = false } = asked;
    const policy = new RetryPolicy(() => clock.now(), giveUpAfter);
    this.accepted = delivered === 'yes';
    this.responses = delivered === 'no' ? 0 : 1;
    for (;;) {
      const held = currentTurn(this.#host.thread)?.items;
      const request = requestOn(connection, asked.request());
      const ending = await this.#connectOnce(connection, request, held);
      if (this.stopped) return 'done';
      if (ending.how === 'aborted') return 'aborted';
      const progressed = currentTurn(this.#host.thread)?.items !== held;
      const next = this.#after(policy, ending, { isRead: request.input === undefined, progressed, windingUp });
      if (next === 'done') {
        if (this.#gap && request.input !== undefined) {
          this.enter('answered');
          await backfill(this.#host, connection, requestOn(connection, asked.request()), this.controller.signal);
        }
        if (ending.how === 'complete') this.suspended = ending.suspended;
        return 'done';
      }
      if (typeof next !== 'number') return next;
      const until = clock.now() + next;
      const now = new Promise<void>((resolve) => (this.retryNow = resolve));
      await Promise.race([clock.sleep(next, this.controller.signal), now]);
      if (this.stopped) return 'done';
      // The network of a computer that wakes up is not back yet: don't give up because of the time before.
      if (clock.now() - until > ASLEEP) policy.restart();
      this.#host.dispatch([{ type: 'attached' }]);
    }
  }

  /** Of a stopped request, only the `chatId` is kept, which is needed to stop the answer on the service. */
  #dispatch(lines: readonly StreamLine[]): void {
    const time = this.#host.clock.now();
    if (!this.stopped) return this.#host.dispatch(lines.map((line) => ({ type: 'line', line, time })));
    for (const line of lines)
      if (line.kind === 'cutoff' && line.chatId !== undefined)
        this.#host.dispatch([{ type: 'named', chatId: line.chatId }]);
    if (this.#host.thread.chatId !== undefined) this.controller.abort();
  }

  async #connectOnce(
    { client, stallTimeout }: Connection,
    request: ChatRequest,
    held: readonly Item[] = [],
  ): Promise<Ending> {
    const { signal } = this.controller;
    let damaged = false;
    let skips = false;
    let last: ItemLine | undefined;
    this.responses += 1;
    const onLines = (lines: readonly StreamLine[], accepted: boolean): void => {
      this.accepted ||= accepted;
      for (const line of lines) {
        if (line.kind === 'unknown') damaged ||= line.damaged === true;
        if (!isItemLine(line)) continue;
        // `sort` increases from delta to delta, unless one was repeated or delayed.
        damaged ||= line.isDelta && (line.sort ?? Infinity) <= (last?.sort ?? -1);
        // A gap in the numbers after the question shows that the response does not start at its beginning.
        if (last?.role === 'user') skips = (line.sort ?? 0) - (last?.sort ?? 0) > 1;
        last = line;
      }
      this.#dispatch(lines);
    };
    this.enter('streaming');
    const ending = await readResponse({ client, request, stallTimeout, signal, onLines });
    this.enter('waiting');
    const { response } = this.#host.thread;
    const turn = response?.turns.find(({ id }) => id === request.messageId);
    const said = new Map(turn?.items.map((item) => [item.id, item]));
    if (said.size > 0 && this.responses > 1) {
      // Only a response that replays the question and all received items is certain to be without gaps.
      const isReplayed = (item: Item): boolean => said.has(item.id) && !contradicts(item, said.get(item.id));
      const repeats = held.length > 0 ? held.every(isReplayed) : !skips;
      this.#gap = response?.echo === undefined || !repeats;
    }
    this.#gap ||= damaged;
    return ending;
  }

  /** @returns what to do after a response: end, fail, or milliseconds to wait before the next request */
  #after(
    policy: RetryPolicy,
    ending: Ending,
    { isRead, progressed, windingUp }: { isRead: boolean; progressed: boolean; windingUp: boolean },
  ): 'done' | ChatError | number {
    const { clock, thread } = this.#host;
    const completeness = this.accepted ? completenessOf(thread) : 'open';
    if (!('error' in ending)) {
      this.#gap ||= this.responses > 1 && completeness !== 'whole';
      return 'done';
    }
    if (progressed) {
      policy.restart();
      this.#quietEndings = 0;
    }
    const { error } = ending;
    this.isSuspended ||= error.code === 'SUSPENDED' && error.kind === 'stalled';
    if (ending.how === 'early') {
      this.#quietEndings += 1;
      if (completeness === 'whole') return 'done';
      if (this.#quietEndings >= QUIET_ENDINGS) return completeness === 'plausible' ? 'done' : error;
    }
    const wait = policy.next(error, this.accepted, clock.random(), windingUp);
    // Don't stop if the thread is only read: another client's answer may still follow.
    if (!progressed && completeness === 'whole' && !isRead) return 'done';
    if (wait === undefined) return error;
    // No connection is lost: the next read follows another client's answer.
    if (error.kind === 'busy' && isRead) return Math.max(wait, POLL);
    const until = error.asksToWait ? { until: clock.now() + wait } : {};
    this.#host.dispatch([{ type: 'reconnecting', attempt: policy.attempt, ...until }]);
    return wait;
  }
}

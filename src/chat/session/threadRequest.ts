/**
 * One request of a thread, from connecting to the end of its answer: ask → stream → (reconnect)* → backfill. Every response
 * is requested with the same `messageId`, so the service attaches it to the answer that it is writing.
 */
import { ChatError, errorFromFetch } from '../../api/errors.ts';
import { contradicts } from '../../shared/thread/merge.ts';
import type { Item, QuestionContext, StopOutcome } from '../../shared/thread/model.ts';
import { completenessOf, currentTurn } from '../../shared/thread/turns.ts';
import { isItemLine, type ItemLine, type StreamLine } from '../../shared/wire/streamLines.ts';
import { requestOn, type Connect, type Connection } from '../connection/connection.ts';
import { backfill, type Host } from './backfill.ts';
import { requestFor, type Addressed } from './message.ts';
import { readResponse, type Ending } from './response.ts';
import { RetryPolicy } from './retry.ts';
import { abortOnService, PATIENCE } from './stop.ts';

export interface RequestOptions {
  connect: Connect;
  /** See `RetryPolicy`. */
  giveUpAfter?: number;
  /** Milliseconds that a stop waits for the id of a new thread, and for the service to confirm it; 8 s by default. */
  stopPatience?: number;
}

/** A question, or without one, a read of the thread. */
export interface Asked {
  question?: Parameters<typeof requestFor>[1];
  /** Whether the service may already have the question; `possibly` if a request with it was lost. */
  delivered?: 'no' | 'possibly' | 'yes';
  /** Whether the service may still be ending or stopping another answer. */
  windingUp?: boolean;
}

/** Minimum milliseconds between reads of a thread that another client's answer extends: each reads the whole thread. */
const POLL = 2000;
/** A wait that ends this many milliseconds late shows that the computer was asleep. */
const ASLEEP = 60_000;

/**
 * `connecting`: its question is not in the thread yet; `shown`: it waits for the stop of an earlier answer; `waiting`: the
 * service may be writing its answer, of which no response is read now; `streaming`: a response is read; `answered`: only
 * the backfill is left; `stopped`: by the user, whatever else happens.
 */
export type Phase = 'connecting' | 'shown' | 'waiting' | 'streaming' | 'answered' | 'stopped';

export class ThreadRequest {
  phase: Phase;
  /** The message that it asks, which returns to the composer if the service does not get it. */
  message: Addressed | undefined;
  connection: Promise<Connection | ChatError> | undefined;
  done: Promise<void> = Promise.resolve();
  /** Ends the wait for the next response. */
  retryNow: () => void = () => undefined;
  responses = 0;
  /** Whether the service has confirmed the question. */
  accepted = false;
  /** Id of the question whose answer the service has suspended, so that continuing it is not a retry. */
  suspended: string | undefined;
  readonly #host: Host;
  readonly #options: RequestOptions;
  /** Aborts its response, and its wait for the next one. A stopped response may go on until its thread has a `chatId`. */
  readonly #controller = new AbortController();
  /** Whether lines within the answer may be missing: a response skipped them, or they could not be decoded. */
  #gap = false;

  constructor(host: Host, options: RequestOptions, message?: Addressed) {
    this.#host = host;
    this.#options = options;
    this.message = message;
    this.phase = message ? 'connecting' : 'waiting';
  }

  get stopped(): boolean {
    return this.phase === 'stopped';
  }

  /** Moves on, unless the user has stopped it. */
  enter(phase: Phase): void {
    if (!this.stopped) this.phase = phase;
  }

  connect(context?: QuestionContext): Promise<Connection | ChatError> {
    return (this.connection = this.#options.connect(context).catch(errorFromFetch));
  }

  /** @returns the phase in which it was stopped */
  stop(): Phase {
    const { phase } = this;
    this.phase = 'stopped';
    if (phase !== 'streaming') this.#controller.abort();
    return phase;
  }

  /** Stops its answer on the service; a new thread gets its id with the first line of its stream. */
  async stopOnService(): Promise<StopOutcome> {
    const { stopPatience = PATIENCE } = this.#options;
    const { signal } = this.#controller;
    if (this.#host.thread.chatId === undefined)
      await Promise.race([this.done, this.#host.clock.sleep(stopPatience, signal)]);
    this.#controller.abort();
    const connection = await this.connection;
    const { chatId } = this.#host.thread;
    if (!connection || connection instanceof ChatError || chatId === undefined) return 'unreachable';
    return abortOnService(connection, chatId, stopPatience);
  }

  /** @returns how its answer ended; never throws. The ending of a stopped request means nothing. */
  async run(connection: Connection | ChatError, asked: Asked): Promise<Ending> {
    if (connection instanceof ChatError) return connection;
    const policy = new RetryPolicy(this.#host.clock, this.#options.giveUpAfter);
    const { question, delivered = 'no' } = asked;
    this.accepted = delivered === 'yes';
    this.responses = delivered === 'no' ? 0 : 1;
    while (!this.stopped) {
      const held = currentTurn(this.#host.thread)?.items;
      const ending = await this.#respond(connection, question, held);
      if (this.stopped) break;
      const progressed = currentTurn(this.#host.thread)?.items !== held;
      const next = ending instanceof ChatError ? this.#after(ending, policy, progressed, asked) : ending;
      if (typeof next === 'number') {
        await this.#pause(next, policy);
        continue;
      }
      if (next === 'complete' && question && this.#gap) {
        this.enter('answered');
        await backfill(this.#host, connection, this.#controller.signal);
      }
      return next;
    }
    return 'complete';
  }

  /** Reads one response, and notes what it shows of the answer. */
  async #respond(connection: Connection, question: Asked['question'], held: readonly Item[] = []): Promise<Ending> {
    const { client, stallTimeout } = connection;
    // Built for each response, because the thread may have received its `chatId` meanwhile.
    const request = requestOn(connection, requestFor(this.#host.thread, question));
    let last: ItemLine | undefined;
    let skips = false;
    const onLines = (lines: readonly StreamLine[]): void => {
      for (const line of lines) {
        if (line.kind === 'unknown') this.#gap ||= line.damaged === true;
        if (line.kind === 'cutoff' && !question) this.suspended = line.suspended;
        if (line.kind === 'suspended') {
          this.accepted = true;
          if (line.retryable) this.suspended ??= question?.id;
        }
        if (!isItemLine(line)) continue;
        // `sort` increases from delta to delta, unless one was repeated or delayed.
        this.#gap ||= line.isDelta && (line.sort ?? Infinity) <= (last?.sort ?? -1);
        // A gap in the numbers after the question shows that the response does not start at its beginning.
        if (last?.role === 'user') skips = (line.sort ?? 0) - (last.sort ?? 0) > 1;
        last = line;
      }
      this.#dispatch(lines);
    };
    this.responses += 1;
    this.enter('streaming');
    const ending = await readResponse({ client, request, stallTimeout, signal: this.#controller.signal, onLines });
    this.enter('waiting');
    const { asked, marked, echo, turns = [] } = this.#host.thread.response ?? {};
    const said = new Map(turns.find(({ id }) => id === asked?.id)?.items.map((item) => [item.id, item]));
    const isConfirmed = asked ? echo !== undefined || said.size > 0 : marked === true || turns.length > 0;
    this.accepted ||= isConfirmed;
    if (this.responses > 1 && (said.size > 0 || ending === 'complete')) {
      // Only a response that replays the question and all received items is certain to be without gaps.
      const isReplayed = (item: Item): boolean => said.has(item.id) && !contradicts(item, said.get(item.id));
      this.#gap ||= echo === undefined || (held.length > 0 ? !held.every(isReplayed) : skips || said.size === 0);
    }
    return ending;
  }

  /** Of a stopped request, only the `chatId` is kept, which is needed to stop the answer on the service. */
  #dispatch(lines: readonly StreamLine[]): void {
    const time = this.#host.clock.now();
    if (!this.stopped) return this.#host.dispatch(lines.map((line) => ({ type: 'line', line, time })));
    const chatId = lines.find((line) => line.kind === 'cutoff')?.chatId;
    if (chatId === undefined) return;
    this.#host.dispatch([{ type: 'named', chatId }]);
    this.#controller.abort();
  }

  /** @returns what to do after a failure: finish the answer nevertheless, fail, or milliseconds to wait before the next response */
  #after(error: ChatError, policy: RetryPolicy, progressed: boolean, { question, windingUp }: Asked): Ending | number {
    const { clock, thread } = this.#host;
    if (progressed) policy.restart();
    const completeness = this.accepted ? completenessOf(thread) : 'open';
    const isEarly = error.code === 'ENDED_EARLY';
    // Don't stop if the thread is only read: another client's answer may still follow.
    if (completeness === 'whole' && (isEarly || (question && !progressed))) return 'complete';
    const wait = policy.next(error, this.accepted, windingUp);
    if (wait === undefined) return isEarly && completeness === 'plausible' ? 'complete' : error;
    // No connection is lost: the next read follows another client's answer.
    if (error.kind === 'busy' && !question) return Math.max(wait, POLL);
    const until = error.asksToWait ? { until: clock.now() + wait } : {};
    this.#host.dispatch([{ type: 'reconnecting', attempt: policy.attempt, ...until }]);
    return wait;
  }

  /** Waits before the next response. */
  async #pause(wait: number, policy: RetryPolicy): Promise<void> {
    const { clock } = this.#host;
    const until = clock.now() + wait;
    const now = new Promise<void>((resolve) => (this.retryNow = resolve));
    await Promise.race([clock.sleep(wait, this.#controller.signal), now]);
    if (this.stopped) return;
    // The network of a computer that wakes up is not back yet: don't give up because of the time before.
    if (clock.now() - until > ASLEEP) policy.restart();
    this.#host.dispatch([{ type: 'attached' }]);
  }
}

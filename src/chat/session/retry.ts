/** Waits between the attempts of a request: short at first, then longer, and limited. */
import { errorFromFetch, type ChatError } from '../../api/errors.ts';
import type { Reconnecting } from '../../shared/thread/model.ts';
import { systemClock, type Clock } from './clock.ts';

/** Ceilings of the first waits, in milliseconds, with full jitter, so that clients don't all reconnect at once. */
const CEILINGS = [900, 1800, 3600, 7200, 14_400, 28_800];
/** Milliseconds of a later wait: that jitter has spread the clients, and an hour has at most 130 requests. */
const LATER = { least: 29_100, most: 30_000 };
const GIVE_UP_AFTER = 60 * 60_000;
/**
 * Milliseconds after which a question of a test is given up, because nobody watches it and a run must end. Until then,
 * it also waits for a service that allows fewer requests at once than the run has questions.
 */
export const TEST_GIVE_UP_AFTER = 5 * 60_000;
/** A question that was not delivered is not retried for an hour, because the user is waiting. */
const FRESH_ATTEMPTS = 4;
const FRESH_SILENCES = 2;
const FRESH_WAIT = 60_000;
/** Number of responses that end early without progress, after which the answer is not requested again. */
const QUIET_ENDINGS = 6;

/** Failures of the connection, not of the request. */
const PASSING: readonly ChatError['kind'][] = ['network', 'stalled', 'server', 'rateLimited'];
/** Failures of a request that was accepted before, from a service or gateway that is still restarting. */
const RESTARTING: readonly ChatError['kind'][] = ['busy', 'protocol'];
/** Failures that stay until the user changes the settings. */
const LASTING: readonly (string | undefined)[] = ['PROXY_AUTH', 'REDIRECT'];

const isPassing = ({ kind, code, untrusted, untimely }: ChatError, accepted: boolean): boolean =>
  !untrusted &&
  !LASTING.includes(code) &&
  (PASSING.includes(kind) || (accepted && (untimely || RESTARTING.includes(kind))));

/**
 * @param attempt 1 for the first reconnect
 * @param random a number in `[0, 1)`
 * @returns milliseconds to wait; at least what the service requested
 */
export function waitBefore(attempt: number, random: number, retryAfter = 0): number {
  const ceiling = CEILINGS[attempt - 1];
  const wait = ceiling === undefined ? LATER.least + (LATER.most - LATER.least) * random : ceiling * random;
  return Math.max(wait, retryAfter);
}

/** Counts the attempts since the last progress. */
export class RetryPolicy {
  attempt = 0;
  #earlyEndings = 0;
  /** Time of the first failure since the last restart: before it, nothing was wrong, or the computer was asleep. */
  #since = Infinity;
  readonly #clock: Clock;
  readonly #giveUpAfter: number | undefined;

  /**
   * @param giveUpAfter milliseconds of failures without progress, also for a new question that the service asks to send
   *   later; by default, an hour for an answer, and a few attempts for a new question
   */
  constructor(clock: Clock, giveUpAfter?: number) {
    this.#clock = clock;
    this.#giveUpAfter = giveUpAfter;
  }

  /** Restarts the backoff: the answer made progress, or the computer was asleep. */
  restart(): void {
    this.attempt = 0;
    this.#earlyEndings = 0;
    this.#since = Infinity;
  }

  /**
   * @param accepted whether the service has the question
   * @param windingUp whether the service may still be ending or stopping an earlier answer
   * @returns milliseconds until the next attempt, or `undefined` to give up
   */
  next(error: ChatError, accepted: boolean, windingUp = false): number | undefined {
    if (!isPassing(error, accepted) && !(windingUp && error.kind === 'busy')) return undefined;
    this.attempt += 1;
    if (error.code === 'ENDED_EARLY' && (this.#earlyEndings += 1) >= QUIET_ENDINGS) return undefined;
    const wait = waitBefore(this.attempt, this.#clock.random(), error.retryAfter);
    const attempts = error.kind === 'stalled' ? FRESH_SILENCES : FRESH_ATTEMPTS;
    const isWaitedFor = accepted || (this.#giveUpAfter !== undefined && error.asksToWait);
    if (!isWaitedFor && (this.attempt >= attempts || wait > FRESH_WAIT)) return undefined;
    const now = this.#clock.now();
    // Limit the outage even if the clock is set back.
    this.#since = Math.min(this.#since, now);
    return now - this.#since + wait > (this.#giveUpAfter ?? GIVE_UP_AFTER) ? undefined : wait;
  }
}

/** Statuses of gateways in front of a service that is restarting or busy. Status 500 is often an error in the query. */
const GATEWAY: readonly (number | undefined)[] = [502, 503, 504];
/** Codes of established connections that were lost. */
const LOST: readonly (string | undefined)[] = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'];

const isBrief = ({ status, code }: ChatError): boolean => GATEWAY.includes(status) || LOST.includes(code);

/**
 * Runs a request of a test, and runs it again after the time that the service asks to wait, as the session does with a
 * question: many tests reach the rate limit of a service more easily than a single user. A few times, it also runs again
 * after a failure of a gateway or a lost connection.
 * @param onReconnecting called before each wait
 * @throws the last failure if the service still refuses, and any other failure at once
 */
export async function withRetries<Result>(
  run: () => Promise<Result>,
  signal: AbortSignal,
  onReconnecting?: (reconnecting: Reconnecting) => void,
  clock = systemClock,
): Promise<Result> {
  const policy = new RetryPolicy(clock, TEST_GIVE_UP_AFTER);
  for (;;) {
    try {
      return await run();
    } catch (failure) {
      const error = errorFromFetch(failure);
      const wait = error.asksToWait || isBrief(error) ? policy.next(error, false) : undefined;
      if (wait === undefined) throw failure;
      onReconnecting?.({ attempt: policy.attempt, ...(error.asksToWait ? { until: clock.now() + wait } : {}) });
      await clock.sleep(wait, signal);
    }
  }
}

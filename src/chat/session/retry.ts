/** Backoff for retries: short at first, then longer, and limited. */
import type { ChatError } from '../../api/errors.ts';

const FIRST_WAIT = 900;
const LONGEST_WAIT = 30_000;
/**
 * Earlier jitter has already spread the clients, so later waits are nearly full, which limits an hour of retries to 130
 * requests.
 */
const PATIENT_FROM = 7;
const PATIENCE = 0.97;
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

/** @returns whether the failure concerns only the connection, not the request */
function isPassing(error: ChatError, accepted: boolean): boolean {
  switch (error.kind) {
    case 'network':
      return !error.untrusted && error.code !== 'PROXY_AUTH';
    case 'stalled':
    case 'server':
    case 'rateLimited':
      return true;
    // While attaching, these come from a service or gateway that is still restarting.
    case 'busy':
      return accepted;
    case 'protocol':
      return accepted && error.code !== 'REDIRECT';
    case 'badRequest':
      return accepted && error.untimely;
    default:
      return false;
  }
}

/**
 * Full jitter up to 30 s, so that clients don't all reconnect at once.
 * @param attempt 1 for the first reconnect
 * @param random a number in `[0, 1)`
 * @returns milliseconds to wait; at least what the service requested
 */
export function waitBefore(attempt: number, random: number, retryAfter = 0): number {
  const ceiling = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (attempt - 1));
  const share = attempt < PATIENT_FROM ? random : PATIENCE + (1 - PATIENCE) * random;
  return Math.max(ceiling * share, retryAfter);
}

/** Counts the attempts since the last restart. */
export class RetryPolicy {
  attempt = 0;
  /** Time of the first failure since the last restart: before it, nothing was wrong, or the computer was asleep. */
  #since = Infinity;
  readonly #now: () => number;
  readonly #giveUpAfter: number | undefined;

  /**
   * @param giveUpAfter milliseconds of failures without progress, also for a new question that the service asks to send
   *   later; by default, an hour for an answer, and a few attempts for a new question
   */
  constructor(now: () => number, giveUpAfter?: number) {
    this.#now = now;
    this.#giveUpAfter = giveUpAfter;
  }

  /** Restarts the backoff: the answer made progress, or the computer was asleep. */
  restart(): void {
    this.attempt = 0;
    this.#since = Infinity;
  }

  /**
   * @param accepted whether the service has the question
   * @param windingUp whether the service may still be ending or stopping an earlier answer
   * @returns milliseconds until the next attempt, or `undefined` to give up
   */
  next(error: ChatError, accepted: boolean, random: number, windingUp = false): number | undefined {
    if (!isPassing(error, accepted) && !(windingUp && error.kind === 'busy')) return undefined;
    this.attempt += 1;
    const wait = waitBefore(this.attempt, random, error.retryAfter);
    const attempts = error.kind === 'stalled' ? FRESH_SILENCES : FRESH_ATTEMPTS;
    const isWaitedFor = accepted || (this.#giveUpAfter !== undefined && error.asksToWait);
    if (!isWaitedFor && (this.attempt >= attempts || wait > FRESH_WAIT)) return undefined;
    const now = this.#now();
    // Limit the outage even if the clock is set back.
    this.#since = Math.min(this.#since, now);
    return now - this.#since + wait > (this.#giveUpAfter ?? GIVE_UP_AFTER) ? undefined : wait;
  }
}

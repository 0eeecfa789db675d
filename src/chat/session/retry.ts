/** When a lost answer is asked for again: soon at first, then ever more patiently, and not for ever. */
import type { ChatError } from '../../api/errors.ts';

const FIRST_WAIT = 900;
const LONGEST_WAIT = 30_000;
/** From this attempt on everyone's waits are spread already; nearly full ones keep an hour at 130 requests. */
const PATIENT_FROM = 7;
const PATIENCE = 0.97;
const GIVE_UP_AFTER = 60 * 60_000;
/** A question that never reached the service is not worth an hour: its author is waiting. */
const FRESH_ATTEMPTS = 4;
const FRESH_SILENCES = 2;
const FRESH_WAIT = 60_000;

/** @returns whether the failure says something about the connection only, not about the request */
function isPassing(error: ChatError, begun: boolean): boolean {
  switch (error.kind) {
    case 'network':
      return !error.untrusted && error.code !== 'PROXY_AUTH';
    case 'stalled':
    case 'server':
    case 'rateLimited':
      return true;
    // While attaching, these come from a service or gateway that is not itself again yet.
    case 'busy':
      return begun;
    case 'protocol':
      return begun && error.code !== 'REDIRECT';
    case 'badRequest':
      return begun && error.untimely;
    default:
      return false;
  }
}

/**
 * Full jitter up to 30 s: everyone who lost the service at once must not return at once.
 * @param attempt 1 for the first re-attach
 * @param random a number from 0 up to 1
 * @returns milliseconds to wait; at least what the service asked for
 */
export function waitBefore(attempt: number, random: number, retryAfter = 0): number {
  const ceiling = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (attempt - 1));
  const share = attempt < PATIENT_FROM ? random : PATIENCE + (1 - PATIENCE) * random;
  return Math.max(ceiling * share, retryAfter);
}

/** Counts the attempts since the answer last went on. */
export class RetryPolicy {
  attempt = 0;
  #since: number;
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
    this.#since = now();
  }

  /** The answer went on: the next loss is a first one again. */
  progressed(): void {
    this.attempt = 0;
    this.#since = this.#now();
  }

  /**
   * @param begun whether the service has taken the question
   * @param windingUp whether the service was told to stop an answer just before
   * @returns milliseconds until the next attempt, or `undefined` when there should be none
   */
  next(error: ChatError, begun: boolean, random: number, windingUp = false): number | undefined {
    if (!isPassing(error, begun) && !(windingUp && error.kind === 'busy')) return undefined;
    this.attempt += 1;
    const wait = waitBefore(this.attempt, random, error.retryAfter);
    const attempts = error.kind === 'stalled' ? FRESH_SILENCES : FRESH_ATTEMPTS;
    if (!begun && (this.attempt >= attempts || wait > FRESH_WAIT)) return undefined;
    const now = this.#now();
    // A clock that is set back makes no outage longer than that.
    this.#since = Math.min(this.#since, now);
    return now - this.#since + wait > GIVE_UP_AFTER ? undefined : wait;
  }
}

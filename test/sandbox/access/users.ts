/** Users provisioned by the chat API (2.2 and part 8): ephemeral by default, and limited in number. */
import { badRequest } from '../http/failures.ts';

const DEFAULT_TTL_SECONDS = 7 * 24 * 3600;

export interface UserRegistryOptions {
  /** The current time in Unix milliseconds. */
  now: () => number;
  /** Maximum number of non-ephemeral external users. */
  persistentLimit: number;
  /** Called with the owner name of a removed user. */
  onRemoved: (owner: string) => void;
}

export class UserRegistry {
  readonly #permanent = new Set<string>();
  /** With the time when each expires, in Unix milliseconds. */
  readonly #ephemeral = new Map<string, number>();
  readonly #options: UserRegistryOptions;

  constructor(options: UserRegistryOptions) {
    this.#options = options;
  }

  /**
   * Finds or creates a user. Later requests can shorten the life of an ephemeral user or make it permanent, but not
   * extend it.
   * @returns the owner name for threads
   * @throws HttpFailure 400 if the limit of permanent users is reached
   */
  provision(externalId: string, settings: { isEphemeral?: boolean; ephemeralTtlSeconds?: number } = {}): string {
    this.removeExpired();
    const owner = `external:${externalId}`;
    const { isEphemeral = true, ephemeralTtlSeconds = DEFAULT_TTL_SECONDS } = settings;
    if (this.#permanent.has(owner)) return owner;
    if (isEphemeral) {
      const end = this.#options.now() + ephemeralTtlSeconds * 1000;
      this.#ephemeral.set(owner, Math.min(end, this.#ephemeral.get(owner) ?? end));
      return owner;
    }
    if (this.#permanent.size >= this.#options.persistentLimit)
      throw badRequest(`The account has reached its limit of ${this.#options.persistentLimit} external users`);
    this.#ephemeral.delete(owner);
    this.#permanent.add(owner);
    return owner;
  }

  /** Removes expired users and their threads. */
  removeExpired(): void {
    const now = this.#options.now();
    for (const [owner, expiresAt] of this.#ephemeral)
      if (expiresAt <= now) {
        this.#ephemeral.delete(owner);
        this.#options.onRemoved(owner);
      }
  }
}

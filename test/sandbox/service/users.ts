/** Users that the chat API provisions (2.2 and part 8): ephemeral unless told otherwise, and bounded in number. */
import { badRequest } from './failures.ts';

const DEFAULT_TTL_SECONDS = 7 * 24 * 3600;

interface ExternalUser {
  /** Milliseconds since 1970; `undefined` for a user who stays. */
  expiresAt: number | undefined;
}

export interface UserRegistryOptions {
  /** Milliseconds since 1970. */
  now: () => number;
  /** Non-ephemeral external users of the account. */
  persistentLimit: number;
  /** Called with the owner's name when a user is gone. */
  onRemoved: (owner: string) => void;
}

export class UserRegistry {
  readonly #users = new Map<string, ExternalUser>();
  readonly #options: UserRegistryOptions;

  constructor(options: UserRegistryOptions) {
    this.#options = options;
  }

  /**
   * Finds or makes the user. An ephemeral user never lives longer than was first said, whatever later requests say.
   * @returns the name that threads are owned by
   * @throws HttpFailure 400 when the account is full
   */
  provision(externalId: string, settings: { isEphemeral?: boolean; ephemeralTtlSeconds?: number } = {}): string {
    this.removeExpired();
    const owner = `external:${externalId}`;
    const { isEphemeral = true, ephemeralTtlSeconds = DEFAULT_TTL_SECONDS } = settings;
    const known = this.#users.get(owner);
    const staysAlready = known !== undefined && known.expiresAt === undefined;
    if (!isEphemeral && !staysAlready && this.persistentCount >= this.#options.persistentLimit)
      throw badRequest(`The account has reached its limit of ${this.#options.persistentLimit} external users`);
    const end = this.#options.now() + ephemeralTtlSeconds * 1000;
    const expiresAt = !isEphemeral || staysAlready ? undefined : Math.min(end, known?.expiresAt ?? end);
    this.#users.set(owner, { expiresAt });
    return owner;
  }

  /** Takes away the users whose time is over, and with them their threads. */
  removeExpired(): void {
    const now = this.#options.now();
    for (const [owner, { expiresAt }] of this.#users)
      if (expiresAt !== undefined && expiresAt <= now) {
        this.#users.delete(owner);
        this.#options.onRemoved(owner);
      }
  }

  get persistentCount(): number {
    return [...this.#users.values()].filter(({ expiresAt }) => expiresAt === undefined).length;
  }
}

/** What the service is made of, apart from HTTP. */
import { FaultQueue } from '../faults/queue.ts';
import { Authenticator, type TokenValidation } from './authentication.ts';
import type { Branches } from './branches.ts';
import { FlakyReplica } from './flaky.ts';
import { loadPolicies } from './policies.ts';
import { ThreadStore } from './threads.ts';
import { UserRegistry } from './users.ts';

/** How a request with a known `messageId` is attached to its run (3.2). */
export type AttachMode =
  /** All lines of the run again, from its start. */
  | 'replay'
  /** From the first line that the last connection did not carry in full. */
  | 'continue'
  /** Only what comes from now on. */
  | 'live'
  /** The run from its start, with each message's deltas so far in one. */
  | 'prefix';

export interface ServiceOptions {
  apiKey?: string;
  /** Service tokens are refused unless this says how to validate them. */
  serviceTokens?: TokenValidation;
  /** Milliseconds from line to line of an answer. */
  pace?: number;
  attach?: AttachMode;
  /** Whether reasoning is sent. */
  developmentMode?: boolean;
  /** Non-ephemeral external users of the account. */
  persistentUserLimit?: number;
  /** Whether one question is answered wrongly now and then; see `flaky.ts`. */
  flaky?: boolean;
  /** Milliseconds since 1970, for the lives of ephemeral users. */
  now?: () => number;
}

/** The key that the demo uses. */
export const DEFAULT_API_KEY = 'sandbox-key';
const PERSISTENT_USER_LIMIT = 10_000;
const NATURAL_PACE_MS = 35;

export interface Service {
  branches: Branches;
  threads: ThreadStore;
  users: UserRegistry;
  authenticator: Authenticator;
  faults: FaultQueue;
  apiKey: string;
  pace: number;
  attach: AttachMode;
  developmentMode: boolean;
  flakyReplica: FlakyReplica | undefined;
}

export async function createService(branches: Branches, options: ServiceOptions): Promise<Service> {
  const { apiKey = DEFAULT_API_KEY, serviceTokens } = options;
  const policies = await loadPolicies();
  const threads = new ThreadStore();
  const users = new UserRegistry({
    now: options.now ?? Date.now,
    persistentLimit: options.persistentUserLimit ?? PERSISTENT_USER_LIMIT,
    onRemoved: (owner) => threads.removeOf(owner),
  });
  return {
    branches,
    threads,
    users,
    authenticator: new Authenticator({ apiKey, policies, users, ...(serviceTokens ? { serviceTokens } : {}) }),
    faults: new FaultQueue(),
    apiKey,
    pace: options.pace ?? NATURAL_PACE_MS,
    attach: options.attach ?? 'replay',
    developmentMode: options.developmentMode ?? true,
    flakyReplica: options.flaky === true ? new FlakyReplica() : undefined,
  };
}

/** The state of the service, independent of HTTP. */
import { FaultQueue } from '../faults/queue.ts';
import { Authenticator, type TokenValidation } from '../access/authentication.ts';
import type { Branch, Branches } from './branches.ts';
import { FlakyQuestion } from './flaky.ts';
import { OddAnswers } from '../agent/odd.ts';
import { Policies } from '../access/policies.ts';
import { ThreadStore } from './threads.ts';
import { UserRegistry } from '../access/users.ts';

/** How a request with a known `messageId` is attached to its run (3.2). */
export type AttachMode =
  /** All lines of the run from its start. */
  | 'replay'
  /** From the first line that was not fully sent to the last connection. */
  | 'continue'
  /** New lines only. */
  | 'live'
  /** The run from its start, with the deltas of each message so far merged. */
  | 'prefix';

export interface ServiceOptions {
  apiKey?: string;
  /** How service tokens are validated; without it they are rejected. */
  serviceTokens?: TokenValidation;
  /** Milliseconds between the lines of an answer. */
  pace?: number;
  /** Whether thinking is sent. */
  developmentMode?: boolean;
  /** Maximum number of non-ephemeral external users. */
  persistentUserLimit?: number;
  /** File with the row-level security, read again whenever it changes; defaults to `model/policies.yml`. */
  policies?: string | undefined;
  /** Whether all questions of a thread must be on the branch of its first one. */
  pinsBranches?: boolean;
  /** Whether one question sometimes gets a wrong answer; see `flaky.ts`. */
  flaky?: boolean;
  /** The share of answers with an error of the agent, from 0 to 1, and the seed of the errors. */
  errors?: { share: number; seed: number };
  /** The current time in Unix milliseconds, for the expiry of ephemeral users. */
  now?: () => number;
}

/** The API key of the demo. */
const DEFAULT_API_KEY = 'sandbox-key';
const PERSISTENT_USER_LIMIT = 10_000;
const NATURAL_PACE_MS = 35;

export interface Service {
  branches: Branches;
  threads: ThreadStore;
  authenticator: Authenticator;
  faults: FaultQueue;
  apiKey: string;
  pace: number;
  attach: AttachMode;
  developmentMode: boolean;
  pinsBranches: boolean;
  flakyQuestion: FlakyQuestion | undefined;
  oddAnswers: OddAnswers | undefined;
}

/** @returns the branch of a request; `undefined` if it does not exist, or a fault says that it is not served yet */
export const branchOf = (
  { branches, faults }: Service,
  { activeBranchName, isDefaultBranch }: { activeBranchName?: string; isDefaultBranch: boolean },
): Branch | undefined =>
  faults.refuses(activeBranchName) ? undefined : branches.find(activeBranchName, isDefaultBranch);

export function createService(branches: Branches, options: ServiceOptions): Service {
  const { apiKey = DEFAULT_API_KEY, serviceTokens } = options;
  const policies = new Policies(options.policies);
  const threads = new ThreadStore();
  const users = new UserRegistry({
    now: options.now ?? Date.now,
    persistentLimit: options.persistentUserLimit ?? PERSISTENT_USER_LIMIT,
    onRemoved: (owner) => threads.removeOf(owner),
  });
  return {
    branches,
    threads,
    authenticator: new Authenticator({ apiKey, policies, users, ...(serviceTokens ? { serviceTokens } : {}) }),
    faults: new FaultQueue(),
    apiKey,
    pace: options.pace ?? NATURAL_PACE_MS,
    attach: 'replay',
    developmentMode: options.developmentMode ?? true,
    pinsBranches: options.pinsBranches ?? false,
    flakyQuestion: options.flaky === true ? new FlakyQuestion() : undefined,
    oddAnswers: options.errors && new OddAnswers(options.errors.share, options.errors.seed),
  };
}

/** Messages between the extension host and the page that asks one question as several identities. */
import { isFields } from '../text/checks.ts';

export type IdentityState = 'waiting' | 'asking' | 'answered' | 'failed' | 'canceled';

/** A column of the page: an identity with the state of its answer. */
export interface AskedIdentity {
  name: string;
  state: IdentityState;
  /** Row count of the answer, or why there is none; may be empty. */
  message: string;
}

export interface IdentityCell {
  /** Formatted value; null for SQL null, absent if the result lacks the column. */
  text?: string | null;
  /** Whether it differs from the first result. */
  differs?: boolean;
  /** Whether the identity must not see its row. */
  isForbidden?: boolean;
}

interface IdentityRow {
  /** Values of the dimensions. */
  key: readonly (string | null)[];
  /** For each identity, one cell for each measure; null if it does not see the row. */
  cells: readonly (readonly IdentityCell[] | null)[];
}

/** The results of all identities, aligned. */
export interface IdentityTable {
  dimensions: readonly string[];
  measures: readonly { name: string; isNumber: boolean }[];
  /** At most as many as the page shows. */
  rows: readonly IdentityRow[];
  totalRows: number;
}

/** A finding of the access tests of the workspace. */
export interface AccessNote {
  /** `forbidden` if an identity sees rows that it must not see. */
  kind: 'forbidden' | 'unproven' | 'unknown';
  text: string;
}

export interface EveryoneState {
  question: string;
  /** Display name of the branch. */
  branch: string;
  identities: readonly AskedIdentity[];
  table: IdentityTable;
  notes: readonly AccessNote[];
  isRunning: boolean;
}

/** The complete state; `l10n` is sent once. */
export type ToEveryone = { type: 'everyone'; state: EveryoneState; l10n?: Record<string, string> };

/** @returns whether a message received by the page is from the host; other frames can post to the page too */
export const isToEveryone = (message: unknown): message is ToEveryone =>
  isFields(message) && message.type === 'everyone' && isFields(message.state);

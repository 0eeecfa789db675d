/**
 * Messages between the extension host and the page of a run: questions × contexts. The page of one question can show its
 * answers side by side. Each side shows a thread, so its messages are those of `chat.ts`, in an envelope with the index of
 * the context.
 */
import { isFields, isTyped, text, type Check } from '../text/checks.ts';
import { plural } from '../text/l10n.ts';
import type { ModelMember } from '../wire/toolPayloads.ts';
import { isFromWebview } from './fromWebview.ts';
import { isToWebview, type FromWebview, type ToWebview } from './chat.ts';
import { VERDICT_STATUSES } from './verdicts.ts';

/** Where and as whom a question is asked, for display. */
export interface RunContext {
  branch: string;
  identity: string;
}

/** @returns a label for each context: the branch or the identity, whichever differs, or both */
export function contextLabels(contexts: readonly RunContext[]): string[] {
  const isOne = (values: readonly string[]): boolean => new Set(values).size === 1;
  if (isOne(contexts.map(({ identity }) => identity))) return contexts.map(({ branch }) => branch);
  if (isOne(contexts.map(({ branch }) => branch))) return contexts.map(({ identity }) => identity);
  return contexts.map(({ branch, identity }) => `${branch} · ${identity}`);
}

/** The states of a row, in the order of the filters. */
export const ROW_STATES = [...VERDICT_STATUSES, 'asking', 'waiting'] as const;
export type RowState = (typeof ROW_STATES)[number];

export const CELL_STATES = ['waiting', 'asking', 'answered', 'failed', 'canceled'] as const;

/** A question in one context. */
export interface RunCell {
  state: (typeof CELL_STATES)[number];
  /** Row count of the answer, or why there is none; may be empty. */
  message: string;
  /** Whether there is a chat to open. */
  canOpen: boolean;
}

export interface RunRow {
  name: string;
  text: string;
  state: RowState;
  /** How the answers differ: rows or columns, numbers in the same rows, or only the SQL of the same rows. */
  change?: 'rows' | 'numbers' | 'sql';
  /** Why the state is not `same`; may be empty. */
  message: string;
  cells: readonly RunCell[];
  /** Whether there are answers to open side by side. */
  canOpen: boolean;
  /** Whether the last answer can become the expected result. */
  canAccept: boolean;
}

/** Whether a question, or its answer in one context, is still to come. */
export const isOpen = ({ state }: RunRow | RunCell): boolean => state === 'waiting' || state === 'asking';

export interface RunState {
  isRunning: boolean;
  /** The result in one line; before and during the run, what it costs at most. */
  summary: string;
}

export interface RunPage extends RunState {
  title: string;
  contexts: readonly RunContext[];
  rows: readonly RunRow[];
  /** Whether the only question is shown with its answers side by side. */
  hasSides: boolean;
  canAskAgain: boolean;
  comparison: RunComparison;
}

export type RowStatus = 'same' | 'changed' | 'added' | 'removed';

export interface ShownValue {
  /** Formatted value; null for SQL null, absent if the context lacks the row or the column. */
  text?: string | null;
  /** Whether it differs from the first context. */
  isChanged?: boolean;
  /** Whether the identity must not see its row. */
  isForbidden?: boolean;
}

/** The values of a measure in a row, one for each context. */
export interface ShownCell {
  values: readonly ShownValue[];
  /** The second value minus the first, with its sign, if there are two contexts. */
  absolute?: string;
  /** The difference in percent of the first value, with its sign. */
  percent?: string;
}

export interface ShownRow {
  status: RowStatus;
  /** Values of the dimension columns. */
  key: readonly (string | null)[];
  /** One for each measure column. */
  cells: readonly ShownCell[];
}

/** The results of all contexts, aligned in one table. */
export interface ShownComparison {
  dimensions: readonly string[];
  measures: readonly { name: string; isNumber: boolean }[];
  rows: readonly ShownRow[];
  /** Number of rows by status; `rows` may be capped and hold fewer. */
  counts: Readonly<Record<RowStatus, number>>;
  /** At least one result has more rows than its answer contains. */
  isPartial: boolean;
  /** Number of significant digits at which measures were compared; absent for all digits. */
  precision?: number;
}

/** @returns a sentence that says how measures were compared */
export const precisionNote = (precision: number): string =>
  plural(precision, 'Amounts are compared at {0} significant digit.|Amounts are compared at {0} significant digits.');

/** A line of a diff of two texts. */
export interface DiffLine {
  side: 'both' | 'left' | 'right';
  text: string;
}

/** SQL that differs from that of the first context. */
export interface SqlDifference {
  /** Indexes of the contexts that ran it. */
  contexts: readonly number[];
  lines: readonly DiffLine[];
}

/** The queries at the same position in the answers. */
export interface ComparedQuery {
  title: string;
  /** Empty if the queries are equal. */
  sql: readonly SqlDifference[];
  /** Absent until there are results to compare. */
  results?: ShownComparison;
}

/** A member whose definition differs between the models of the contexts. */
export interface ChangedMember {
  name: string;
  /** One for each context; absent if the answer did not look it up. */
  definitions: readonly (ModelMember | undefined)[];
  /** For each context, whether its definition differs from the first one. */
  isChanged: readonly boolean[];
}

/** A finding of the access tests of the workspace. */
export interface AccessNote {
  /** `forbidden` if an identity sees rows that it must not see. */
  kind: 'forbidden' | 'unproven' | 'unknown';
  text: string;
}

/** The comparison of the answers to the only question. */
export interface RunComparison {
  queries: readonly ComparedQuery[];
  members: readonly ChangedMember[];
  notes: readonly AccessNote[];
}

export type ToRuns =
  /** The complete state; `remember` is that from which the tab is restored after a restart. */
  | { type: 'runs'; page: RunPage; remember: unknown; l10n: Record<string, string> }
  | { type: 'page'; change: Partial<RunPage> }
  | { type: 'row'; index: number; row: RunRow }
  | { type: 'side'; context: number; message: ToWebview };

export type FromRuns =
  /** Asks for the complete state. */
  | { type: 'ready' }
  | { type: 'cancel' }
  | { type: 'askAgain' }
  /** Exports the comparison of the only question, or the list of all. */
  | { type: 'export' }
  /** Opens the answers to a question side by side. */
  | { type: 'openRow'; row: number }
  /** Makes the last answer to a question its expected result. */
  | { type: 'accept'; row: number }
  /** Opens the thread of a cell in the chat view. */
  | { type: 'openCell'; row: number; context: number }
  | { type: 'problem'; text: string }
  | { type: 'side'; context: number; message: FromWebview };

const index: Check = (value) => Number.isInteger(value) && (value as number) >= 0;

const fromRuns: { [T in FromRuns['type']]: Record<string, Check> } = {
  ready: {},
  cancel: {},
  askAgain: {},
  export: {},
  openRow: { row: index },
  accept: { row: index },
  openCell: { row: index, context: index },
  problem: { text },
  side: { context: index, message: isFromWebview },
};
const toRuns: { [T in ToRuns['type']]: Record<string, Check> } = {
  runs: { page: isFields },
  page: { change: isFields },
  row: { row: isFields },
  side: { context: index, message: isToWebview },
};

/** @returns whether a message from the page is a `FromRuns` with every field as declared */
export const isFromRuns = (message: unknown): message is FromRuns => isTyped(fromRuns, message);

/** @returns whether a message received by the page is from the host; other frames can post to the page too */
export const isToRuns = (message: unknown): message is ToRuns => isTyped(toRuns, message);

/**
 * Messages between the extension host and the comparison page. Each side of the page shows a thread, so its messages
 * are those of `chat.ts`, wrapped in an envelope that names the side.
 */
import { isFields } from '../text/checks.ts';
import { plural } from '../text/l10n.ts';
import type { ModelMember } from '../wire/toolPayloads.ts';
import { isFromWebview } from './fromWebview.ts';
import { isToWebview, type FromWebview, type ToWebview } from './chat.ts';

export type SideName = 'left' | 'right';
export const SIDES: readonly SideName[] = ['left', 'right'];

/** The branch and identity that a side's question is sent with. */
export interface SideHead {
  branch: string;
  identity: string;
}

export interface CompareHeads {
  question: string;
  left: SideHead;
  right: SideHead;
}

/** @returns a label for each side: the branch or the identity, whichever differs, or both */
export function sideLabels({ left, right }: CompareHeads): Record<SideName, string> {
  const label = ({ branch, identity }: SideHead): string =>
    left.identity === right.identity ? branch : left.branch === right.branch ? identity : `${branch} · ${identity}`;
  return { left: label(left), right: label(right) };
}

export type RowStatus = 'same' | 'changed' | 'added' | 'removed';

/** A formatted value on both sides; undefined if a side does not have it, null for SQL null. */
export interface ShownCell {
  left?: string | null;
  right?: string | null;
  isChanged: boolean;
  /** Right minus left, with its sign. */
  absolute?: string;
  /** The difference in percent of the left value, with its sign. */
  percent?: string;
}

export interface ShownRow {
  status: RowStatus;
  /** Values of the dimension columns. */
  key: readonly (string | null)[];
  /** One for each measure column. */
  cells: readonly ShownCell[];
}

/** The results of both sides, aligned in one table. */
export interface ShownComparison {
  dimensions: readonly string[];
  measures: readonly { name: string; isNumber: boolean }[];
  rows: readonly ShownRow[];
  /** Number of rows by status; `rows` may be capped and hold fewer. */
  counts: Readonly<Record<RowStatus, number>>;
  /** At least one side has more rows than its answer contains. */
  isPartial: boolean;
  /** Number of significant digits at which measures were compared; absent for all digits. */
  precision?: number;
}

/** @returns a sentence that says how measures were compared */
export const precisionNote = (precision: number): string =>
  plural(precision, 'Amounts are compared at {0} significant digit.|Amounts are compared at {0} significant digits.');

/** A line of a diff of two texts. */
export interface DiffLine {
  side: 'both' | SideName;
  text: string;
}

/** A query of the left answer and the query at the same position in the right answer. */
export interface ComparedQuery {
  title: string;
  /** Empty if the queries are equal. */
  sql: readonly DiffLine[];
  /** Absent until both sides have results. */
  results?: ShownComparison;
}

/** A member whose definition differs between the models of the two sides. */
export interface ChangedMember {
  name: string;
  left: ModelMember;
  right: ModelMember;
}

export type ToCompare =
  /** `remember` is the state from which the tab is restored after a restart. */
  | { type: 'heads'; heads: CompareHeads; remember: unknown }
  | { type: 'compared'; queries: readonly ComparedQuery[]; members: readonly ChangedMember[] }
  | { type: 'side'; side: SideName; message: ToWebview };

export type FromCompare =
  | { type: 'ready' }
  | { type: 'exportComparison' }
  /** Opens a side's thread in the chat view. */
  | { type: 'openThread'; side: SideName }
  | { type: 'problem'; text: string }
  | { type: 'side'; side: SideName; message: FromWebview };

const isSide = (value: unknown): value is SideName => value === 'left' || value === 'right';

/** @returns whether a message from the page is a `FromCompare` with every field as declared */
export function isFromCompare(message: unknown): message is FromCompare {
  if (!isFields(message)) return false;
  switch (message.type) {
    case 'ready':
    case 'exportComparison':
      return true;
    case 'openThread':
      return isSide(message.side);
    case 'problem':
      return typeof message.text === 'string';
    case 'side':
      return isSide(message.side) && isFromWebview(message.message);
    default:
      return false;
  }
}

/** @returns whether a message received by the page is from the host; other frames can post to the page too */
export function isToCompare(message: unknown): message is ToCompare {
  if (!isFields(message)) return false;
  switch (message.type) {
    case 'heads':
    case 'compared':
      return true;
    case 'side':
      return isSide(message.side) && isToWebview(message.message);
    default:
      return false;
  }
}

/**
 * The messages between the extension host and the page of a comparison. Each side of the page is a view of a thread,
 * so its messages are those of a view (`protocol.ts`), sent in an envelope that names the side.
 */
import { isFields } from '../text/checks.ts';
import type { ModelMember } from '../wire/toolPayloads.ts';
import { isFromWebview } from './fromWebview.ts';
import { isToWebview, type FromWebview, type ToWebview } from './chat.ts';

export type SideName = 'left' | 'right';
export const SIDES: readonly SideName[] = ['left', 'right'];

/** Where a side's question is asked. */
export interface SideHead {
  branch: string;
  identity: string;
}

export interface CompareHeads {
  question: string;
  left: SideHead;
  right: SideHead;
}

/** @returns what tells the sides apart: the branch or the identity, and where both differ, both */
export function sideLabels({ left, right }: CompareHeads): Record<SideName, string> {
  const label = ({ branch, identity }: SideHead): string =>
    left.identity === right.identity ? branch : left.branch === right.branch ? identity : `${branch} · ${identity}`;
  return { left: label(left), right: label(right) };
}

export type RowStatus = 'same' | 'changed' | 'added' | 'removed';

/** A value on both sides as it is shown; undefined where a side does not have it, the empty string for null. */
export interface ShownCell {
  left?: string;
  right?: string;
  isChanged: boolean;
  /** Right minus left, with its sign. */
  absolute?: string;
  /** The same in percent of the left value, with its sign. */
  percent?: string;
}

export interface ShownRow {
  status: RowStatus;
  /** Values of the dimension columns. */
  key: readonly string[];
  /** One for each measure column. */
  cells: readonly ShownCell[];
}

/** The results of both sides as one table. */
export interface ShownComparison {
  dimensions: readonly string[];
  measures: readonly { name: string; isNumber: boolean }[];
  rows: readonly ShownRow[];
  /** Rows that differ, or not, all told; `rows` may hold fewer. */
  counts: Readonly<Record<RowStatus, number>>;
  /** A side has more rows than came with its answer. */
  isPartial: boolean;
}

/** A line of two texts laid over each other. */
export interface DiffLine {
  side: 'both' | SideName;
  text: string;
}

/** A query of the left answer beside the query of the right answer that has the same place in it. */
export interface ComparedQuery {
  title: string;
  /** Empty while the queries do not differ. */
  sql: readonly DiffLine[];
  /** Absent until both sides have results. */
  results?: ShownComparison;
}

/** A member of the model under one name, as each side's model defines it. */
export interface ChangedMember {
  name: string;
  left: ModelMember;
  right: ModelMember;
}

export type ToCompare =
  /** `remember` is what brings the tab back after a restart. */
  | { type: 'heads'; heads: CompareHeads; remember: unknown }
  | { type: 'compared'; queries: readonly ComparedQuery[]; members: readonly ChangedMember[] }
  | { type: 'side'; side: SideName; message: ToWebview };

export type FromCompare =
  | { type: 'ready' }
  | { type: 'exportComparison' }
  /** Goes on with a side's thread in the chat. */
  | { type: 'openThread'; side: SideName }
  | { type: 'side'; side: SideName; message: FromWebview };

const isSide = (value: unknown): value is SideName => value === 'left' || value === 'right';

/** @returns whether a message that arrived from the page is one of ours, with every field as declared */
export function isFromCompare(message: unknown): message is FromCompare {
  if (!isFields(message)) return false;
  switch (message.type) {
    case 'ready':
    case 'exportComparison':
      return true;
    case 'openThread':
      return isSide(message.side);
    case 'side':
      return isSide(message.side) && isFromWebview(message.message);
    default:
      return false;
  }
}

/** @returns whether a message that arrived in the page comes from the host; other frames may post here too */
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

/** Messages between the extension host and the page that compares the answers of a set of questions on two branches. */
import { isFields } from '../text/checks.ts';
import { VERDICT_STATUSES } from './verdicts.ts';

/** The states of a row, in the order of the filters. */
export const ROW_STATES = [...VERDICT_STATUSES, 'asking', 'waiting'] as const;
export type RowState = (typeof ROW_STATES)[number];

/** A row of the page: a question with the state of its answers. */
export interface AnswerRow {
  name: string;
  text: string;
  state: RowState;
  /** How the answers differ: rows or columns, numbers in the same rows, or only the SQL of the same rows. */
  change?: 'rows' | 'numbers' | 'sql';
  /** Why the state is not `same`; may be empty. */
  message: string;
}

/** @returns whether there are two answers to open side by side */
export const canOpen = ({ state }: AnswerRow): boolean =>
  state !== 'asking' && state !== 'waiting' && state !== 'canceled';

export interface RunState {
  isRunning: boolean;
  /** The result in one line; during the run, what it costs at most. */
  summary: string;
}

export type ToAnswers =
  /** The complete state. */
  | ({
      type: 'answers';
      /** Names of the branches. */
      left: string;
      right: string;
      rows: readonly AnswerRow[];
      l10n: Record<string, string>;
    } & RunState)
  | { type: 'row'; index: number; row: AnswerRow }
  | ({ type: 'run' } & RunState);

/** @returns whether a message received by the page is from the host; other frames can post to the page too */
export function isToAnswers(message: unknown): message is ToAnswers {
  return isFields(message) && (message.type === 'answers' || message.type === 'row' || message.type === 'run');
}

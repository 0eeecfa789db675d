/** Messages between the extension host and the editor tab that shows the rows of one query. */
import { arrangement, type Arrangement } from '../results/arrange.ts';
import { isFields } from '../text/checks.ts';
import type { ResultTable } from '../wire/toolPayloads.ts';
import type { LoadedRows } from './chat.ts';

export type ToResults =
  /** `remember` is the state from which the tab is restored after a restart. */
  | {
      type: 'table';
      title: string;
      table: ResultTable;
      /** The chart of the answer, as JSON text. */
      spec?: string;
      guardFormulas: boolean;
      /** Whether there is SQL, which can be opened. */
      hasSql: boolean;
      remember: unknown;
      l10n: Record<string, string>;
    }
  /** Show the rows as the grid does from which the tab was opened. */
  | { type: 'arrange'; shown: Arrangement }
  /** A batch of rows for "Load all". */
  | ({ type: 'rows' } & LoadedRows);

export type FromResults =
  | { type: 'ready' }
  | { type: 'copy'; text: string }
  | { type: 'exportResults'; shown: Arrangement }
  | { type: 'loadAll' }
  | { type: 'openSql' }
  | { type: 'problem'; text: string };

/** @returns whether a message from the page is a `FromResults` with every field as declared */
export function isFromResults(message: unknown): message is FromResults {
  if (!isFields(message)) return false;
  switch (message.type) {
    case 'ready':
    case 'loadAll':
    case 'openSql':
      return true;
    case 'exportResults':
      return arrangement(message.shown);
    case 'copy':
    case 'problem':
      return typeof message.text === 'string';
    default:
      return false;
  }
}

/** @returns whether a message received by the page is from the host; other frames can post to the page too */
export function isToResults(message: unknown): message is ToResults {
  return isFields(message) && ['table', 'arrange', 'rows'].includes(message.type as string);
}

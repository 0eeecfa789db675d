/** What the page shows, and the way its messages go. */
import { useBundle } from '../../src/shared/text/l10n.ts';
import type { ResultTable } from '../../src/shared/wire/toolPayloads.ts';
import type { LoadState } from '../../src/shared/protocol/chat.ts';
import { isToResults, type FromResults, type ToResults } from '../../src/shared/protocol/results.ts';
import { oncePerFrame } from '../app/frame.ts';
import { onHostMessage, postRaw, saveState } from '../app/host.ts';

export interface ResultsState {
  title: string;
  /** As it came with the answer. */
  table: ResultTable;
  guardFormulas: boolean;
  /** Every row that is here; grows in place while all are loaded. */
  rows: readonly (readonly unknown[])[];
  /** Undefined while the rows are those that came with the answer. */
  load: LoadState | undefined;
  /** How the loaded rows differ from the answer's, in words. */
  notice?: string | undefined;
}

export const postResults = (message: FromResults): void => postRaw(message);

let state: ResultsState | undefined;
let loaded: (readonly unknown[])[] = [];

/** @param draw draws a state; called at most once per frame */
export function start(draw: (state: ResultsState) => void): void {
  const redraw = oncePerFrame(() => {
    if (state) draw(state);
  });
  onHostMessage((message) => {
    if (!isToResults(message)) return;
    state = take(state, message);
    redraw();
  });
  postResults({ type: 'ready' });
}

function take(before: ResultsState | undefined, message: ToResults): ResultsState | undefined {
  if (message.type === 'table') {
    const { title, table, guardFormulas } = message;
    useBundle(message.l10n, document.documentElement.lang);
    saveState(message.remember);
    return { title, table, guardFormulas, rows: table.rows, load: undefined };
  }
  if (!before) return undefined;
  if (message.from === 0) loaded = [];
  // They were begun to be loaded for a page that is no more.
  if (message.from !== loaded.length) return before;
  for (const row of message.rows) loaded.push(row);
  // A load that was given up before its first row changes nothing.
  if (loaded.length === 0 && message.state !== 'done') return { ...before, load: undefined, notice: undefined };
  return { ...before, rows: loaded, load: message.state, notice: message.notice };
}

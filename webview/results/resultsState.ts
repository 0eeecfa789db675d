/** Holds the state of the results page and exchanges its messages with the host. */
import { useBundle } from '../../src/shared/text/l10n.ts';
import type { ResultTable } from '../../src/shared/wire/toolPayloads.ts';
import type { LoadState } from '../../src/shared/protocol/chat.ts';
import { isToResults, type FromResults, type ToResults } from '../../src/shared/protocol/results.ts';
import { oncePerFrame } from '../app/frame.ts';
import { onHostMessage, postRaw, saveState } from '../app/host.ts';

export interface ResultsState {
  title: string;
  /** The table of the answer. */
  table: ResultTable;
  guardFormulas: boolean;
  /** The rows to display; extended in place while all rows are loading. */
  rows: readonly (readonly unknown[])[];
  /** `undefined` while the rows are those of the answer. */
  load: LoadState | undefined;
  /** Localized description of how the loaded rows differ from the answer's. */
  notice?: string | undefined;
}

export const postResults = (message: FromResults): void => postRaw(message);

let loaded: (readonly unknown[])[] = [];

/** @param draw renders a state; called at most once per frame */
export function start(draw: (state: ResultsState) => void): void {
  let state: ResultsState | undefined;
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
  // The batch continues a load that an earlier page started.
  if (message.from !== loaded.length) return before;
  for (const row of message.rows) loaded.push(row);
  // A load that ended before its first row leaves the answer's rows.
  if (loaded.length === 0 && message.state !== 'done') return { ...before, load: undefined, notice: undefined };
  return { ...before, rows: loaded, load: message.state, notice: message.notice };
}

/** A replica of a thread, updated by running the host's reducer on the same events. */
import { useBundle } from '../../src/shared/text/l10n.ts';
import type { LoadState, ViewContext, ToWebview } from '../../src/shared/protocol/chat.ts';
import { reduceAll } from '../../src/shared/thread/reducer.ts';
import type { Thread } from '../../src/shared/thread/model.ts';

export interface Replica {
  seq: number;
  thread: Thread;
  viewContext: ViewContext;
  /** Rows loaded from the service in addition to those of the tool results, by tool call id. */
  loaded: ReadonlyMap<string, WholeResult>;
}

export interface WholeResult {
  /** Extended in place: copying the array with every batch would dominate the cost. */
  rows: (readonly unknown[])[];
  state: LoadState;
  /** Localized description of how the rows differ from the answer's. */
  notice?: string;
}

/**
 * @param replica `undefined` before the first snapshot
 * @returns the replica after a message; `gap` if a message before it is missing
 */
export function advance(replica: Replica | undefined, message: ToWebview): Replica | undefined | 'gap' {
  if (message.type === 'snapshot') {
    useBundle(message.l10n, document.documentElement.lang);
    const { seq, thread, viewContext } = message;
    const loaded = replica?.thread.id === thread.id ? replica.loaded : new Map<string, WholeResult>();
    return { seq, thread, viewContext, loaded };
  }
  if (!replica) return undefined;
  switch (message.type) {
    case 'events':
      if (message.seq !== replica.seq + 1) return 'gap';
      return { ...replica, seq: message.seq, thread: reduceAll(replica.thread, message.events) };
    case 'rows':
      return { ...replica, loaded: withRows(replica.loaded, message) };
    case 'viewContext':
      return { ...replica, viewContext: message.viewContext };
    // Other messages don't change the replica.
    default:
      return replica;
  }
}

/** @returns the loaded rows extended by one message */
function withRows(
  loaded: Replica['loaded'],
  { toolCallId, from, rows, state, notice }: Extract<ToWebview, { type: 'rows' }>,
): Replica['loaded'] {
  // A load that ended before its first row leaves the rows that are shown.
  if (from === 0 && rows.length === 0 && state !== 'done') return loaded;
  const all = from === 0 ? [] : (loaded.get(toolCallId)?.rows ?? []);
  // The batch continues a load that an earlier page started.
  if (from !== all.length) return loaded;
  for (const row of rows) all.push(row);
  return new Map(loaded).set(toolCallId, { rows: all, state, notice });
}

/** A replica of a thread, kept in step by running the host's own reducer on its events. */
import { useBundle } from '../../src/shared/text/l10n.ts';
import type { LoadState, Surroundings, ToWebview } from '../../src/shared/protocol/chat.ts';
import { reduceAll } from '../../src/shared/thread/reducer.ts';
import type { Thread } from '../../src/shared/thread/model.ts';

export interface Replica {
  seq: number;
  thread: Thread;
  around: Surroundings;
  /** Rows that were loaded beyond those of the tool results, by tool call. */
  loaded: ReadonlyMap<string, WholeResult>;
}

export interface WholeResult {
  /** Grows in place: a copy of it with each batch would cost more than all the rest. */
  rows: (readonly unknown[])[];
  state: LoadState;
  /** How the rows differ from the answer's, in words. */
  notice?: string | undefined;
}

/**
 * @param replica undefined before the first snapshot
 * @returns the replica after a message; `gap` when one is missing between them
 */
export function advance(replica: Replica | undefined, message: ToWebview): Replica | undefined | 'gap' {
  if (message.type === 'snapshot') {
    useBundle(message.l10n, document.documentElement.lang);
    const { seq, thread, around } = message;
    const loaded = replica?.thread.id === thread.id ? replica.loaded : new Map<string, WholeResult>();
    return { seq, thread, around, loaded };
  }
  if (!replica) return undefined;
  switch (message.type) {
    case 'events':
      if (message.seq !== replica.seq + 1) return 'gap';
      return { ...replica, seq: message.seq, thread: reduceAll(replica.thread, message.events) };
    case 'rows':
      return { ...replica, loaded: withRows(replica.loaded, message) };
    case 'surroundings':
      return { ...replica, around: message.around };
    // All else is for the page, not for its thread.
    default:
      return replica;
  }
}

/** @returns the loaded rows with those of one more message */
function withRows(
  loaded: Replica['loaded'],
  { toolCallId, from, rows, state, notice }: Extract<ToWebview, { type: 'rows' }>,
): Replica['loaded'] {
  const all = from === 0 ? [] : (loaded.get(toolCallId)?.rows ?? []);
  // They were begun to be loaded for a page that is no more.
  if (from !== all.length) return loaded;
  for (const row of rows) all.push(row);
  return new Map(loaded).set(toolCallId, { rows: all, state, notice });
}

/** One side of the page: a replica of its thread, kept in step by running the host's own reducer on its events. */
import { useBundle } from '../../src/shared/l10n.ts';
import { assertNever, type Surroundings, type ToWebview } from '../../src/shared/protocol.ts';
import { reduceAll } from '../../src/shared/reduce.ts';
import type { Thread } from '../../src/shared/thread.ts';
import { withRows, type ViewState } from '../store.ts';

export interface Replica {
  seq: number;
  thread: Thread;
  around: Surroundings;
  loaded: ViewState['loaded'];
}

/**
 * @param replica undefined before the first snapshot
 * @returns the replica after a message; `gap` when one is missing between them
 */
export function take(replica: Replica | undefined, message: ToWebview): Replica | undefined | 'gap' {
  switch (message.type) {
    case 'snapshot': {
      useBundle(message.l10n, document.documentElement.lang);
      const { seq, thread, around } = message;
      return { seq, thread, around, loaded: replica?.loaded ?? new Map() };
    }
    case 'events':
      if (replica === undefined) return undefined;
      if (message.seq !== replica.seq + 1) return 'gap';
      return { ...replica, seq: message.seq, thread: reduceAll(replica.thread, message.events) };
    case 'rows':
      return replica && { ...replica, loaded: withRows(replica.loaded, message) };
    case 'surroundings':
      return replica && { ...replica, around: message.around };
    // There is no composer here, and nothing to be told but by the threads.
    case 'compose':
    case 'draft':
    case 'focus':
    case 'threads':
    case 'ping':
      return replica;
    default:
      return assertNever(message);
  }
}

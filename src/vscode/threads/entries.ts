/** Describes stored threads for the thread list of a view. */
import type { ThreadEntry } from '../../shared/protocol/threads.ts';
import type { StoredMeta } from '../../chat/history/storedThread.ts';
import type { SearchHit } from '../../chat/history/search.ts';

/** Information for the list that is not stored with the thread. */
export interface EntryContext {
  isRunning: (threadId: string) => boolean;
  isUnread: (threadId: string) => boolean;
  /** Name of the thread's connection; empty if there is only one connection. */
  connectionOf: (meta: StoredMeta) => string;
  mainBranch: string;
}

/** @param hit the match in a search */
export function threadEntryOf(meta: StoredMeta, context: EntryContext, hit?: SearchHit): ThreadEntry {
  const { id, title, updatedAt, pinned, branch } = meta;
  return {
    id,
    title,
    time: updatedAt,
    where: [branch === '' ? context.mainBranch : branch, context.connectionOf(meta)].filter(Boolean).join(' · '),
    pinned,
    running: context.isRunning(id),
    unread: context.isUnread(id),
    marks: hit?.where === 'title' ? hit.ranges : [],
    ...(hit?.where === 'content' ? { snippet: { text: hit.snippet, marks: hit.ranges } } : {}),
  };
}

/** How threads stand in the list of a view. */
import type { ThreadEntry } from '../../shared/protocol/threads.ts';
import type { StoredMeta } from './records.ts';
import type { SearchHit } from './search.ts';

/** What the list says of a thread besides what is stored. */
export interface EntryContext {
  isRunning: (threadId: string) => boolean;
  isUnseen: (threadId: string) => boolean;
  /** Name of the thread's connection; empty where there is only one. */
  connectionOf: (meta: StoredMeta) => string;
  mainBranch: string;
}

/** @param hit where the thread was found, in a search */
export function entryOf(meta: StoredMeta, context: EntryContext, hit?: SearchHit): ThreadEntry {
  const { id, title, updatedAt, pinned, branch } = meta;
  return {
    id,
    title,
    time: updatedAt,
    where: [branch === '' ? context.mainBranch : branch, context.connectionOf(meta)].filter(Boolean).join(' · '),
    pinned,
    running: context.isRunning(id),
    unseen: context.isUnseen(id),
    marks: hit?.where === 'title' ? hit.ranges : [],
    ...(hit?.where === 'content' ? { snippet: { text: hit.snippet, marks: hit.ranges } } : {}),
  };
}

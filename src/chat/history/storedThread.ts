/** A thread as its file contains it, and what is derived from its turns. */
import type { Draft } from '../../shared/protocol/chat.ts';
import type { Thread, ThreadMeta, Turn } from '../../shared/thread/model.ts';
import { reduce } from '../../shared/thread/reducer.ts';
import { currentTurn, isRunning, titleOf } from '../../shared/thread/turns.ts';

/** Metadata of a thread, as shown in the thread list. */
export interface StoredMeta extends ThreadMeta {
  /** Branch of the last question; empty if it was the main branch. */
  branch?: string;
  /** The title was set by the user. */
  named?: boolean;
  /** The thread is an import or a recording, and can't be continued. */
  readOnly?: boolean;
}

export interface StoredThread {
  thread: Thread;
  meta: StoredMeta;
  draft: Draft;
}

export const timeOf = ({ question }: Pick<Turn, 'question'>): number => question?.time ?? 0;

/**
 * @param thread a thread without a response in progress
 * @returns the metadata for the thread list; fields that are not derived from the thread are copied from `before`
 */
export function metaOf(thread: Thread, before: Partial<StoredMeta> = {}): StoredMeta {
  const { id, chatId, turns } = thread;
  const updates = turns.flatMap((turn) => [timeOf(turn), ...turn.items.map(({ updated }) => updated)]);
  const branch = turns.findLast(({ question }) => question?.context)?.question?.context?.branch;
  return {
    ...{ pinned: false, origin: '', createdAt: turns[0]?.question?.time ?? turns[0]?.items[0]?.time ?? Date.now() },
    ...before,
    id,
    title: (before.named ? '' : titleOf(thread)) || before.title || '',
    updatedAt: updates.reduce((latest, time) => Math.max(latest, time), before.updatedAt ?? 0) || Date.now(),
    questions: turns.filter(({ question }) => question).length,
    ...(chatId === undefined ? {} : { chatId }),
    ...(branch === undefined ? {} : { branch }),
  };
}

/** Resets the status to idle unless there is an unfinished question to re-attach to. */
export function settled(thread: Thread): Thread {
  const turn = thread.messageId === undefined ? undefined : currentTurn(thread);
  if (isRunning(thread) && turn?.question && turn.outcome === undefined) return thread;
  const { turns } = reduce({ ...thread, messageId: undefined }, { type: 'finished' });
  const ended = turn?.outcome?.state === 'failed' ? 'error' : 'ready';
  return { ...thread, turns, status: isRunning(thread) ? ended : thread.status };
}

/** Finds generated SQL in a thread. */
import type { ChatSession } from '../../chat/session/chatSession.ts';
import { generatedSql, type GeneratedSql } from '../../shared/thread/turns.ts';

/**
 * @param toolCallId id of the query; defaults to the last query of the thread
 * @returns the query, or undefined if the thread has no such query
 */
export function findSql(session: ChatSession, toolCallId?: string): GeneratedSql | undefined {
  const all = generatedSql(session.thread);
  return toolCallId === undefined ? all.at(-1) : all.find((each) => each.toolCallId === toolCallId);
}

/** Finds generated SQL in open threads. */
import type { ChatSession } from '../../chat/session/chatSession.ts';
import { generatedSql, type GeneratedSql } from '../../shared/thread/turns.ts';

/**
 * @param toolCallId of the query; the thread's last one when absent
 * @returns the query, or undefined when the thread has none such
 */
export function findSql(session: ChatSession, toolCallId?: string): GeneratedSql | undefined {
  const all = generatedSql(session.thread);
  return toolCallId === undefined ? all.at(-1) : all.find((each) => each.toolCallId === toolCallId);
}

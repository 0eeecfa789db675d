/** Finds generated SQL in a thread, and the thread of generated SQL. */
import type { ChatSession } from '../../chat/session/chatSession.ts';
import { generatedSql, type GeneratedSql, payloadOf, turnsOf } from '../../shared/thread/turns.ts';

/**
 * @param toolCallId id of the query; defaults to the last query of the thread
 * @returns the query, or undefined if the thread has no such query
 */
export function findSql(session: ChatSession, toolCallId?: string): GeneratedSql | undefined {
  const all = generatedSql(session.thread);
  return toolCallId === undefined ? all.at(-1) : all.find((each) => each.toolCallId === toolCallId);
}

/** @returns the session whose thread contains the query; the payload is compared too, as tool call ids may repeat */
export function sessionWith(
  sessions: readonly ChatSession[],
  { toolCallId, payload }: GeneratedSql,
): ChatSession | undefined {
  return sessions.find(({ thread }) =>
    turnsOf(thread).some(({ items }) => items.some((item) => item.id === toolCallId && payloadOf(item) === payload)),
  );
}

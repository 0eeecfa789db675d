/** The way back from generated SQL to its thread. */
import type { ChatSession } from '../../chat/session/chatSession.ts';
import { payloadOf, turnsOf, type GeneratedSql } from '../../shared/thread/turns.ts';

/** @returns the session whose thread holds the query; others may hold one of the same id */
export function sessionWith(
  sessions: readonly ChatSession[],
  { toolCallId, payload }: GeneratedSql,
): ChatSession | undefined {
  return sessions.find(({ thread }) =>
    turnsOf(thread).some(({ items }) => items.some((item) => item.id === toolCallId && payloadOf(item) === payload)),
  );
}

/** Finds the thread of a generated query. */
import type { ChatSession } from '../../chat/session/chatSession.ts';
import { payloadOf, turnsOf, type GeneratedSql } from '../../shared/thread/turns.ts';

/** @returns the session whose thread contains the query; the payload is compared too, as tool call ids may repeat */
export function sessionWith(
  sessions: readonly ChatSession[],
  { toolCallId, payload }: GeneratedSql,
): ChatSession | undefined {
  return sessions.find(({ thread }) =>
    turnsOf(thread).some(({ items }) => items.some((item) => item.id === toolCallId && payloadOf(item) === payload)),
  );
}

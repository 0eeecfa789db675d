/** Finds the thread and the query that the argument of a command names. */
import type { ChatSession } from '../../chat/session/chatSession.ts';
import { textIn } from '../../shared/text/checks.ts';
import { t } from '../../shared/text/l10n.ts';
import { findSql, type GeneratedSql } from '../../shared/thread/turns.ts';
import { showInformationMessage } from '../host/notify.ts';
import type { Services } from '../services.ts';

/** @param argument `{threadId?}` of an open thread; defaults to the active one */
export const sessionIn = ({ sessions }: Services<'sessions'>, argument: unknown): ChatSession =>
  sessions.get(textIn(argument, 'threadId') ?? '') ?? sessions.active;

/**
 * Finds a query; notifies the user if there is none. The given or active thread is searched first, because a service
 * may reuse a tool call id in another thread.
 * @param argument `{toolCallId?, threadId?}`; without `toolCallId`, the last query of the thread
 */
export function wantedSql(services: Services<'sessions'>, argument: unknown): GeneratedSql | undefined {
  const toolCallId = textIn(argument, 'toolCallId');
  const first = sessionIn(services, argument);
  for (const session of toolCallId === undefined ? [first] : [first, ...services.sessions.all]) {
    const found = findSql(session.thread, toolCallId);
    if (found) return found;
  }
  void showInformationMessage(t('There is no generated SQL in this chat yet.'));
  return undefined;
}

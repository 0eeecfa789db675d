/** Looks up the connection of a thread. */
import type { ChatSession } from '../../chat/session/chatSession.ts';
import type { ConnectionEntry } from '../../chat/connection/connectionList.ts';
import type { Sessions } from '../threads/sessions.ts';
import type { Connections } from './connections.ts';

/** @returns the thread's own connection, or the current one before its first question; undefined if there is none */
export const connectionOf = (
  { connections, sessions }: { connections: Connections; sessions: Sessions },
  session: ChatSession,
): ConnectionEntry | undefined => connections.of(sessions.homeOf(session));

/** Looks up the connection of a thread. */
import type { ChatSession } from '../../chat/session/chatSession.ts';
import type { ConnectionEntry } from '../../chat/connection/connectionList.ts';
import type { App } from '../app.ts';

/** @returns the thread's own connection, or the current one before its first question; undefined if there is none */
export const connectionOf = (app: App, session: ChatSession): ConnectionEntry | undefined =>
  app.connections.of(app.sessions.homeOf(session));
